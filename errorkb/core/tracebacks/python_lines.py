"""Core: single lines of Python's tracebacks: frames and errors in each form in which tools print them."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from errorkb.core.tracebacks.pastes import Frame

# Errors that are told in one line, and characters of a message on it.
MOST_NAMED = 50
MOST_FRAMES = 2_000
MOST_MESSAGE = 8_000

_NAME = r"<[\w ]{1,60}>|[\w.*]{1,300}(?:\(\))?"
# Python itself, faulthandler, SyntaxError; anywhere in a line, for line breaks get lost.
_FILE = re.compile(rf'File "(?P<path>[^"\n]{{1,1000}})", line (?P<line>\d{{1,9}})(?:,? in (?P<symbol>{_NAME}))?')
# IPython from 8.0, and before; notebook cells.
_IPYTHON = re.compile(
    rf"^(?:File )?(?P<path>[~/.\w][^\s:\"']{{0,600}}\.py|<ipython-input-[^>]{{1,80}}>|<string>):?(?P<line>\d{{1,9}})?,? in (?P<symbol>{_NAME})(?:\(|$|\s)"
)
_CELL = re.compile(rf"^(?:Cell )?In ?(?:put )?(?:In )?\[\d*\], line (?P<line>\d{{1,9}})(?:, in (?P<symbol>{_NAME}))?")
_INPUT = re.compile(rf"^Input In \[\d*\], in (?P<symbol>{_NAME}|<cell line: \d+>)")
# pytest: short (`a.py:1: in f`) and long (`a.py:1: ValueError`); rich and loguru (`a.py:1 in f`).
_PYTEST = re.compile(
    rf"^(?P<path>[^\s:\"'()]{{1,600}}\.pyx?|[A-Za-z]:[\\/][^\s:\"']{{1,600}}\.py):(?P<line>\d{{1,9}}):? in (?P<symbol>{_NAME})"
)
_PYTEST_END = re.compile(
    r"^(?P<path>[^\s:\"'()]{1,600}\.py|[A-Za-z]:[\\/][^\s:\"']{1,600}\.py):(?P<line>\d{1,9}): (?P<type>[A-Za-z_][\w.]{0,200})$"
)
# Sentry: `/a/b.py in f` with `at line 1` on this line or the next.
_SENTRY = re.compile(
    rf"^(?P<path>[\w/.-][^\s:\"']{{0,600}}\.py) in (?P<symbol>{_NAME})(?: at line (?P<line>\d{{1,9}})\b)?"
)
_AT_LINE = re.compile(r"^at line (\d{1,9})\b")
# Django's debug page as text: `/a/b.py, line 1, in f`.
_DJANGO = re.compile(
    rf"^(?P<path>/[^\s,\"']{{1,600}}\.py)(?:, line (?P<line>\d{{1,9}}), in (?P<symbol>{_NAME})| in (?P<symbol2>{_NAME}))"
)

_FORMS = (_PYTEST, _IPYTHON, _SENTRY, _DJANGO)

_TYPE = r"(?:[A-Za-z_]\w{0,100}\.){0,12}[A-Za-z_]\w{0,100}"
_SUFFIX = r"(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Fault|Failure|Failed|NotFound|DoesNotExist|Timeout|Timedout|ReturnedMultipleResults|Denied|Abort|Aborted|Refused|Disconnected|Operation|Group|Invalid|Http404|Skipped|Violation|Unavailable)"
# An error at the start of a line of a traceback: any type will do.
_RAISED = re.compile(rf"^(?P<type>{_TYPE})(?:: ?(?P<message>.*))?$", re.DOTALL)
# An error anywhere else: its type must look like one.
_NAMED = re.compile(
    rf"(?<![\w./'\"`\\-])(?P<type>(?:[A-Za-z_]\w{{0,100}}\.){{0,12}}(?:[A-Z]\w{{0,100}}?)?{_SUFFIX})(?P<by>: |:$|\(|$)|"
    r"(?<![\w./'\"`\\-])(?P<type2>(?:[a-z_]\w{0,100}\.){1,12}(?:[A-Z]\w{0,100}|error|timeout))(?P<by2>: |:$)"
)
_QUOTED_NAME = re.compile(
    rf"[`'\"(\[「『](?P<type>(?:[A-Za-z_]\w{{0,100}}\.){{0,12}}(?:[A-Z]\w{{0,100}}?)?{_SUFFIX}): "
)
_SOME_TYPE = re.compile(rf"[A-Za-z]{_SUFFIX}\b|\w\.(?:[A-Z]\w*|error|timeout): |Exception\b|Http404|^Error: ")
_CLOSING = {"`": "`", "'": "'", '"': '"', "(": ")", "[": "]", "「": "」", "『": "』"}
_QUOTING = "`'\"「『"

_ANNOTATION = re.compile(r"^\s*[│└├╰]")
_CARETS = re.compile(r"^\s*[\^~]+[\^~ ]*$")


class Error(NamedTuple):
    """An exception on a line: its type, the message that follows, where in the line it starts."""

    type: str
    message: str
    column: int


def frames_of(text: str, number: int) -> list[Frame]:
    """Return the frames that a line tells of: most lines none, one without line breaks many."""
    if 'File "' in text:
        return list(_file_frames(text, number))
    if ".py" not in text and "In" not in text and "<ipython" not in text:
        return []
    return _other_frames(text.strip(), number)


def line_below(text: str) -> int | None:
    """Return the line number of a frame that is told on the line below its path, as Sentry does."""
    match = _AT_LINE.match(text.strip())
    return int(match[1]) if match else None


def pytest_end(text: str, number: int) -> tuple[Frame, str] | None:
    """Return the frame and exception type that end an error of pytest's long form."""
    match = _PYTEST_END.match(text.strip())
    return (Frame(match["path"], int(match["line"]), "", "", number), match["type"]) if match else None


def raised_error(text: str) -> Error | None:
    """Return the error that a line of a traceback is, where its frames have ended."""
    stripped = text.strip()
    match = _RAISED.match(stripped)
    if match is None or not _is_type(match["type"], is_bare=match["message"] is None):
        return None
    return Error(match["type"], (match["message"] or "")[:MOST_MESSAGE], len(text) - len(text.lstrip()))


def named_errors(text: str) -> Iterator[Error]:
    """Yield the errors that stand anywhere in a line: `ValueError: …`, `a.b.Error('…')`, quoted ones up to their end."""
    if not _SOME_TYPE.search(text):
        return
    behind = 0
    for match in islice(_NAMED.finditer(text), MOST_NAMED):
        if match.start() < behind:
            continue
        name, by = match["type"] or match["type2"], match["by"] or match["by2"] or ""
        if by == "(":
            error = _from_repr(text, match, name)
            if error is None:
                continue
        else:
            error = Error(name, text[match.end() : match.end() + MOST_MESSAGE], match.start())
        behind = match.end()
        yield error
    for match in islice(_QUOTED_NAME.finditer(text), MOST_NAMED):
        if match.start("type") >= behind:
            behind = match.end()
            yield Error(match["type"], _until_quote(text, match.end(), text[match.start()]), match.start("type"))


def is_annotation(text: str) -> bool:
    """Say whether a line only points at another: carets, or the values that loguru draws below code."""
    return bool(_ANNOTATION.match(text) or (text and _CARETS.match(text)))


def _file_frames(text: str, number: int) -> Iterator[Frame]:
    matches = list(islice(_FILE.finditer(text), MOST_FRAMES))
    for match, following in zip(matches, [*matches[1:], None], strict=False):
        rest = text[match.end() : following.start() if following else len(text)].strip()
        code = "" if following is None and named_any(rest) else rest
        yield Frame(match["path"], int(match["line"]), _symbol(match["symbol"]), code[:500], number)


def named_any(text: str) -> bool:
    """Say whether an error is named in a text."""
    return next(named_errors(text), None) is not None


def _other_frames(text: str, number: int) -> list[Frame]:
    for form in _FORMS:
        match = form.match(text)
        if match:
            found = match.groupdict()
            symbol = found.get("symbol") or found.get("symbol2")
            return [Frame(found["path"], int(found["line"]) if found["line"] else None, _symbol(symbol), "", number)]
    match = _CELL.match(text)
    if match:
        return [Frame("<cell>", int(match["line"]), _symbol(match["symbol"]), "", number)]
    match = _INPUT.match(text)
    return [Frame("<cell>", None, _symbol(match["symbol"]), "", number)] if match else []


def _symbol(symbol: str | None) -> str:
    if not symbol:
        return ""
    return "<module>" if symbol.startswith("<cell") else symbol.removesuffix("()")


def _is_type(name: str, *, is_bare: bool) -> bool:
    """Say whether a name at the start of a line can be that of an exception."""
    last = name.rpartition(".")[2]
    if last[:1].isupper():
        return not is_bare or len(last) > 2
    return "." in name and not is_bare


def _from_repr(text: str, match: "re.Match[str]", name: str) -> Error | None:
    """Return an error from its `repr`: the message is its first argument, if that is a text."""
    start = match.end()
    quote = text[start : start + 1]
    if quote not in ("'", '"') or (match.start() and text[match.start() - 1].isalnum()):
        return None
    if text[: match.start()].rstrip().endswith("raise"):
        return None
    end = _quote_end(text, start + 1, quote)
    return Error(name, text[start + 1 : end], match.start())


def _quote_end(text: str, start: int, quote: str) -> int:
    position, stop = start, start + MOST_MESSAGE
    while True:
        found = text.find(quote, position, stop)
        if found < 0:
            return min(len(text), stop)
        if text[found - 1] != "\\":
            return found
        position = found + 1


def _until_quote(text: str, start: int, opening: str) -> str:
    """Return the text up to where a quote ends: a closing sign that no letter follows."""
    closing = _CLOSING[opening]
    position, stop = start, start + MOST_MESSAGE
    while (found := text.find(closing, position, stop)) >= 0:
        if closing not in _QUOTING or not text[found + 1 : found + 2].isalnum():
            return text[start:found]
        position = found + 1
    return text[start:stop]
