"""Search: how common words are, and which were meant by mistyped ones: counted now and then, kept in a table.

The table may lag behind the rows, for it decides in which order the index is asked, never what is found.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F, Q

from errorkb.core.spelling import END_LETTERS, KnownWord, is_correctable, most_errors, nearest
from errorkb.models import SearchRow, SearchWord
from errorkb.models.search_words import ALL_ROWS
from errorkb.search.backends import Tokens
from errorkb.search.templates import split_title

# Of so many rows the titles are counted, of so many the other tokens too; of more, an even sample.
MOST_TITLES = 250_000
MOST_ROWS = 25_000
# So many tokens are kept, the most common ones.
MOST_WORDS = 80_000
# Counted anew when there are so many times as many rows.
GROWTH = 1.2
_CHUNK = 2_000
# So many of the known words that begin or end like a mistyped one are compared with it.
_MOST_COMPARED = 4_000


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many rows hold each of some tokens, about; `rows` are all, `last` is the last primary key when counted.

    Tokens without a figure are held by few rows, or by none.
    """

    rows: int = 0
    last: int = 0
    documents: Mapping[str, int] = field(default_factory=dict)
    titles: Mapping[str, int] = field(default_factory=dict)


def frequencies_of(tokens: Collection[str]) -> Frequencies:
    """Return how common tokens are; one query."""
    found = SearchWord.objects.filter(token__in=[ALL_ROWS, *tokens]).values_list("token", "documents", "titles")
    documents: dict[str, int] = {}
    titles: dict[str, int] = {}
    for token, held, in_title in found:
        documents[token], titles[token] = held, in_title
    return Frequencies(documents.pop(ALL_ROWS, 0), titles.pop(ALL_ROWS, 0), documents, titles)


def meant_by(typed: Collection[str]) -> dict[str, str]:
    """Return for mistyped tokens the known words that were most likely meant; one query."""
    words = [token for token in typed if is_correctable(token)]
    if not words:
        return {}
    near = Q()
    for word in words:
        errors = most_errors(word)
        ends = Q(head=word[:END_LETTERS]) | Q(tail=word[-END_LETTERS:])
        near |= ends & Q(length__range=(len(word) - errors, len(word) + errors))
    rows = SearchWord.objects.filter(near, length__gt=0).order_by("-documents", "token")
    known = [KnownWord(*row) for row in rows.values_list("token", "documents")[: _MOST_COMPARED * len(words)]]
    meant = {word: nearest(word, known) for word in words}
    return {word: found for word, found in meant.items() if found}


def refresh_if_grown() -> bool:
    """Count anew if there are many more rows than when that was done last; say whether that was done."""
    last = SearchRow.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    if last <= frequencies_of(()).last * GROWTH:
        return False
    refresh()
    return True


def refresh() -> None:
    """Count how common tokens are, on a sample that is the same on every database. Readers see the old figures."""
    rows, last = SearchRow.objects.count(), SearchRow.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    titles = _counted(_titles(max(1, rows // MOST_TITLES)), max(1, rows // MOST_TITLES))
    documents = _counted(_all_tokens(max(1, rows // MOST_ROWS)), max(1, rows // MOST_ROWS))
    for token, count in titles.items():
        documents[token] = max(documents[token], count)
    common = sorted(documents, key=lambda token: (-documents[token], not is_correctable(token), token))[:MOST_WORDS]
    words = [SearchWord(token=ALL_ROWS, documents=rows, titles=last, length=0)]
    words += (_word(token, documents[token], titles[token]) for token in common)
    with transaction.atomic():
        SearchWord.objects.all().delete()
        SearchWord.objects.bulk_create(words, batch_size=_CHUNK, ignore_conflicts=True)


def _word(token: str, documents: int, titles: int) -> SearchWord:
    if not is_correctable(token):
        return SearchWord(token=token, documents=documents, titles=titles, length=0)
    ends = {"head": token[:END_LETTERS], "tail": token[-END_LETTERS:], "length": len(token)}
    return SearchWord(token=token, documents=documents, titles=titles, **ends)


def _counted(rows: Iterable[Collection[str]], step: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for tokens in rows:
        counts.update(tokens)
    return Counter({token: count * step for token, count in counts.items()}) if step > 1 else counts


def _titles(step: int) -> Iterator[Tokens]:
    for (title,) in _sample(step, "title"):
        yield tuple(split_title(title)[0].split())


def _all_tokens(step: int) -> Iterator[set[str]]:
    for title, *others in _sample(step, "title", "names", "parts", "prose"):
        yield {*split_title(title)[0].split(), *" ".join(others).split()}


def _sample(step: int, *columns: str) -> Iterator[tuple[str, ...]]:
    """Yield columns of every so manyth row."""
    rows = SearchRow.objects.alias(rest=F("pk") % step).filter(rest=0) if step > 1 else SearchRow.objects.all()
    yield from rows.order_by().values_list(*columns).iterator(chunk_size=_CHUNK)
