"""Core, pull request reports: read one section, its labelled values and its text, into the draft."""

from dataclasses import dataclass, replace

from errorkb.core.pr_reports.blocks import Block, Kind, read_blocks
from errorkb.core.pr_reports.drafts import Draft, Prose
from errorkb.core.pr_reports.fields import FIELDS, PROSE, take_fact
from errorkb.core.pr_reports.inlines import take_label
from errorkb.core.pr_reports.marks import is_rule
from errorkb.core.pr_reports.metadata import FACTS
from errorkb.core.pr_reports.outlines import Section
from errorkb.core.pr_reports.problems import ReportError
from errorkb.core.pr_reports.snippets import SnippetReader
from errorkb.core.pr_reports.sources import Source
from errorkb.core.pr_reports.words import find_label

_ANYWHERE = frozenset({"fixes", "introduced_by"})
_SUMMARY = _ANYWHERE | {"summary", "recommendation"}
_IMPLEMENTATION = _ANYWHERE | {"key_files", "key_symbols"}
_RISK = _ANYWHERE | {"risk", "impact", "risk_flags"}
# Facts that end with their line even in a list item.
_ONE_LINE = frozenset(FACTS) - {"title", "labels"}
# Facts that a list item may state without a colon: `- Repository owner/name`.
_SPACED = ("repository", "number", "title", "merged_at", "source_url", "merge_commit")


@dataclass(frozen=True)
class _Form:
    """How a section is read: its text goes to the field `text` (none: it is kept as it is), `labels` are told apart."""

    text: str
    labels: frozenset[str]


_FORMS = {
    "metadata": _Form("", _ANYWHERE | frozenset(FACTS)),
    "summary": _Form("summary", _SUMMARY),
    "recommendation": _Form("recommendation", _SUMMARY),
    "motivation": _Form("motivation", _ANYWHERE),
    "implementation": _Form("implementation", _IMPLEMENTATION),
    "key_files": _Form("key_files", _IMPLEMENTATION),
    "key_symbols": _Form("key_symbols", _IMPLEMENTATION),
    "discussion": _Form("discussion", _ANYWHERE),
    "risk": _Form("risk", _RISK),
    "impact": _Form("impact", _RISK),
    "risk_flags": _Form("risk_flags", _RISK),
    "related": _Form("related", _ANYWHERE),
    "fixes": _Form("fixes", _ANYWHERE),
}


def read_section(source: Source, section: Section, draft: Draft) -> None:
    """Read a section into the draft. Raises ReportError for a fact that is wrong.

    What the form has no field for is kept, verbatim, under the section's heading.
    """
    if section.word is None:
        draft.keep(section.heading, _verbatim(source, section))
    elif section.word.field == "snippets":
        _read_snippets(source, section, draft)
    else:
        _Reader(_FORMS[section.word.field], section, draft).read(source)


def _verbatim(source: Source, section: Section) -> str:
    """Return a section's lines as written, without blank lines and rules around them."""
    start, end = section.start, section.end
    while start < end and _is_margin(source.lines[start]):
        start += 1
    while end > start and _is_margin(source.lines[end - 1]):
        end -= 1
    return "\n".join(source.lines[start:end])


def _is_margin(line: str) -> bool:
    return not line.strip() or is_rule(line)


def _read_snippets(source: Source, section: Section, draft: Draft) -> None:
    reader = SnippetReader(section.heading, draft)
    for block in read_blocks(source, section, code_in_items=False):
        if block.kind is not Kind.RULE:
            reader.take(block)
    reader.close()


class _Reader:
    """Goes through a section's blocks, knowing which field takes those that no label names."""

    def __init__(self, form: _Form, section: Section, draft: Draft) -> None:
        self._form = form
        self._section = section
        self._draft = draft
        self._rest = Prose()
        # The field that takes unlabelled blocks now, and the one that does when a label's own list is over.
        self._current = self._resumed = form.text
        draft.grouped = False

    def read(self, source: Source) -> None:
        """Read the section's blocks; what no field takes is kept under the section's heading."""
        behind_label = False
        for block in read_blocks(source, self._section, opens=self._is_labelled):
            if block.kind is Kind.RULE:
                continue
            labelled = self._take_labelled(block)
            if not labelled:
                self._take_plain(replace(block, gap=True) if behind_label else block)
            behind_label = labelled
        if self._rest.pieces:
            self._draft.keep(self._section.heading, self._rest.text())

    def _is_labelled(self, line: str) -> bool:
        found = take_label(line.strip())
        return found is not None and found[0] in self._form.labels

    def _take_labelled(self, block: Block) -> bool:
        found = take_label(block.text) if block.kind in (Kind.PARAGRAPH, Kind.ITEM) else None
        if not found or found[0] not in self._form.labels:
            return not self._form.text and self._take_spaced(block)
        field = found[0]
        value, more = _divide(field, found[1], block.kind)
        stated = replace(block, kind=Kind.PARAGRAPH, text=value, raw=value, gap=True)
        if value and not FIELDS[field](self._draft, stated):
            return False
        self._draft.grouped = False
        self._turn(field, open_ended=not value, item=block.kind is Kind.ITEM)
        if more:
            self._take_plain(replace(stated, text=more, raw=more))
        return True

    def _turn(self, field: str, *, open_ended: bool, item: bool) -> None:
        """Set which field takes the blocks behind a label: its own if it has no value yet, or if it is prose."""
        if field in PROSE:
            self._resumed = "" if item and not open_ended else field
        self._current = field if open_ended and field not in FACTS else self._resumed

    def _take_spaced(self, block: Block) -> bool:
        """Take a fact whose label has no colon behind it, if its value is of the form that the fact has."""
        for words in (2, 1) if block.kind is Kind.ITEM else ():
            *label, value = block.text.split(maxsplit=words) or [""]
            field = find_label(" ".join(label))
            if field in _SPACED:
                try:
                    return take_fact(field, self._draft, value, block.line)
                except ReportError:
                    return False
        return False

    def _take_plain(self, block: Block) -> None:
        if self._current != self._resumed and block.kind is Kind.PARAGRAPH:
            self._current = self._resumed
        if self._offer(block):
            return
        if self._current != self._resumed:
            self._current = self._resumed
            if self._offer(block):
                return
        self._rest.add(block.raw, gap=block.gap)

    def _offer(self, block: Block) -> bool:
        return bool(self._current) and FIELDS[self._current](self._draft, block)


def _divide(field: str, text: str, kind: Kind) -> tuple[str, str]:
    """Return a label's value and the text behind it: in a paragraph, only prose goes on in the next lines."""
    goes_on = field in PROSE or text.startswith("\n") or (kind is Kind.ITEM and field not in _ONE_LINE)
    if goes_on:
        return text.strip(), ""
    first, _, more = text.partition("\n")
    return first.strip(), more.strip()
