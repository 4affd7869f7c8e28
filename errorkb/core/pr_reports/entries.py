"""Core, pull request reports: the entries of its lists: key files, topics, related pull requests, fixed errors."""

import re
from collections.abc import Callable, Iterator

from errorkb.core.pr_reports.inlines import (
    COLONS,
    COMMAS,
    find_colon,
    outside,
    plain,
    split_list,
    take_code_span,
    take_colon,
    take_parenthesis,
    take_path,
)
from errorkb.core.pr_reports.marks import indent_of, take_mark
from errorkb.core.pr_reports.references import Reference, take_reference
from errorkb.core.pr_reports.words import CHANGE_TYPES, absence, find_fact

Entry = dict[str, object]

# A title such as `fix(npu): …` holds a colon of its own.
_CHANGE_TYPE = re.compile(
    rf"(?:\[[^\]\n]{{1,60}}\]\s{{0,3}}){{0,9}}(?:{CHANGE_TYPES})(?:\([^()\n]{{1,60}}\))?!?:\s", re.IGNORECASE
)
_FACT = re.compile(r"\s{0,9}([^\s:：;；,，、]{1,40})[\s:：]\s*")
_EMPTY_FACT = re.compile(r"([^\s:：]{1,40})[:：]?")
_KIND = re.compile(r"[(（]([^()（）\n]{1,60})[)）]\s{0,3}[:：]")
_TYPED_ERROR = re.compile(r"([A-Za-z_][\w.$]{0,299}(?:::\w{1,300}){0,9})\s{0,3}[:：](.*)", re.DOTALL)
_TYPE_SHAPE = re.compile(r"[A-Z.]|::")
_BARE_TYPE = re.compile(r"[\w.$:]{0,290}(?:Error|Exception|Warning|Exit|Interrupt|Failure|Fault|Panic)")


def split_entries(text: str, begins: Callable[[str], bool]) -> Iterator[str]:
    """Yield a text's entries, of one or more lines each; `begins` tells which lines without a list mark start one."""
    entry: list[str] = []
    for line in text.split("\n"):
        behind = take_mark(line) if indent_of(line) < 2 else None
        if entry and (behind is not None or begins(line)):
            yield "\n".join(entry).strip()
            entry = []
        entry.append(line if behind is None else behind)
    yield "\n".join(entry).strip()


def parse_names(text: str) -> list[str]:
    """Return the names of a list such as `a , b、c`; a word for "none" gives no names."""
    names = [plain(name) for entry in split_entries(text, lambda line: False) for name in split_list(entry)]
    return [] if len(names) == 1 and absence(names[0]) else names


def parse_key_file(text: str) -> Entry | None:
    """Read `` `path`（模块 a；类别 b；类型 c；符号 d、e）: note ``, where all but the path may be missing; else None.

    What the parenthesis states beside the four facts is kept in front of the note.
    """
    found = take_path(text, any_name=True)
    if not found:
        return None
    path, rest = found
    parenthesis = take_parenthesis(rest.lstrip(" \t"))
    facts, others = _read_facts(parenthesis[0]) if parenthesis else ({}, [])
    rest = parenthesis[1] if parenthesis and facts else rest
    note = _behind_colon(rest)
    if facts and others:
        note = f"({'; '.join(others)}) {note}".strip()
    return {"path": path, **facts, **({"note": note} if note else {})}


def _behind_colon(rest: str) -> str:
    behind = take_colon(rest)
    return rest.strip() if behind is None else behind


def _read_facts(text: str) -> tuple[Entry, list[str]]:
    """Return the facts of a key file by name, and the pieces that state none of them."""
    facts: dict[str, list[str]] = {}
    others: list[str] = []
    last = ""
    for piece in _fact_pieces(text):
        found = _FACT.match(piece) or _EMPTY_FACT.fullmatch(piece)
        name = find_fact(found.group(1)) if found else None
        if found and name and name not in facts:
            facts[name] = [piece[found.end() :].strip()]
            last = name
        elif last == "symbols":
            facts[last].append(piece)
        else:
            others.append(piece)
    stated: Entry = {name: value for name, (value, *_) in facts.items() if value and name != "symbols"}
    symbols = parse_names(", ".join(facts.get("symbols", [])))
    return ({**stated, "symbols": symbols} if symbols else stated), others


def _fact_pieces(text: str) -> Iterator[str]:
    """Yield the pieces between semicolons, and those between commas that begin with a fact's name."""
    for piece in split_list(text, ";；"):
        start = 0
        for comma in outside(piece, COMMAS):
            found = _FACT.match(piece, comma + 1)
            if found and find_fact(found.group(1)):
                yield piece[start:comma].strip()
                start = comma + 1
        yield piece[start:].strip()


def parse_topic(text: str) -> Entry:
    """Read a topic of the review discussion, `title (kind): note`, whose kind and note may be missing."""
    head, _, more = text.partition("\n")
    title, kind, note = _topic_head(_without_bold(head.strip()))
    values = {"title": plain(title), "kind": kind, "note": f"{note}\n{more}"}
    return {name: value.strip() for name, value in values.items() if value.strip()}


def _without_bold(text: str) -> str:
    """Return a text without the emphasis on its beginning: `**Title (kind):** note` is a topic like any other."""
    bold, mark, rest = text.removeprefix("**").partition("**")
    return bold + rest if mark and text.startswith("**") else text


def _topic_head(head: str) -> tuple[str, str, str]:
    found = _KIND.search(head)
    if found:
        return head[: found.start()], found.group(1), head[found.end() :]
    colon = find_colon(head)
    if colon > 0:
        return head[:colon], "", head[colon + 1 :]
    opened = max(head.rfind("("), head.rfind("（"))
    closed = opened > 0 and head.endswith((")", "）"))
    return (head[:opened], head[opened + 1 : -1], "") if closed else (head, "", "")


def names_pull_request(line: str) -> bool:
    """Tell whether a line starts with a pull request, as `PR #5` or `owner/name#5` does."""
    return take_reference(line) is not None


def parse_related(text: str) -> list[Entry]:
    """Read `PR #5 Title: note`, or several pull requests with commas between them; nothing for any other text.

    `title` is None where the report has none or says, in words, that it was not given.
    """
    found = take_reference(text)
    if not found:
        return []
    if found[1].lstrip().startswith(tuple(COMMAS)):
        listed = [take_reference(piece) for piece in split_list(text, COMMAS)]
        whole = [reference for reference, rest in filter(None, listed) if not rest.strip()]
        if len(whole) == len(listed):
            return [_related(reference, None, "") for reference in whole]
    return [_related(found[0], *_title_and_note(found[1]))]


def _related(reference: Reference, title: str | None, note: str) -> Entry:
    return {**reference.as_json(), "title": title, **({"note": note} if note else {})}


def _title_and_note(rest: str) -> tuple[str | None, str]:
    head, _, more = rest.strip().partition("\n")
    title, note = _related_head(head.strip())
    title = plain(title)
    given = title and absence(title) not in ("untitled", "none")
    return (title if given else None), f"{note.strip()}\n{more}".strip()


def _related_head(head: str) -> tuple[str, str]:
    parenthesis = take_parenthesis(head)
    if parenthesis and (not parenthesis[1].strip() or take_colon(parenthesis[1]) is not None):
        return parenthesis[0], take_colon(parenthesis[1]) or ""
    if head.startswith(COLONS):
        return "", head[1:]
    behind_dash = take_colon(head)
    named = head if behind_dash is None else behind_dash
    change = _CHANGE_TYPE.match(named)
    colon = find_colon(named, change.end() if change else 0)
    if colon >= 0:
        return named[:colon], named[colon + 1 :]
    return (named, "") if behind_dash is None else ("", named)


def parse_errors(text: str) -> list[Entry]:
    """Read the errors that a pull request fixes: several in code spans, or one, `TypeError: msg`, as plain text."""
    text = text.strip()
    spans = [take_code_span(piece) for piece in split_list(text)]
    listed = [span[0] for span in spans if span and not span[1].strip()]
    errors = listed if len(listed) == len(spans) and len(spans) > 1 else [plain(text)]
    return [_error(error) for error in errors if error]


def _error(text: str) -> Entry:
    typed = _TYPED_ERROR.fullmatch(text)
    if typed and _TYPE_SHAPE.search(typed.group(1)):
        message = typed.group(2).strip()
        return {"exception_type": typed.group(1), **({"message": message} if message else {})}
    return {"exception_type": text} if _BARE_TYPE.fullmatch(text) else {"message": text}
