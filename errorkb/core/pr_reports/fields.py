"""Core, pull request reports: how each field of the document takes a block of the report's text, one row a field."""

from collections.abc import Callable
from functools import partial

from errorkb.core.pr_reports.blocks import Block, Kind
from errorkb.core.pr_reports.drafts import Draft, Prose
from errorkb.core.pr_reports.entries import (
    Entry,
    names_pull_request,
    parse_errors,
    parse_key_file,
    parse_names,
    parse_related,
    parse_topic,
    split_entries,
)
from errorkb.core.pr_reports.metadata import FACTS, read_fact, shown
from errorkb.core.pr_reports.problems import ReportError
from errorkb.core.pr_reports.references import take_reference

# Takes a block into the draft; False where the block is nothing for the field, and nothing was taken.
Take = Callable[[Draft, Block], bool]

PROSE = ("summary", "recommendation", "motivation", "risk", "impact")
_TEXT = (Kind.PARAGRAPH, Kind.ITEM)


def take_fact(name: str, draft: Draft, text: str, line: int) -> bool:
    """Take a fact of the list under the title; raise ReportError where it is wrong or was stated otherwise before."""
    value = read_fact(name, text, line) if text else None
    if value is None:
        return True
    known = draft.facts.setdefault(name, value)
    if known != value:
        raise ReportError(f"{name}: expected one value, found {shown(str(value))} after {shown(str(known))}", line)
    return True


def _take_prose(name: str, draft: Draft, block: Block) -> bool:
    draft.prose(name).add(block.raw, gap=block.gap)
    return True


def _take_step(draft: Draft, block: Block) -> bool:
    """Take a step of the implementation; code belongs to the step before it, and all to a heading before it."""
    opens = block.kind is Kind.HEADING
    if draft.steps and not opens and (draft.grouped or block.kind is Kind.CODE):
        draft.steps[-1].add(block.raw, gap=block.gap)
        return True
    draft.grouped = draft.grouped or opens
    step = Prose()
    step.add(block.text if block.kind in _TEXT else block.raw)
    draft.steps.append(step)
    return True


def _take_discussion(draft: Draft, block: Block) -> bool:
    if block.kind is not Kind.ITEM:
        return _take_prose("discussion", draft, block)
    topic = parse_topic(block.text)
    if topic:
        draft.list("topics").add(topic)
    return True


def _take_names(name: str, draft: Draft, block: Block) -> bool:
    if block.kind not in _TEXT:
        return False
    for value in parse_names(block.text):
        draft.list(name).add(value)
    return True


def _take_entries(name: str, draft: Draft, block: Block) -> bool:
    """Take list entries: an item is one, a paragraph or a label's value may hold several; all of them or none."""
    if block.kind not in _TEXT:
        return False
    begins, parse = _ENTRIES[name]
    texts = [block.text] if block.kind is Kind.ITEM else list(split_entries(block.text, begins))
    parsed = [parse(text) for text in texts]
    if not all(parsed):
        return False
    for entries in parsed:
        for entry in entries:
            draft.list(name).add(entry)
    return True


def _parse_key_files(text: str) -> list[Entry]:
    entry = parse_key_file(text)
    return [entry] if entry else []


_ENTRIES: dict[str, tuple[Callable[[str], bool], Callable[[str], list[Entry]]]] = {
    "key_files": (lambda line: line.startswith("`"), _parse_key_files),
    "fixes": (lambda line: line.startswith("`"), parse_errors),
    "related": (names_pull_request, parse_related),
}


def _take_origin(draft: Draft, block: Block) -> bool:
    """Take the pull request that introduced an error; a text that says more than its number is kept as text, too."""
    found = take_reference(block.text)
    if not found:
        return False
    reference = found[0].as_json()
    return draft.facts.setdefault("introduced_by", reference) == reference and not found[1].strip(" .。")


def _take_fact(name: str, draft: Draft, block: Block) -> bool:
    return take_fact(name, draft, block.text, block.line)


FIELDS: dict[str, Take] = {
    **{name: partial(_take_fact, name) for name in FACTS},
    **{name: partial(_take_prose, name) for name in PROSE},
    **{name: partial(_take_names, name) for name in ("key_symbols", "risk_flags")},
    **{name: partial(_take_entries, name) for name in _ENTRIES},
    "implementation": _take_step,
    "discussion": _take_discussion,
    "introduced_by": _take_origin,
}
