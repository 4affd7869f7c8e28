"""Core: where an error is thrown, as source has it and as tracebacks have it, and whether the two are one place.

A traceback's path has a folder of its machine before it (`/usr/lib/python3/site-packages/`), a repository's path has
one of its repository (`src/`): what both have in common is their end. Tracebacks name functions without their
classes; Markdown eats underscores.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from errorkb.core.tracebacks import Frame

_EATEN_IN_PATHS = str.maketrans("", "", "_*`")
_EATEN_IN_SYMBOLS = str.maketrans("", "", "_*`\\ ")
# Modules that every second project has: their names alone say nothing. Without underscores, as paths are compared.
_COMMON_FILES = frozenset(
    ["init.py", "main.py", "base.py", "models.py", "utils.py", "core.py", "api.py", "app.py", "views.py", "client.py"]
)
_SEPARATORS = re.compile(r"[\\/]+")
_MODULE_LEVEL = ("<module>", "module", "?", "")


@dataclass(frozen=True)
class ThrowPlace:
    """A throw site: path in its repository, line from 1, qualified symbol (empty at module level)."""

    path: str
    line: int | None
    symbol: str


class Nearness(IntEnum):
    """How near a frame is to a throw site, farthest first."""

    ELSEWHERE = 0
    FILE = 1
    FUNCTION = 2


@dataclass(frozen=True)
class PlaceEvidence:
    """The frame that is nearest to a throw site: how near, whether it is the innermost one, how many lines off."""

    nearness: Nearness
    frame: Frame | None = None
    is_innermost: bool = False
    lines_off: int | None = None


_NOWHERE = PlaceEvidence(Nearness.ELSEWHERE)


def frame_key(path: str, symbol: str) -> str:
    """Return what a throw site and a frame at it have in common, as a key; empty where there is no path.

    The last two parts of the path and the last part of the symbol, without the characters that Markdown eats:
    `frame_key("lib/sqlalchemy/pool/impl.py", "QueuePool._do_get")` is `pool/impl.py:doget`.
    """
    file = file_key(path)
    return f"{file}:{plain_symbol(symbol)}"[:200] if file else ""


def file_key(path: str) -> str:
    """Return what the frame keys of all sites in a file begin with, up to the colon; empty where there is no path."""
    return "/".join(path_parts(path)[-2:])


@lru_cache(maxsize=4096)
def path_parts(path: str) -> tuple[str, ...]:
    """Return a path's parts without the characters that Markdown eats, on any system's separators."""
    return tuple(part for part in _SEPARATORS.split(path.translate(_EATEN_IN_PATHS)) if part not in ("", ".", "..."))


@lru_cache(maxsize=4096)
def plain_symbol(symbol: str) -> str:
    """Return the last part of a symbol, without the characters that Markdown eats; empty for module level."""
    if symbol in _MODULE_LEVEL:
        return ""
    return symbol.removesuffix("()").rpartition(".")[2].translate(_EATEN_IN_SYMBOLS)


class Trace:
    """The frames of one error, ready to be compared with many throw sites: by the names of their files."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        """Take frames, outermost first."""
        self._innermost = frames[-1] if frames else None
        self._by_file: dict[str, list[tuple[tuple[str, ...], Frame]]] = {}
        for frame in reversed(frames):
            parts = path_parts(frame.path)
            if parts:
                self._by_file.setdefault(parts[-1], []).append((parts, frame))

    def evidence(self, place: ThrowPlace) -> PlaceEvidence:
        """Return the evidence of the frame that is nearest to a throw site, the innermost of equals."""
        parts, symbol = path_parts(place.path), plain_symbol(place.symbol)
        best = _NOWHERE
        for pasted, frame in self._by_file.get(parts[-1], ()) if parts else ():
            nearness = _nearness(frame, pasted, parts, symbol)
            if nearness > best.nearness:
                best = PlaceEvidence(nearness, frame, frame is self._innermost, _lines_off(frame, place))
        return best


def _nearness(frame: Frame, pasted: tuple[str, ...], parts: tuple[str, ...], symbol: str) -> Nearness:
    if not same_file(pasted, parts):
        return Nearness.ELSEWHERE
    return Nearness.FUNCTION if plain_symbol(frame.symbol) == symbol else Nearness.FILE


def same_file(pasted: tuple[str, ...], known: tuple[str, ...]) -> bool:
    """Say whether a pasted path and a repository's path end alike, far enough to mean the same file.

    At least two parts must agree, and all that the repository's path has below its first two folders; a file at
    the top of its repository, or a pasted path of one part, is enough only if its name is not a common one.
    """
    if not pasted or not known or pasted[-1] != known[-1]:
        return False
    agreed = _common_end(pasted, known)
    if agreed == len(pasted) or agreed == len(known):
        return agreed > 1 or known[-1] not in _COMMON_FILES
    return agreed >= max(2, len(known) - 2)


def _common_end(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right:
            break
        count += 1
    return count


def _lines_off(frame: Frame, place: ThrowPlace) -> int | None:
    if frame.line is None or place.line is None:
        return None
    return abs(frame.line - place.line)
