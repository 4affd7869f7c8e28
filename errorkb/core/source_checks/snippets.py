"""Core: snippets: cutting one out of a file, and comparing one with the file that it was cut out of."""

from dataclasses import dataclass

from errorkb.core.documents import Snippet

NEIGHBOURS = 12
_NARROWER = (NEIGHBOURS, 3, 0)
_MAX_STATEMENT_LINES = 60
_MAX_CHARACTERS = 16_000
_SHOWN = 80
ELISIONS = ("...", "…", "# ...", "# …", "// ...", "// …")


@dataclass(frozen=True)
class CutSnippet:
    """Lines of a file as one string, and the number of the first."""

    start_line: int
    code: str


def cut_snippet(lines: tuple[str, ...], *, first: int, last: int) -> CutSnippet | None:
    """Cut out the lines `first` to `last` of a statement (from 1) with twelve neighbours on either side.

    A long statement is cut at its sixtieth line; where lines are very long, fewer neighbours are taken; None where
    the statement alone is too long to show.
    """
    last = min(last, first + _MAX_STATEMENT_LINES - 1)
    for neighbours in _NARROWER:
        start = max(1, first - neighbours)
        part = lines[start - 1 : last + neighbours]
        if sum(map(len, part)) <= _MAX_CHARACTERS:
            return CutSnippet(start, "\n".join(part))
    return None


def shown_line(line: str) -> str:
    """Return a line of source for a sentence: in backquotes, without indentation, cut at eighty characters."""
    text = line[: _SHOWN * 4].strip()
    return f"`{text}`" if len(text) <= _SHOWN else f"`{text[: _SHOWN - 1]}…`"


def check_snippet(snippet: Snippet, lines: tuple[str, ...]) -> str:
    """Say where a snippet first differs from its file, white space aside; empty where it agrees.

    The last line may be cut. Code that arrives on one line with literal `\\n` is read as several lines.
    """
    if _agrees_escaped(snippet, lines):
        return ""
    given = _lines_of(snippet.code)
    differing = _differing(given, snippet.start_line, lines)
    if not differing:
        return ""
    elsewhere = _place_of(given, lines)
    if elsewhere:
        return f"the snippet starts at line {elsewhere} in the source, not at line {snippet.start_line}"
    number = differing[0]
    more = f"; {len(differing) - 1} more of its lines differ" if len(differing) > 1 else ""
    read = shown_line(given[number - snippet.start_line])
    if number > len(lines):
        return f"the snippet's line {number} reads {read}, the source ends at line {len(lines)}"
    return f"the snippet's line {number} reads {read}, the source {shown_line(lines[number - 1])}{more}"


def _lines_of(code: str) -> list[str]:
    text = code.replace("\r\n", "\n")
    if "\n" not in text.strip("\n"):
        text = text.replace("\\n", "\n").replace("\\t", "\t")
    return text.removesuffix("\n").split("\n")


def _agrees_escaped(snippet: Snippet, lines: tuple[str, ...]) -> bool:
    """Tell whether code with literal `\\n` and `\\t` is the start of the source written in that way."""
    source = "\n".join(lines[snippet.start_line - 1 :][: snippet.code.count("\\n") + 1])
    escaped = source.replace("\n", "\\n").replace("\t", "\\t")
    return escaped.startswith(snippet.code.rstrip())


def _differing(given: list[str], start: int, lines: tuple[str, ...]) -> list[int]:
    """Return the numbers of the lines that differ, up to where the snippet leaves lines out."""
    found = []
    for number, text in enumerate(given, start):
        source = lines[number - 1] if number <= len(lines) else ""
        is_last = number == start + len(given) - 1
        if _agrees(text, source, is_last=is_last):
            continue
        if text.strip() in ELISIONS:
            break
        found.append(number)
    return found


def _agrees(text: str, source: str, *, is_last: bool) -> bool:
    one, other = _plain(text), _plain(source)
    return one == other or (is_last and other.startswith(one))


def _plain(line: str) -> str:
    return " ".join(line.split())


def _place_of(given: list[str], lines: tuple[str, ...]) -> int:
    """Return the line where all of the snippet stands, the first if it stands at several; 0 if nowhere."""
    if sum(1 for line in given if line.strip()) < 2:
        return 0
    source = "\n" + "\n".join(map(_plain, lines))
    found = source.find("\n" + "\n".join(map(_plain, given)))
    return source.count("\n", 0, found + 1) if found >= 0 else 0
