"""Core: Python's errors outside of tracebacks: named in a log line, quoted in a sentence, or only loud."""

import re
from typing import NamedTuple

from errorkb.core.tracebacks.pastes import PasteLine
from errorkb.core.tracebacks.python_errors import Error, named_errors, quoted_error

_LOUD = frozenset(
    (
        "WARN",
        "WARNING",
        "ERROR",
        "ERR",
        "CRITICAL",
        "FATAL",
        "SEVERE",
        "EXCEPTION",
        "PANIC",
        "E",
        "W",
        "C",
        "F",
        "错误",
        "警告",
    )
)
# What pytest and unittest write before an error, or instead of one.
_FAILED = re.compile(r"^(?:FAILED|ERROR) \S+(?:::\S+)*(?: - |$)")
_UNITTEST = re.compile(r"^(?:test\w{0,200} \([\w.]{1,400}\)|test_\S{0,400}::\S{1,400}$)")
# What programs write that name no type: `Error: …`, `prog: error: …`.
_PLAIN = re.compile(
    r"^(?:[\w./-]{1,80}: )?(?:[Ee]rror|ERROR|[Ff]atal(?: error)?|错误|异常|报错)"
    r"(?:: |：|:(?=[^\x00-\x7f]))(?P<message>\S.*)$"
)
# The column at the right in which rich names the line that logged.
_RICH_COLUMN = re.compile(r"(?<!\s)\s{2,}[\w.-]{1,80}\.py:\d{1,7}$")
# What structlog writes behind an event, in columns.
_PAIRS_BEHIND = re.compile(r"(?<!\s)\s{3,}[A-Za-z_]\w{0,60}=\S.*$")


class Mentions(NamedTuple):
    """The errors that a line names: the shape in which it does, and whether the last message may go on below."""

    shape: str
    errors: list[Error]
    is_open: bool = False


def mentions_of(line: PasteLine, *, is_short: bool) -> Mentions:
    """Return the errors that a line outside of any traceback tells of, in order.

    A line that is loud or says `error: …` is an error without a type. `is_short` allows to look for what sentences
    quote.
    """
    text = _FAILED.sub("", line.text)
    errors = list(named_errors(text))
    if errors:
        return Mentions("line", errors, text.endswith(errors[-1].message))
    if line.prefix.level.upper() in _LOUD:
        text = _PAIRS_BEHIND.sub("", _RICH_COLUMN.sub("", text)).strip()
        is_error = bool(text) and not _UNITTEST.match(text)
        return Mentions("line", [Error("", text, 0)] if is_error else [], is_error)
    plain = _PLAIN.match(text)
    if plain:
        return Mentions("line", [Error("", plain["message"], plain.start("message"))], True)
    quoted = quoted_error(text) if is_short else None
    return Mentions("quoted", [quoted] if quoted else [])
