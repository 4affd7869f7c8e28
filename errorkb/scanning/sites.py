"""Scanning: what reading source yields: throw sites with their wordings, and what one file says by itself."""

from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["error", "assertion", "warning", "log"]
Placeholders = Literal["percent", "brace", "fstring"]
TextKnown = Literal["full", "partly", "none"]


@dataclass(frozen=True, slots=True)
class Wording:
    """One text of a site: as a document has it, and in canonical form.

    A text composed of several parts is written as an f-string: `{expression}`, literal braces doubled.
    """

    message: str
    placeholders: Placeholders | None
    template: str


@dataclass(frozen=True, slots=True)
class ThrowSite:
    """A place in source that throws, asserts, warns or logs.

    `exception_type` is the class's own name without its module (what a traceback's last line is searched by, and
    what stays the same however the class is imported); empty where only the run knows it, and for logs.
    `wordings` are in the order of the source; without any, `text` is `none`. `partly` says that on some paths, or
    in some part, the text is unknown. `conditions` lead from the function's entry to the site, outermost first.
    Lines count from 1; `snippet` begins at line `snippet_start` and holds whole lines.
    """

    kind: Kind
    exception_type: str
    wordings: tuple[Wording, ...]
    text: TextKnown
    path: str
    line: int
    end_line: int
    symbol: str
    code: str
    conditions: tuple[str, ...]
    signature: str
    snippet_start: int
    snippet: str
    exception_bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScanProblem:
    """Why a file, or one line of it, was passed over. Line 0 is the whole file."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What one blob yields by itself, whatever else is in its tree; picklable, to be cached by blob id.

    `sites` are all its sites in the order of the source. `unlinked` belongs to the language that made it: which of
    these sites wait for a name that another file may hold, and what this file offers to others.
    """

    path: str
    lines: int = 0
    sites: tuple[ThrowSite, ...] = ()
    unlinked: object = None
    problem: ScanProblem | None = None

    def at(self, path: str) -> "FileFacts":
        """Return the same facts for the same blob at another path."""
        if path == self.path:
            return self
        sites = tuple(replace(site, path=path) for site in self.sites)
        problem = replace(self.problem, path=path) if self.problem else None
        return replace(self, path=path, sites=sites, problem=problem)
