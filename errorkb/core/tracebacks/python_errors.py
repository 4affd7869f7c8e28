"""Core: Python's exceptions where they are named: at the end of a traceback, in a log line, quoted in prose."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

# Errors that are told in one line, and characters of a message on it.
MOST_NAMED = 50
MOST_MESSAGE = 8_000

_TYPE = r"(?:[A-Za-z_]\w{0,100}\.){0,12}[A-Za-z_]\w{0,100}"
_SUFFIX = r"(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Fault|Failure|Failed|NotFound|DoesNotExist|Timeout|Timedout|ReturnedMultipleResults|Denied|Abort|Aborted|Refused|Disconnected|Operation|Group|Invalid|Http404|Skipped|Violation|Unavailable)"
_SOME = rf"(?:[A-Za-z_]\w{{0,100}}\.){{0,12}}(?:[A-Z]\w{{0,100}}?)?{_SUFFIX}"
_COLON = r": ?(?=[\u3000-\u9fff\uff00-\uffef])|: |：|:$"
# An error at the start of a line of a traceback: any type will do.
_RAISED = re.compile(rf"^(?P<type>{_TYPE})(?:(?:: ?|：)(?P<message>.*))?$", re.DOTALL)
# An error anywhere else: its type must look like one.
_NAMED = re.compile(
    rf"(?<![\w./'\"`\\「『【《(\[-])(?P<type>{_SOME})(?P<by>{_COLON}|\(|$)|"
    rf"(?<![\w./'\"`\\「『【《(\[-])(?P<type2>(?:[a-z_]\w{{0,100}}\.){{1,12}}(?:[A-Z]\w{{0,100}}|error|timeout))(?P<by2>: |:$)"
)
# A type that no suffix gives away, but its module does.
_QUALIFIED = r"(?:[a-z_]\w{0,100}\.){1,12}[A-Z]\w{0,100}"
_QUOTED_NAME = re.compile(rf"(?P<quote>[`'\"(\[「『【《])(?P<type>{_SOME}|{_QUALIFIED})(?:: |：)")
_QUOTED_REPR = re.compile(rf"[`'\"(\[「『【《](?P<type>{_SOME})\((?=['\"])")
_SOME_TYPE = re.compile(rf"[A-Za-z]{_SUFFIX}\b|\w\.(?:[A-Z]\w*|error|timeout): |Exception\b|Http404")
_TYPE_ALONE = re.compile(
    r"(?<![\w./-])(?:[A-Za-z_]\w{0,100}\.){0,12}[A-Z]\w{0,100}?(?:Error|Exception|Warning)(?![\w(])"
)
# Words that tools write at the start of a line where an error could stand.
_NO_TYPES = frozenset(("File", "Traceback", "Cell", "Input", "Note", "During", "Local"))
_CLOSING = {"`": "`", "'": "'", '"': '"', "(": ")", "[": "]", "「": "」", "『": "』", "【": "】", "《": "》"}
_ASCII_WORD = re.compile(r"[A-Za-z0-9]")
_PLAIN_QUOTES = "`'\""
# Words of prose around an error that somebody quotes.
_TELLS_OF_ERROR = re.compile(
    r"rror|xception|ail(?:s|ed|ing|ure)|rais|crash|traceback|warning|message|报|错|异常|失败|提示|抛出|警告", re.I
)
_QUOTE = re.compile(
    r"(?:(?<![A-Za-z0-9_=\[{,])(?<![A-Za-z0-9_]\()|(?<=message=)|(?<=msg=)|(?<=error=)|(?<=reason=)|(?<=detail=))(?P<quote>[`'\"「『【])(?=\S)"
)
# What stands before a name in code, and what before the `repr` of an error.
_CODE_BEFORE = ("raise", "=", "except", "return", ",", "(")
_VALUE_BEFORE = ("exception=", "error=", "exc=", "err=")
_CODE = re.compile(
    r"[{\[<$/(-]|[\w.]{1,200}(?:[(=\[]| = )|(?:from|import|with|def|class|pip|python3?|git|docker|npm|sudo|cd|export) "
)
_LEAST_QUOTED, _MOST_QUOTED = 12, 600


class Error(NamedTuple):
    """An exception on a line: its type, the message that follows, where in the line it starts."""

    type: str
    message: str
    column: int


def raised_error(text: str) -> Error | None:
    """Return the error that a line of a traceback is, where its frames have ended."""
    match = _RAISED.match(text.strip())
    if match is None or not _is_type(match["type"], is_bare=match["message"] is None):
        return None
    return Error(match["type"], (match["message"] or "")[:MOST_MESSAGE], len(text) - len(text.lstrip()))


def named_errors(text: str) -> Iterator[Error]:
    """Yield the errors that stand anywhere in a line: `KeyError: …`, `a.b.Error('…')`, quoted ones up to their end."""
    if not _SOME_TYPE.search(text):
        return
    behind = 0
    for match in islice(_NAMED.finditer(text), MOST_NAMED):
        error = _named(text, match) if match.start() >= behind else None
        if error:
            behind = match.end()
            yield error
    for match in islice(_QUOTED_NAME.finditer(text), MOST_NAMED):
        if match.start("type") >= behind:
            behind = match.end()
            yield Error(match["type"], _until_quote(text, match.end(), match["quote"]), match.start("type"))
    for match in islice(_QUOTED_REPR.finditer(text), MOST_NAMED):
        if match.start("type") >= behind:
            behind = match.end()
            yield _from_repr(text, match.start("type"), match.end(), match["type"])


def names_error(text: str) -> bool:
    """Say whether an error is named in a text."""
    return next(named_errors(text), None) is not None


def error_behind(text: str) -> Error | None:
    """Return the error that ends a traceback without line breaks, from what follows its last frame."""
    errors = list(named_errors(text))
    told = [error for error in errors if error.message and not text[: error.column].endswith(("raise ", '"', "'"))]
    return next(iter(told or errors), None)


def quoted_error(text: str) -> Error | None:
    """Return what a sentence quotes as an error: its text, and the type if one is named beside it.

    >>> quoted_error('Error type: ValueError. Text: "Tokens not accepted: 1".')
    Error(type='ValueError', message='Tokens not accepted: 1', column=31)
    """
    if not _TELLS_OF_ERROR.search(text):
        return None
    for match in islice(_QUOTE.finditer(text), MOST_NAMED):
        message = _until_quote(text, match.end(), match["quote"])[:_MOST_QUOTED]
        closed = text[match.end() + len(message) : match.end() + len(message) + 1] == _CLOSING[match["quote"]]
        if closed and len(message) >= _LEAST_QUOTED and _is_sentence(message):
            name = _TYPE_ALONE.search(text)
            return Error(name.group() if name else "", message, match.end())
    return None


def _is_sentence(text: str) -> bool:
    """Say whether a quoted text is one in words, not code, a path or a command."""
    return (" " in text.strip() or not text.isascii()) and not _CODE.match(text)


def _is_type(name: str, *, is_bare: bool) -> bool:
    """Say whether a name at the start of a line can be that of an exception."""
    last = name.rpartition(".")[2]
    if name in _NO_TYPES:
        return False
    if last[:1].isupper():
        return not is_bare or len(last) > 2
    return "." in name and not is_bare


def _named(text: str, match: "re.Match[str]") -> Error | None:
    name, by = match["type"] or match["type2"], match["by"] or match["by2"] or ""
    before = text[max(0, match.start() - 40) : match.start()].rstrip()
    if by != "(":
        is_handler = before.endswith("except")
        return None if is_handler else Error(name, text[match.end() : match.end() + MOST_MESSAGE], match.start())
    if before.endswith(_CODE_BEFORE) and not before.endswith(_VALUE_BEFORE):
        return None
    if text[match.end() : match.end() + 1] in ("'", '"'):
        return _from_repr(text, match.start(), match.end(), name)
    return _with_arguments(text, match, name, is_told=before.endswith(":"))


def _with_arguments(text: str, match: "re.Match[str]", name: str, *, is_told: bool) -> Error | None:
    """Return an error that is told as `Name(key=value): message`, or as `raised: Name(17)`."""
    end = text.find(")", match.end(), match.end() + 300)
    if end >= 0 and text[end + 1 : end + 3] == ": ":
        return Error(name, text[end + 3 : end + 3 + MOST_MESSAGE], match.start())
    if is_told and end == len(text) - 1:
        return Error(name, text[match.end() : end], match.start())
    return None


def _from_repr(text: str, start: int, opened: int, name: str) -> Error:
    """Return an error from its `repr`: the message is its first argument."""
    end = _quote_end(text, opened + 1, text[opened])
    message = text[opened + 1 : end]
    return Error(name, message.replace("\\n", "\n").replace("\\'", "'").replace('\\"', '"'), start)


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
    """Return the text up to where a quote ends: a closing sign that no letter follows, or the bracket's own."""
    closing = _CLOSING[opening]
    position, stop, depth = start, start + MOST_MESSAGE, 0
    while (found := text.find(closing, position, stop)) >= 0:
        if closing in _PLAIN_QUOTES:
            is_end = not _ASCII_WORD.match(text, found + 1)
        else:
            depth += text.count(opening, position, found)
            is_end, depth = depth == 0, depth - 1
        if is_end:
            return text[start:found]
        position = found + 1
    return text[start:stop]
