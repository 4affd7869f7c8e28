"""Ingest: what a scan brings to be stored, and what storing it came to."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from errorkb.core.site_matching import MatchedSite
from errorkb.ingest.outcomes import Outcome
from errorkb.ingest.prepared import Raw
from errorkb.ingest.releases import FoundRelease
from errorkb.models import Scan
from errorkb.scanning.sites import ThrowSite


class TooManyRemovedError(Exception):
    """A scan would mark more entries as removed than is likely; the text says how many, and what to do."""


@dataclass(frozen=True)
class ScanFacts:
    """Where a scan's sites come from: repository, pin (commit or release), and the part of it that was read.

    `follows` names the release that the commit came from, `releases` are those that git told of.
    """

    repository: str
    commit: str = ""
    release: str = ""
    version: str = ""
    package: str = ""
    dirty: bool = False
    committed_at: datetime | None = None
    languages: tuple[str, ...] = ("python",)
    path_prefix: str = ""
    follows: tuple[str, ...] = ()
    releases: tuple[FoundRelease, ...] = ()


@dataclass(frozen=True)
class ScannedSite:
    """A site as the scanner found it, and the document that it makes of it."""

    site: ThrowSite
    document: Raw


@dataclass(frozen=True)
class CommitLinks:
    """How many changes between scans git was asked about, how many it has told, and why some are missing."""

    asked: int = 0
    found: int = 0
    cut: str = ""

    def __add__(self, other: "CommitLinks") -> "CommitLinks":
        return CommitLinks(self.asked + other.asked, self.found + other.found, self.cut or other.cut)


@dataclass
class ScanReport:
    """What a scan changed: sites by what became of them, documents that were refused, what git has told."""

    counts: Counter[str] = field(default_factory=Counter)
    refused: list[Outcome] = field(default_factory=list)
    commits: CommitLinks = field(default_factory=CommitLinks)
    scan: Scan | None = None


def first_template(site: ThrowSite) -> str:
    """Return the template that a site is recognised by; empty where its text is not known."""
    return site.wordings[0].template if site.wordings else ""


def matched_site(key: int, site: ThrowSite) -> MatchedSite:
    """Return what a scanned site is recognised by, under the caller's key."""
    return MatchedSite(key, site.kind, site.exception_type, first_template(site), site.symbol, site.path, site.line)
