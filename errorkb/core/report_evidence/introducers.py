"""Core, report evidence: which pull requests a report says brought the error that it repairs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from errorkb.core.documents import PullRequestDocument
from errorkb.core.pr_reports.references import Reference, take_reference
from errorkb.core.report_evidence.errors import prose_texts

# So many pull requests of one report are kept.
MOST_INTRODUCERS = 20
_MOST_PLACES = 200
_MOST_SENTENCE = 400

# `introduced by PR #5`, `regression from #5`
_BEFORE = re.compile(
    r"(?<![\w])(?:introduced|caused|brought|broken|regressed|added|regression)\s{1,3}(?:by|in|from|since)\s{1,3}(?:the\s{1,3})?|引入(?:自|于|者)?\s{0,3}[:：]?\s{0,3}",
    re.IGNORECASE,
)
# `由 PR#5 引入`
_AROUND = re.compile(r"(?:由|被|因|自|是)\s{0,3}")
_BROUGHT = re.compile(r"\s{0,3}(?:所|中)?\s{0,3}(?:引入|导致|造成|带来|引起)")
# What the sentence must be about, so that it is not about a feature.
_ABOUT_ERRORS = re.compile(
    r"(?<![\w])(?:error|bug|issue|regression|crash|exception|failure|problem|mismatch|breakage|broke|this|it)(?:s|es|ed)?(?![\w])|错误|问题|回归|报错|故障|异常|缺陷|bug",
    re.IGNORECASE,
)
# In a note about a pull request: it is the one that brought the error.
_BROUGHT_HERE = re.compile(
    r"由该\s{0,3}(?:PR|MR)?\s{0,3}(?:引入|导致|造成)|(?:引入|导致|造成)了?(?:该|此|这个|本)\s{0,3}(?:bug|错误|问题|回归|缺陷)"
    r"|(?<![\w])(?:introduced|caused|brought)\s{1,3}(?:this|the|that)\s{1,3}(?:\w{1,20}\s{1,3}){0,2}(?:bug|error|regression|issue|crash|problem|failure)"
    r"|(?<![\w])(?:introduced|caused)\s{1,3}(?:by|in)\s{1,3}(?:this|that|it)(?![\w])",
    re.IGNORECASE,
)
_SENTENCE_ENDS = ("。", "；", ";", "\n", ". ")


@dataclass(frozen=True)
class Introducer:
    """A pull request that brought an error; `repository` is None for the report's own; `text` is what says so."""

    number: int
    repository: str | None
    text: str


def introducers(document: PullRequestDocument) -> tuple[Introducer, ...]:
    """Return the pull requests that a report says brought what it repairs, the one that a field states first."""
    found: dict[tuple[int, str | None], Introducer] = {}
    own = (document.number, document.repository.lower())
    for one in (*_stated(document), *_related(document), *_in_prose(document)):
        if (one.number, (one.repository or document.repository).lower()) != own:
            found.setdefault((one.number, one.repository), one)
    return tuple(islice(found.values(), MOST_INTRODUCERS))


def _stated(document: PullRequestDocument) -> Iterator[Introducer]:
    if document.introduced_by:
        yield Introducer(document.introduced_by.number, document.introduced_by.repository, "")


def _related(document: PullRequestDocument) -> Iterator[Introducer]:
    """Yield related pull requests whose note says that they brought the error."""
    for related in (document.related or [])[:_MOST_PLACES]:
        note = (related.note or "")[: 4 * _MOST_SENTENCE]
        says_so = _BROUGHT_HERE.search(note)
        if says_so and _ABOUT_ERRORS.search(note):
            yield Introducer(related.number, related.repository, _sentence(note, says_so.start()))


def _in_prose(document: PullRequestDocument) -> Iterator[Introducer]:
    for text in prose_texts(document):
        for found in islice(_BEFORE.finditer(text), _MOST_PLACES):
            taken = take_reference(text[found.end() : found.end() + _MOST_SENTENCE])
            yield from _told(text, found.start(), taken and taken[0])
        for found in islice(_AROUND.finditer(text), _MOST_PLACES):
            taken = take_reference(text[found.end() : found.end() + _MOST_SENTENCE])
            if taken and _BROUGHT.match(taken[1]):
                yield from _told(text, found.start(), taken[0])


def _told(text: str, place: int, reference: Reference | None) -> Iterator[Introducer]:
    sentence = _sentence(text, place)
    is_bare = sentence.lower().startswith("introduced by")
    if reference and (is_bare or _ABOUT_ERRORS.search(sentence)):
        yield Introducer(reference.number, reference.repository, sentence)


def _sentence(text: str, place: int) -> str:
    """Return the sentence around a place, cut where it is long."""
    start = max(text.rfind(end, max(0, place - _MOST_SENTENCE), place) for end in _SENTENCE_ENDS) + 1
    stop = min((at for end in _SENTENCE_ENDS if (at := text.find(end, place)) >= 0), default=len(text))
    return text[max(start, place - _MOST_SENTENCE) : min(stop, place + _MOST_SENTENCE)].strip()
