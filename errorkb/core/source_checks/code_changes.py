"""Core: how the code around a throw site has changed between two releases, moves and blank lines aside."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from errorkb.core.rendering import unfold_code
from errorkb.core.source_checks.snippets import ELISIONS

# So many lines on either side of a throw are compared, and so many unchanged ones are shown beside a change.
MOST_LINES = 80
SHOWN_NEIGHBOURS = 3

Change = Literal["same", "removed", "added"]


@dataclass(frozen=True)
class CodeAround:
    """Lines around a throw site as one string, the number of the first, and that of the throwing one."""

    start_line: int
    code: str
    line: int


@dataclass(frozen=True)
class ChangedLine:
    """A line of the difference: what became of it, and its number, where it was removed in the old file."""

    change: Change
    line: int
    text: str


@dataclass(frozen=True)
class _Line:
    """A line, and what it is compared by: its text, and its indentation as against the throwing line's."""

    number: int
    text: str
    key: tuple[int, str]


def code_changes(old: CodeAround, new: CodeAround) -> tuple[ChangedLine, ...]:
    """Return what differs around a throw site, with some lines beside it; nothing where the code is the same.

    Only what both texts show is compared: the lines that both have before the throw, and from it on. That the site
    has moved, or was indented as a whole, is no change; nor are blank lines and white space at the ends of lines. A
    text that does not hold its throwing line says nothing.
    """
    before, since = _parts(old), _parts(new)
    if before is None or since is None:
        return ()
    heads = _aligned(before[0][::-1], since[0][::-1])[::-1]
    lines = [*_removed_first(heads), *_aligned(_without_cut_end(before[1], since[1]), since[1])]
    return tuple(_shown(lines))


def _parts(around: CodeAround) -> tuple[list[_Line], list[_Line]] | None:
    """Return the lines before the throwing one, and those from it on; None where it is not among them."""
    texts = unfold_code(around.code).replace("\r\n", "\n").split("\n")
    at = around.line - around.start_line
    if not (0 <= at < len(texts) and texts[at].strip()):
        return None
    base = _indentation(texts[at])
    head = _lines(texts[max(0, at - MOST_LINES) : at], around.line - min(at, MOST_LINES), base)
    return head, _lines(texts[at : at + MOST_LINES], around.line, base)


def _lines(texts: Sequence[str], first: int, base: int) -> list[_Line]:
    lines = ((number, text.rstrip()) for number, text in enumerate(texts, first) if text.strip())
    return [_Line(number, text, (_indentation(text) - base, text.strip())) for number, text in lines]


def _indentation(text: str) -> int:
    spaces = text[: len(text) - len(text.lstrip())]
    return len(spaces.expandtabs(8))


def _aligned(old: Sequence[_Line], new: Sequence[_Line]) -> list[ChangedLine]:
    """Return all lines that both show, from the throw outwards: what only one shows at the far end says nothing."""
    old = _before_elision(old, new)
    lines: list[ChangedLine] = []
    matcher = SequenceMatcher(None, [line.key for line in old], [line.key for line in new], autojunk=False)
    for kind, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if kind == "equal":
            lines += [ChangedLine("same", line.number, line.text) for line in new[new_from:new_to]]
            continue
        removed, added = old[old_from:old_to], new[new_from:new_to]
        if old_to == len(old) and new_to == len(new):
            removed, added = _known_ends(removed, added)
        lines += [ChangedLine("removed", line.number, line.text) for line in removed]
        lines += [ChangedLine("added", line.number, line.text) for line in added]
    return lines


def _known_ends(removed: Sequence[_Line], added: Sequence[_Line]) -> tuple[Sequence[_Line], Sequence[_Line]]:
    """Return what is surely gone or new of that with which both end: the longer may go on in the other's file."""
    if len(removed) > len(added):
        return (), added
    return (removed, ()) if len(removed) < len(added) else (removed, added)


def _before_elision(old: Sequence[_Line], new: Sequence[_Line]) -> Sequence[_Line]:
    """Return the lines before the first that stands for lines left out."""
    known = {line.key[1] for line in new}
    cut = (n for n, line in enumerate(old) if line.key[1] in ELISIONS and line.key[1] not in known)
    return old[: next(cut, len(old))]


def _without_cut_end(old: list[_Line], new: Sequence[_Line]) -> list[_Line]:
    """Leave out a last line that was cut amid: one that only begins a line of the new text."""
    if len(old) < 2 or any(line.key == old[-1].key for line in new):
        return old
    indentation, text = old[-1].key
    is_cut = any(line.key[0] == indentation and line.key[1].startswith(text) for line in new)
    return old[:-1] if is_cut else old


def _removed_first(lines: Sequence[ChangedLine]) -> Iterator[ChangedLine]:
    """Yield lines that were aligned backwards, in each change the removed ones before the added ones."""
    added: list[ChangedLine] = []
    for line in lines:
        if line.change == "added":
            added.append(line)
            continue
        if line.change == "same":
            yield from added
            added.clear()
        yield line
    yield from added


def _shown(lines: Sequence[ChangedLine]) -> Iterator[ChangedLine]:
    """Yield what changed and its neighbours."""
    changed = [n for n, line in enumerate(lines) if line.change != "same"]
    near = {n + step for n in changed for step in range(-SHOWN_NEIGHBOURS, SHOWN_NEIGHBOURS + 1)}
    return (line for n, line in enumerate(lines) if n in near)
