"""Web pages: what an entry means, what to do about it, and when it happens."""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import EntryDocument, Evidence, ReleaseRange
from errorkb.core.documents import Solution as SolutionDocument
from errorkb.models import ErrorEntry
from errorkb.web.pages.entries.code import CodeBlock, code_block
from errorkb.web.pages.entries.conditions import Conditions, conditions_of
from errorkb.web.pages.entries.standings import range_in_words
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.fragments import Fragments
from errorkb.web.pages.links import Link, outside
from errorkb.web.pages.texts import language_tag

_KINDS = {
    "configure": "change the configuration",
    "upgrade": "upgrade",
    "change_code": "change the code",
    "wait": "wait",
    "other": "something else",
}


@dataclass(frozen=True)
class Solution:
    """One numbered way out: its text, its code, what it takes, and what speaks for it."""

    anchor: str
    html: SafeString
    code: CodeBlock | None
    notes: tuple[str, ...]
    evidence: tuple[Link, ...]


@dataclass(frozen=True)
class EntryWords:
    """The words of an entry; `conditions` are a scanner's, everything else is a person's or a model's."""

    language: str
    meaning: SafeString
    solutions_title: str
    solutions: tuple[Solution, ...]
    trigger: SafeString
    situations: SafeString
    conditions: tuple[Conditions, ...]

    @property
    def has_occasions(self) -> bool:
        return bool(self.trigger or self.situations or self.conditions)


def entry_words(entry: ErrorEntry, document: EntryDocument, fragments: Fragments) -> EntryWords:
    """Return an entry's words as HTML; unreviewed solutions are headed as suggestions."""
    reviewed = document.analysis and document.analysis.reviewed
    items = (document.solutions or [])[:SHOWN_ITEMS]
    return EntryWords(
        language=language_tag(document.language),
        meaning=mark_safe(fragments.prose.get("meaning", "")),
        solutions_title="Solutions" if reviewed else "Suggestions, not checked by a person",
        solutions=tuple(_solution(number, item, fragments) for number, item in enumerate(items)),
        trigger=mark_safe(fragments.prose.get("trigger", "")),
        situations=mark_safe(fragments.prose.get("common_situations", "")),
        conditions=conditions_of(entry, document),
    )


def _solution(number: int, item: str | SolutionDocument, fragments: Fragments) -> Solution:
    name, anchor = f"solutions[{number}]", f"solution-{number + 1}"
    if isinstance(item, str):
        return Solution(anchor, mark_safe(fragments.prose[name]), None, (), ())
    code = fragments.code.get(f"{name}.code")
    notes = (_KINDS.get(item.kind or "", ""), _releases(item.releases))
    return Solution(
        anchor=anchor,
        html=mark_safe(fragments.prose[f"{name}.text"]),
        code=code_block(code, f"{anchor}-code") if code else None,
        notes=tuple(note for note in notes if note),
        evidence=tuple(_evidence(evidence) for evidence in (item.evidence or [])[:SHOWN_ITEMS] if evidence.url),
    )


def _releases(releases: str | ReleaseRange | list[str] | None) -> str:
    if isinstance(releases, ReleaseRange):
        return range_in_words(releases)
    if isinstance(releases, list):
        return ", ".join(releases[:SHOWN_ITEMS])
    return releases or ""


def _evidence(evidence: Evidence) -> Link:
    kind = f"{evidence.type.replace('_', ' ')}: " if evidence.type else ""
    return outside(f"{kind}{evidence.url}", evidence.url)
