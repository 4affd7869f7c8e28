"""Core: what loggers, containers, shells and people put before a line, taken off piece by piece.

A table of pieces, tried in turn at the start of what is left. One blank behind a piece belongs to it, so that the
indentation of a traceback survives.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from errorkb.core.digits import fold_digits

# So many pieces stand before one line at most, and so far into it one is looked for.
MOST_PIECES = 9
MOST_PREFIX = 400

_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|SEVERE|EXCEPTION|PANIC)"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d++)?)?(?:Z|[+-]\d\d:?\d\d)?"
_DATE = r"(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/]\d\d?(?:[-/]\d{2,4})?|\d\d?[ /-][A-Z][a-z]{2}[ /-]\d{4})"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_LEVEL_GROUP = "(?P<level>"
_WEEKDAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"


class Prefix(NamedTuple):
    """What stood before a line: where the line begins, its level, the stream it came by, whether a record starts.

    `shape` names the kinds of pieces, for lines of one record to be told from those of another.
    """

    end: int = 0
    level: str = ""
    stream: str = ""
    is_record: bool = False
    shape: str = ""


NO_PREFIX = Prefix()


class _Piece(NamedTuple):
    """One kind of piece: its letter in a shape; what it opens with (`*`: anything); what it needs, makes, names."""

    letter: str
    opens: str
    pattern: str
    needs_record: bool = False
    is_record: bool = False
    is_stream: bool = False

    @property
    def has_level(self) -> bool:
        return _LEVEL_GROUP in self.pattern


_PIECES = (
    _Piece("q", ">", r"(?:>[ ]?)++(?=[^>]|$)"),
    _Piece("t", "[", rf"\[{_DATE}[ T]{_CLOCK}: (?P<level>{_LEVEL})/[\w-]{{1,60}}\][ ]?", is_record=True),
    _Piece("y", "<", rf"<\d{{1,3}}>1[ ]{_DATE}T{_CLOCK}[ ][\w.-]{{1,80}}[ ][\w./-]{{1,80}}[ ][\w-]{{1,40}}[ ][\w-]{{1,40}}[ ](?:-[ ]?|(?=\[))", is_record=True),
    _Piece("y", "<", r"<\d{1,3}>(?=[A-Z])"),
    _Piece("v", "*", rf"[^\t\n]{{1,120}}+\t[^\t\n]{{1,120}}+\t(?={_DATE}T)"),
    _Piece("t", "[", rf"\[(?P<level>[IWEC])[ ](?:{_DATE}[ ])?{_CLOCK}[ ][\w.]{{1,60}}\][ ]?", is_record=True),
    _Piece("z", "0", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}(?:Z|\+00:00)[ ]", is_record=True),
    _Piece("t", "[0A", rf"\[?(?:{_WEEKDAY},?[ ])?{_DATE}[T _,-]{{1,2}}{_CLOCK}[Z]?(?:[ ][AP]M\b)?(?:[ ][+-]\d{{4}}(?=\]))?\]?[ :,]?", is_record=True),
    _Piece("t", "[A", rf"\[?(?:{_WEEKDAY}[ ])?{_MONTH}[ ]{{1,2}}\d\d?(?:[ ]\d{{4}})?[ ]{_CLOCK}(?:[ ]\d{{4}})?\]?[ ]?", is_record=True),
    _Piece("t", "[0", rf"\[{_CLOCK}\][ ]?|{_CLOCK}[ ](?=\S|\s)", is_record=True),
    _Piece("t", "[", r"\[[ ]{0,6}\d{1,9}\.\d{6}\][ ]", is_record=True),
    _Piece("g", "[A", r"\[?(?P<level>[IWEF])\d{4}[ ]\d\d:\d\d:\d\d\.\d{6}[ ]+(?:\d+[ ])?[\w.-]+:\d+\][ ]?", is_record=True),
    _Piece("k", "A", r"std(?:out|err)[ ][FP][ ]", is_stream=True),
    _Piece("l", "A", rf"(?P<level>{_LEVEL}):[A-Za-z_][\w.-]{{0,80}}:(?=\S)", is_record=True),
    _Piece("l", "[", rf"\[(?P<level>{_LEVEL}|debug|info|warn|warning|error|critical|fatal|exception|错误|警告)[ ]{{0,8}}\](?:[ ]?[:|])?[ ]?", is_record=True),
    _Piece("l", "[(<A", rf"[\[(<]?(?P<level>{_LEVEL})[\])>]?(?:[ ]?:|[ ]{{0,10}}\||(?=[ \]\t-])|(?<=[\])>]))(?:[ ]{{0,10}}(?=[\[(])|[ ]?)", is_record=True),
    _Piece("l", "#", r"##\[(?P<level>error|warning)\]", is_record=True),
    _Piece("d", "A", r"[A-Za-z][\w./-]{0,80}[ ]{0,40}\|(?:[ ]|$)", is_stream=True),
    _Piece("p", "(", r"\((?=[^()\n]{0,80}\b(?:pid|rank|ip)=)[^()\n]{1,120}\)[ ]?", is_stream=True),
    _Piece("r", "[", r"\[(?:pod|container)/[^\]\n]{1,160}\][ ]?", is_stream=True),
    _Piece("r", "[", r"\[\d{1,6},\d{1,6}\](?:<std(?:out|err|diag)>)?:[ ]?", is_stream=True),
    _Piece("r", "[", r"(?:\[(?:(?:TP|DP|PP|EP|CP|rank|Rank|worker|Worker|GPU|Gloo)[ :_=-]?\d+[ ,]?)+\]:?[ ]?)", is_stream=True),
    _Piece("a", "=", r"==[ ]?[A-Z]{2,20}[ ]?==[ ]?", is_stream=True),
    _Piece("h", "A0", r"[\w.-]{1,80}[ ](?=[\w./-]{1,80}\[[\w.]{1,20}\]:)", needs_record=True, is_stream=True),
    _Piece("s", "A0", r"[\w./-]{1,80}\[[\w.]{1,20}\]:[ ]?", needs_record=True, is_stream=True),
    _Piece("c", "[", r"\[[\w./-]{1,80}\.\w{1,4}:\d+\][ ]?", needs_record=True),
    _Piece("b", "[", r"\[[^\[\]\n]{1,120}\](?::|[ ]|$)[ ]?", needs_record=True),
    _Piece("n", "(", r"\([A-Z][\w -]{1,60}\)[ ]?", needs_record=True),
    _Piece("w", "A", r"(?![\w.-]{0,120}\b[A-Z]\w{0,80}: |[\w.]{1,120}\.(?:error|timeout): )(?:[a-z_][\w-]{0,60}(?:\.[\w-]{1,60}){0,12}(?::[\w<>]{1,60})?(?::\d+)?)(?::[ ]|[ ]?-[ ]|[ ]?\|[ ])", needs_record=True),
    _Piece("w", "A", r"[A-Za-z_][\w.-]{1,80}[ ]\d{1,7}[ ](?=[A-Z])", needs_record=True),
    _Piece("w", " -|:", r"[ ]?[-|:][ ]", needs_record=True),
    _Piece("j", "0", r"\d\d[OE][ +]", needs_record=True),
    _Piece("i", "0", r"\d{1,7}[ ](?=\[|[A-Z]{4})", needs_record=True),
)  # fmt: skip


class _Choice(NamedTuple):
    """Pieces that may open with a sign, as one expression: the first that fits.

    `pieces` are by the names of its groups, each with the name of the group that is its level, if it has one.
    """

    pattern: "re.Pattern[str]"
    pieces: dict[str, tuple[_Piece, str]]


def _choice(pieces: Iterable[_Piece]) -> _Choice:
    named = {f"p{n}": piece for n, piece in enumerate(pieces)}
    each = (f"(?P<{name}>{piece.pattern.replace(_LEVEL_GROUP, f'(?P<{name}level>')})" for name, piece in named.items())
    levels = {name: f"{name}level" if piece.has_level else "" for name, piece in named.items()}
    return _Choice(re.compile("|".join(each)), {name: (piece, levels[name]) for name, piece in named.items()})


def _choices(*, in_record: bool) -> dict[str, _Choice]:
    """Return the choices by what a text opens with: a sign, `A` for a letter, `0` for a digit."""
    usable = [piece for piece in _PIECES if in_record or not piece.needs_record]
    opening = {sign: [one for one in usable if sign in one.opens or one.opens == "*"] for sign in "[(<>=A0 -|:#"}
    return {sign: _choice(pieces) for sign, pieces in opening.items()}


_CHOICES, _CHOICES_IN_RECORD = _choices(in_record=False), _choices(in_record=True)
# Shapes of prefixes that something else than the program adds, to each line and not to each record.
_ADDED = re.compile(r"[qdkrv]*(?:z|y?t?[hs]+|y)[kdjhsr]*$")
# Streams that are told by a bracket with a time in it: `[2025-09-18 17:03:40 DP3 TP28]`.
_TIMED_RANK = re.compile(rf"\[{_DATE}[ T]{_CLOCK}((?:[ ][A-Z]{{2,4}}\d+)+)\][ ]?")
_MAY_START = re.compile(
    rf"[\[(<>=#\d]|(?:{_LEVEL}|{_WEEKDAY}|{_MONTH})\b|[A-Za-z][\w./-]{{0,80}}[ ]{{0,40}}\||std(?:out|err)[ ]|[IWEF]\d{{4}}|[^\t\n]{{1,120}}+\t[^\t\n]{{1,120}}+\t\d{{4}}-"
)


class Prefixes:
    """The prefixes of one paste's lines: that of the line before is tried first, for logs have the same on each."""

    def __init__(self) -> None:
        self._head = ""
        self._last = Prefix()

    def of(self, text: str) -> Prefix:
        """Return what stands before a line's own text, as `split_prefix` does."""
        end = self._last.end
        if end and text[end : end + 1].isalpha() and fold_digits(text[:end]) == self._head:
            return self._last
        prefix = split_prefix(text)
        is_like_others = "l" in prefix.shape and not prefix.stream and text[prefix.end : prefix.end + 1].isalpha()
        self._last = prefix if is_like_others else Prefix()
        self._head = fold_digits(text[: self._last.end])
        return prefix


def split_prefix(text: str) -> Prefix:
    """Return what stands before a line's own text; `Prefix()` where nothing does.

    >>> split_prefix("2026-11-03 08:10:22,000 ERROR worker.main:   File").end
    42
    """
    start = len(text) - len(text.lstrip(" \t")) if text[:1] in " \t" else 0
    if start > MOST_PREFIX or not _MAY_START.match(text, start):
        return Prefix()
    return _peeled(text, start)


def _peeled(text: str, start: int) -> Prefix:
    end, level, is_record = start, "", False
    streams: list[str] = []
    shape = ""
    limit = min(len(text), start + MOST_PREFIX)
    for _ in range(MOST_PIECES):
        opens = text[end : end + 1]
        timed = _TIMED_RANK.match(text, end, limit) if opens == "[" else None
        if timed:
            end, is_record, shape = timed.end(), True, f"{shape}t"
            streams.append(timed[1].strip())
            continue
        choice = (_CHOICES_IN_RECORD if is_record else _CHOICES).get(_SIGNS.get(opens) or _sign(opens))
        match = choice.pattern.match(text, end, limit) if choice else None
        if choice is None or match is None:
            break
        piece, group = choice.pieces[str(match.lastgroup)]
        end, shape = match.end(), shape + piece.letter
        is_record = is_record or piece.is_record
        level = (group and match[group]) or level
        if piece.is_stream:
            streams.append(match.group().strip(" |:"))
    is_own = is_record and not (level == "" and _ADDED.match(shape))
    return Prefix(end, level, " ".join(streams), is_own, shape) if shape else Prefix()


def _sign(opens: str) -> str:
    """Return what the choices are by: a letter as `A`, a digit as `0`, another sign as it is."""
    return "A" if opens.isalpha() or opens == "_" else "0" if opens.isdigit() else opens


_SIGNS = {char: _sign(char) for char in map(chr, range(128))}
