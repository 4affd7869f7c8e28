"""Search: the query that was meant by one with typing errors: words that no row has, replaced by near ones."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from errorkb.core.queries import Query
from errorkb.core.spelling import is_correctable, spelled_like
from errorkb.core.tokens import tokenize
from errorkb.search.shortlists import Shortlist
from errorkb.search.terms import Terms
from errorkb.search.vocabulary import meant_by

# So many words of a query are taken for mistyped ones.
MOST_MISTYPED = 4
# A word that one of so many rows has may be a typing error of them, too.
RARE = 5_000

# A word as it was typed, and the one that was meant.
Correction = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Meant:
    """The query that was meant, and what is different in it."""

    query: Query
    corrections: tuple[Correction, ...]


def corrected(among: Shortlist, query: Query, terms: Terms) -> Meant | None:
    """Return the query that was meant, None where no word of it seems mistyped; two database queries at most.

    Only words that no row has, or next to none, are mistyped; those in phrases never.
    """
    typed = dict.fromkeys(token.text for word in query.words for token in tokenize(word) if is_correctable(token.text))
    known = among.frequencies
    rare = tuple(token for token in typed if known.documents.get(token, 0) * RARE <= known.rows)[: 2 * MOST_MISTYPED]
    held = among.counts(rare).tokens if rare else {}
    mistyped = sorted(rare, key=held.__getitem__)[:MOST_MISTYPED]
    meant = meant_by({token: held[token] for token in mistyped})
    words = {word: _replaced(word, meant) for word in query.words} if meant else {}
    changed = tuple((word, used) for word, used in words.items() if used != word)
    if not changed:
        return None
    text, pieces = query.text, list(query.pieces)
    for word, used in changed:
        text = text.replace(word, used, 1)
        pieces = [replace(piece, text=used) if piece.text == word else piece for piece in pieces]
    return Meant(replace(query, text=text, words=tuple(dict.fromkeys(words.values())), pieces=tuple(pieces)), changed)


def _replaced(word: str, meant: Mapping[str, str]) -> str:
    """Return a word of a query with its mistyped tokens replaced, whole names before their parts."""
    pieces, end = [], 0
    for token in tokenize(word):
        if token.text in meant and token.start >= end:
            pieces += [word[end : token.start], spelled_like(word[token.start : token.end], meant[token.text])]
            end = token.end
    return "".join([*pieces, word[end:]])
