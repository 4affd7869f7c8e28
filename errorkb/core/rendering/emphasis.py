"""Core, rendering: which runs of asterisks in prose are emphasis, and which are `*args` or a glob."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

MAX_WAITING = 8
"""How many runs of one length may wait for their end; the oldest beyond that stay as they were written."""

# From here on (CJK radicals and later) scripts run words together, so a neighbour says nothing about a word.
_RUNNING_SCRIPTS = "\u2e80"

_NOT_BEFORE_OPENING = frozenset(")]}./\\*%_")
_NOT_AFTER_OPENING = frozenset(",;:!?)]}>”’，。；：！？、）」』】》")
_NOT_BEFORE_CLOSING = frozenset("([{</\\“‘（「『【《")
_QUOTES = frozenset("'\"")

_OPENING_TAGS = {1: "<em>", 2: "<strong>", 3: "<em><strong>"}
_CLOSING_TAGS = {1: "</em>", 2: "</strong>", 3: "</strong></em>"}


@dataclass
class StarRun:
    """A run of asterisks: the place of its piece, how many of them are still text, the tags made of the others."""

    piece: int
    left: int
    opens: bool
    closes: bool

    def open(self, length: int, pieces: list[str]) -> None:
        """Turn the last `length` asterisks that are left into opening tags."""
        self.left -= length
        pieces[self.piece] = "*" * self.left + _OPENING_TAGS[length] + pieces[self.piece].lstrip("*")

    def close(self, length: int, pieces: list[str]) -> None:
        """Turn the first `length` asterisks that are left into closing tags."""
        self.left -= length
        pieces[self.piece] = pieces[self.piece].rstrip("*") + _CLOSING_TAGS[length] + "*" * self.left


def _is_word(character: str) -> bool:
    return character == "_" or (character.isalnum() and character < _RUNNING_SCRIPTS)


def _opens(length: int, before: str, after: str, beyond: str) -> bool:
    if after.isspace() or after in _NOT_AFTER_OPENING or _is_word(before) or before in _NOT_BEFORE_OPENING:
        return False
    return not (length == 1 and after == "." and _is_word(beyond))  # *.py


def _closes(length: int, before: str, after: str, beyond: str) -> bool:
    if before.isspace() or before in _NOT_BEFORE_CLOSING or _is_word(after):
        return False
    return not (length == 1 and after == "." and _is_word(beyond))  # lib*.so


def read_star_run(text: str, start: int, end: int, piece: int) -> StarRun:
    """Return what the asterisks `text[start:end]` may do, judged by their neighbours.

    Stricter than CommonMark's flanking rules, because asterisks in error texts are mostly not emphasis: a run does
    nothing inside a word (`2**3`), between equal quotes (`'*'`), before a suffix (`*.py`), after a slash (`src/*`),
    or when it is longer than three. Beside Chinese, Japanese and Korean text it may open and close without a space.
    """
    length = end - start
    before = text[start - 1] if start else " "
    after = text[end : end + 1] or " "
    beyond = text[end + 1 : end + 2] or " "
    if length > 3 or (before == after and before in _QUOTES):
        return StarRun(piece, length, opens=False, closes=False)
    opens = _opens(length, before, after, beyond)
    return StarRun(piece, length, opens=opens, closes=_closes(length, before, after, beyond))


class _OpenRuns:
    """The runs that wait for their end, by how many asterisks they have left: 1, 2 or 3."""

    def __init__(self) -> None:
        self.by_length: dict[int, deque[StarRun]] = {length: deque(maxlen=MAX_WAITING) for length in (1, 2, 3)}

    def push(self, run: StarRun) -> None:
        self.by_length[run.left].append(run)

    def last(self, length: int) -> StarRun | None:
        return self.by_length[length][-1] if self.by_length[length] else None

    def drop_from(self, run: StarRun) -> None:
        """Forget `run` and all that opened after it."""
        for runs in self.by_length.values():
            while runs and runs[-1].piece >= run.piece:
                runs.pop()

    def openers_for(self, length: int) -> list[tuple[StarRun, int]]:
        """Return the runs, innermost first, that a closing run of `length` ends, with the asterisks that each gives."""
        if same := self.last(length):
            return [(same, length)]
        one, two, three = self.last(1), self.last(2), self.last(3)
        if length == 3 and one and two:
            return sorted([(one, 1), (two, 2)], key=lambda pair: -pair[0].piece)
        if length < 3 and three:
            return [(three, length)]
        return []


def pair_stars(runs: Iterable[StarRun], pieces: list[str]) -> None:
    """Turn the runs that open and close each other into tags, in `pieces`; what finds no partner stays text.

    `runs` stand in the order of the text. A run ends the nearest one of its own length; three asterisks also end one
    and two, and the other way round. Every run is pushed and dropped at most twice, so the work is linear.
    """
    waiting = _OpenRuns()
    for run in runs:
        partners = waiting.openers_for(run.left) if run.closes else []
        for opener, length in partners:
            waiting.drop_from(opener)
            opener.open(length, pieces)
            run.close(length, pieces)
            if opener.left:
                waiting.push(opener)
        if run.opens and not partners:
            waiting.push(run)
