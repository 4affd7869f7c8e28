"""Search: the check of phrases on the original text of candidates, for the index knows words, not their order."""

import json
from collections.abc import Iterator, Sequence

from errorkb.core.identity import entry_title
from errorkb.core.tokens import Phrase, comparable
from errorkb.models import SearchRow
from errorkb.search.ranking import Candidate
from errorkb.search.row_tokens import texts_of
from errorkb.search.terms import Terms

# So much text is read for one search; candidates beyond it are left out.
MOST_CHARACTERS = 32 << 20

_SUBJECTS = ("entry__document", "pull_request__document", "entry__exception_type", "entry__message", "entry__symbol")


def with_phrases(candidates: Sequence[Candidate], terms: Terms) -> list[Candidate]:
    """Return the candidates whose documents hold every wanted phrase and no unwanted one; at most one query."""
    if not candidates or not (terms.phrases or terms.excluded_phrases):
        return list(candidates)
    holding = {pk for pk, document, title in _documents(candidates) if _holds(document, title, terms)}
    return [candidate for candidate in candidates if candidate.pk in holding]


def _documents(candidates: Sequence[Candidate]) -> Iterator[tuple[int, str, str]]:
    """Yield key, document and title of the rows, as far as the text to be read for one search goes."""
    keys = [candidate.pk for candidate in candidates]
    read = 0
    rows = SearchRow.objects.filter(pk__in=keys).order_by("pk").values_list("pk", *_SUBJECTS)
    for pk, entry, pull_request, *site in rows.iterator(chunk_size=50):
        document = entry if pull_request is None else pull_request
        read += len(document)
        if read > MOST_CHARACTERS:
            return
        exception_type, message, symbol = site
        yield pk, document, entry_title(exception_type, message, symbol) if pull_request is None else ""


def _holds(document: str, title: str, terms: Terms) -> bool:
    texts = [comparable(text) for _, text in texts_of(json.loads(document))]
    texts.append(comparable(title))

    def somewhere(phrase: Phrase) -> bool:
        return any(phrase.is_in(text) for text in texts)

    return all(map(somewhere, terms.phrases)) and not any(map(somewhere, terms.excluded_phrases))
