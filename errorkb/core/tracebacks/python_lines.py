"""Core: single lines of Python's tracebacks: frames and what stands between them, as each tool prints them."""

import re
from collections.abc import Iterator
from itertools import islice

from errorkb.core.tracebacks.pastes import Frame
from errorkb.core.tracebacks.python_errors import error_behind

MOST_FRAMES = 2_000
_MOST_CODE = 500

_NAME = r"<[\w ]{1,60}>|\*\*\w{1,60}\*\*|[\w.*]{1,300}(?:\(\))?"
_PATH = r"[^\s:\"'()\[\]]"
# Python itself, faulthandler, SyntaxError; anywhere in a line, for line breaks get lost.
_FILE = re.compile(rf'File "(?P<path>[^"\n]{{1,1000}})", line (?P<line>\d{{1,9}})(?:,? in (?P<symbol>{_NAME}))?')
_FILE_START = re.compile(
    r'File "[^"\n]{1,1000}$|File "[^"\n]{1,1000}",(?: l?i?n?e?)?$|File "[^"\n]{1,1000}", line \d{1,9}(?:,|,? in)?$'
)
# The other forms, at the start of a line.
_FORMS = tuple(
    re.compile(form)
    for form in (
        # pytest's short form, rich: `a.py:1: in f`, `a.py:1 in f`
        rf"^(?P<path>{_PATH}{{1,600}}\.pyx?|[A-Za-z]:[\\/][^\s:\"']{{1,600}}\.py):(?P<line>\d{{1,9}}):? in (?P<symbol>{_NAME})",
        # IPython from 8.0, and before
        rf"^(?:File )?(?P<path>[~/.\w][^\s:\"']{{0,600}}\.pyx?|[A-Za-z]:[\\/][^\s:\"']{{1,600}}\.py|<ipython-input-[^>]{{1,80}}>|<string>)(?:\(\d{{1,9}}\)|:(?P<line>\d{{1,9}}))?,? in (?P<symbol>{_NAME})(?:\(|$|\s)",
        # Sentry: `/a/b.py in f` with `at line 1` on this line or the next
        rf"^(?P<path>[\w/.-][^\s:\"']{{0,600}}\.py) in (?P<symbol>{_NAME})(?: at line (?P<line>\d{{1,9}})\b)?",
        # Django's debug page as text: `/a/b.py, line 1, in f`
        rf"^(?P<path>(?:/|[A-Za-z]:[\\/])[^\n,\"']{{1,600}}\.py)(?:, line (?P<line>\d{{1,9}}), in (?P<symbol>{_NAME})| in (?P<symbol2>{_NAME})(?:\s|$))",
        # notebook cells
        rf"^(?P<cell>(?:Cell )?In ?\[\d*\]), line (?P<line>\d{{1,9}})(?:,? in (?P<symbol>{_NAME}))?",
        rf"^(?P<cell>Input In \[\d*\]), in (?P<symbol><cell line: \d{{1,9}}>|{_NAME})",
    )
)
_AT_LINE = re.compile(r"^at line (\d{1,9})\b")
# A path that a box cut at its edge, and what may follow.
_CUT_PATH = re.compile(r"^(?:~?/|[A-Za-z]:[\\/])[^\s:\"']{10,}$")
# pytest's long form: `a.py:1: ValueError`, and `a.py:1: ` for a call on the way.
_PYTEST_PLACE = re.compile(
    rf"^(?P<path>{_PATH}{{1,600}}\.pyx?|[A-Za-z]:[\\/][^\s:\"']{{1,600}}\.py):(?P<line>\d{{1,9}}):(?: (?P<type>[A-Za-z_][\w.]{{0,200}}))?$"
)
# A warning, and pytest's form of one line: `a.py:1: UserWarning: …`
_PLACE_BEFORE = re.compile(
    rf"^(?P<path>{_PATH}{{1,600}}\.pyx?|[A-Za-z]:[\\/][^\s:\"']{{1,600}}\.py|<\w{{1,20}}>):(?P<line>\d{{1,9}}): (?=[A-Za-z_])"
)
_DEF = re.compile(r"^\s*(?:async\s+)?def\s+(\w{1,200})\s*\(")
# A numbered line of code, as rich and IPython print: the arrow marks the one that was run.
_NUMBERED = re.compile(r"^\s*(?P<arrow>❱|-+>)?\s*(?P<line>\d{1,7})(?:\s(?P<code>.*))?$")
_GUIDES = re.compile(r"^(?:\s*│)+\s*")

_ANNOTATION = re.compile(r"^\s*[│└├╰╭]")
_CARETS = re.compile(r"^\s*[\^~]+[\^~ ]*$")
_TRAILING_CARETS = re.compile(r"(?<![\s^~])\s++[\^~]{2,}[\^~ ]*$")
_PROMPT = re.compile(
    r"^\s*(?:\([\w.-]{1,60}\) ?)?(?:\[?[\w.-]{1,60}@[\w.-]{1,80}[ :][^\n$#]{0,200}[$#]|PS [A-Z]:\\[^>\n]{0,200}>|\$)(?: |$)"
)
_RULE = re.compile(r"^\s*(?:([-=_*#~])\1{6,}|(?:_ ){6,})")


def frames_of(text: str, number: int) -> list[Frame]:
    """Return the frames that a line tells of: most lines none, one without line breaks many."""
    if 'File "' in text:
        return list(_file_frames(text, number))
    if ".py" not in text and "In" not in text and "<" not in text:
        return []
    return _other_frames(text.strip(), number)


def line_below(text: str) -> int | None:
    """Return the line number of a frame that is told on the line below its path, as Sentry does."""
    match = _AT_LINE.match(text.strip())
    return int(match[1]) if match else None


def is_cut_frame(text: str, *, in_box: bool) -> bool:
    """Say whether a line is the start of a frame that goes on in the next line."""
    at = text.rfind('File "')
    if at >= 0:
        return bool(_FILE_START.match(text, at))
    if text.endswith("File") and text.strip(" \t>") == "File":
        return True
    return in_box and bool(_CUT_PATH.match(text.strip())) and not frames_of(text, 0)


def rejoined(starts: list[str], second: str) -> str | None:
    """Return a frame that was broken over lines, made of one of several ways to read its start and a further line.

    None is returned where the line does not make it whole.
    """
    for joined in joined_ways(starts, second):
        frames = frames_of(joined, 0)
        if frames and frames[-1].symbol:
            return joined
    return None


def joined_ways(starts: list[str], second: str) -> list[str]:
    """Return the ways to join the start of a frame and a further line: within a path without a blank."""
    ways = []
    for start in starts:
        at = start.rfind('File "')
        is_in_path = '"' not in start[at + 6 :] if at >= 0 else not start.endswith("File")
        glues = ("",) if is_in_path else (" ", "")
        ways += [f"{start.rstrip()}{glue}{second.strip()}" for glue in glues]
    return ways


def pytest_place(text: str, number: int) -> tuple[Frame, str] | None:
    """Return a frame of pytest's long form, and the exception type that ends an error, empty for a call."""
    if ".py" not in text:
        return None
    match = _PYTEST_PLACE.match(text.strip())
    return (Frame(match["path"], int(match["line"]), "", "", number), match["type"] or "") if match else None


def place_before(text: str, number: int) -> Frame | None:
    """Return the place that stands before an error on its line."""
    match = _PLACE_BEFORE.match(text.strip())
    return Frame(match["path"], int(match["line"]), "", "", number) if match else None


def defined(text: str) -> str:
    """Return the name of the function that a line of code defines, or nothing."""
    match = _DEF.match(text) if "def " in text else None
    return match[1] if match else ""


def numbered_code(text: str) -> tuple[int, str, bool] | None:
    """Return number, code, and whether an arrow marks it, of a line of code with its number before it."""
    match = _NUMBERED.match(text)
    if not match:
        return None
    return int(match["line"]), _GUIDES.sub("", match["code"] or "").strip()[:_MOST_CODE], bool(match["arrow"])


def is_annotation(text: str) -> bool:
    """Say whether a line only points at another: carets, or the values that loguru and rich draw below code."""
    return bool(_ANNOTATION.match(text) or (text and _CARETS.match(text)))


def is_rule(text: str) -> bool:
    """Say whether a line is a rule, or a heading between rules."""
    match = _RULE.match(text)
    return bool(match) and (text.rstrip()[-1:] in "-=_*#~")


def is_prompt(text: str) -> bool:
    """Say whether a line is a shell that waits, or was told something."""
    return ("$" in text or "#" in text or ">" in text) and bool(_PROMPT.match(text))


def plain_code(text: str) -> str:
    """Return a line of code without the carets that a lost line break put behind it."""
    return _TRAILING_CARETS.sub("", text.strip())[:_MOST_CODE]


def _file_frames(text: str, number: int) -> Iterator[Frame]:
    matches = list(islice(_FILE.finditer(text), MOST_FRAMES))
    for match, following in zip(matches, [*matches[1:], None], strict=False):
        rest = text[match.end() : following.start() if following else len(text)]
        error = error_behind(rest) if following is None else None
        code = rest[: error.column] if error else rest
        yield Frame(match["path"], int(match["line"]), _symbol(match["symbol"]), plain_code(code.strip(" ,")), number)


def _other_frames(text: str, number: int) -> list[Frame]:
    for form in _FORMS:
        match = form.match(text)
        if match:
            found = match.groupdict()
            symbol = _symbol(found.get("symbol") or found.get("symbol2"))
            line = found.get("line")
            path = "<cell>" if found.get("cell") else found["path"]
            return [Frame(path, int(line) if line else None, symbol, "", number)]
    return []


def _symbol(symbol: str | None) -> str:
    """Return a name as the traceback had it, with the underscores that Markdown took for bold."""
    if not symbol:
        return ""
    if symbol.startswith("**") and symbol.endswith("**"):
        symbol = f"__{symbol.strip('*')}__"
    return "<module>" if symbol.startswith("<cell") else symbol.removesuffix("()")
