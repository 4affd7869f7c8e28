"""Search: the check of phrases on the original text of candidates, for the index knows words, not their order."""

import json
from collections.abc import Iterable, Iterator, Sequence

from errorkb.core.identity import entry_title
from errorkb.core.tokens import Phrase, comparable
from errorkb.models import SearchRow
from errorkb.search.ranking import Candidate
from errorkb.search.row_tokens import texts_of
from errorkb.search.terms import Terms

# So much text is read for one search; candidates beyond it are left out.
MOST_CHARACTERS = 32 << 20

_SUBJECTS = ("entry__document", "pull_request__document", "entry__exception_type", "entry__message", "entry__symbol")


def sort_by_phrases(candidates: Sequence[Candidate], terms: Terms) -> tuple[list[Candidate], list[Candidate]]:
    """Return the candidates whose documents hold every wanted phrase, and those that lack one; one query at most.

    Those that hold an unwanted phrase are in neither list.
    """
    if not candidates or not (terms.phrases or terms.excluded_phrases):
        return list(candidates), []
    held = {pk: _holds_all(texts, terms.phrases) for pk, texts in _texts(candidates) if _may_pass(texts, terms)}
    passing = [candidate for candidate in candidates if candidate.pk in held]
    return [found for found in passing if held[found.pk]], [found for found in passing if not held[found.pk]]


def _texts(candidates: Sequence[Candidate]) -> Iterator[tuple[int, list[str]]]:
    """Yield the key and the comparable texts of each row, as far as the text to be read for one search goes."""
    keys = [candidate.pk for candidate in candidates]
    rows = SearchRow.objects.filter(pk__in=keys).order_by("pk").values_list("pk", *_SUBJECTS)
    read = 0
    for pk, entry, pull_request, *site in rows.iterator(chunk_size=50):
        document = entry if pull_request is None else pull_request
        read += len(document)
        if read > MOST_CHARACTERS:
            return
        texts = [comparable(text) for _, text in texts_of(json.loads(document))]
        if pull_request is None:
            exception_type, message, symbol = site
            texts.append(comparable(entry_title(exception_type, message, symbol)))
        yield pk, texts


def _holds_all(texts: Sequence[str], phrases: Iterable[Phrase]) -> bool:
    return all(any(phrase.is_in(text) for text in texts) for phrase in phrases)


def _may_pass(texts: Sequence[str], terms: Terms) -> bool:
    return not any(phrase.is_in(text) for phrase in terms.excluded_phrases for text in texts)
