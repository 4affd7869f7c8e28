"""Ingest: what a walk through a repository's releases knows of them while it goes: entries, and what each release has.

Nothing here is stored: entries may be known to the walk before they have rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from errorkb.core.site_matching import Evidence, KnownElsewhere, MatchedSite, Pair, match_among_releases
from errorkb.ingest.scanned import first_template, matched_site
from errorkb.ingest.scans.scanning import FoundSites
from errorkb.ingest.sighting_rows import Content, content_of, content_of_site
from errorkb.models import Repository, Scan, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.models.sightings import seen
from errorkb.scanning.sites import ThrowSite


@dataclass(eq=False)
class Thread:
    """An entry, from release to release. `pk` is 0 for one without a row; `newest` is the order of its newest scan."""

    pk: int = 0
    kind: str = ""
    exception_type: str = ""
    newest: tuple[int, int] | None = None
    contents: "dict[bytes, KnownContent] | None" = None


@dataclass(eq=False)
class KnownContent:
    """What some releases have of an entry in common, and the whole sighting that says it; None before it is stored."""

    whole: Sighting | None = None


@dataclass(frozen=True, slots=True)
class Sighted:
    """A site of a release: which entry it is, why, and what it has in common with other releases.

    `origin` is the site as the scanner found it, `site` the same with its path in the repository.
    """

    thread: Thread
    content: KnownContent
    origin: ThrowSite
    site: ThrowSite
    evidence: str


@dataclass(frozen=True)
class WalkedRelease:
    """A release that was scanned, and what became of its sites."""

    found: FoundSites
    sighted: tuple[Sighted, ...]
    new: int


@dataclass(frozen=True)
class _Read:
    """A site as the scanner found it, in its place, and what it is compared by; kept while releases share it."""

    origin: ThrowSite
    site: ThrowSite
    matched: MatchedSite
    digest: bytes


@dataclass
class KnownSites:
    """All entries of a repository, by what their sites are recognised by."""

    repository: Repository
    threads: dict[int, Thread] = field(default_factory=dict)
    elsewhere: KnownElsewhere = field(default_factory=KnownElsewhere)
    _read: dict[int, _Read] = field(default_factory=dict)

    @classmethod
    def of(cls, repository: Repository) -> "KnownSites":
        """Return the entries that a repository has, each as it was seen last."""
        known = cls(repository)
        for thread, site in _entries(repository):
            known.threads[thread.pk] = thread
            known.elsewhere.add(site)
        return known

    def sites_of(self, scan: Scan) -> list[MatchedSite]:
        """Return the sites that a stored scan saw, by their threads."""
        columns = ("entry", seen("template"), seen("symbol"), seen("path"), "line")
        rows = Sighting.objects.filter(scan=scan).values_list(*columns)
        return [self._site(self.threads[entry], *rest) for entry, *rest in rows if entry in self.threads]

    def take(self, found: FoundSites, neighbours: Sequence[Sequence[MatchedSite]]) -> WalkedRelease:
        """Say of each site that was found in a release which entry it is, with new threads for new ones."""
        read = self._read_all(found)
        pairs = match_among_releases([one.matched for one in read.values()], neighbours, self.elsewhere)
        self._load_contents(pair.known.key for pair in pairs)
        by_site = {pair.new.key: pair for pair in pairs}
        sighted = tuple(self._sighted(one, by_site.get(key)) for key, one in read.items())
        return WalkedRelease(found, sighted, len(read) - len(pairs))

    def matched(self, release: WalkedRelease) -> list[MatchedSite]:
        """Return the sites of a release by their threads, to compare its neighbours with."""
        return [_matched(one.thread, one.site) for one in release.sighted]

    def _read_all(self, found: FoundSites) -> dict[int, _Read]:
        """Return the sites of a release; those of files that have not changed since the last one are at hand."""
        known, self._read = self._read, {}
        for origin in found.sites:
            key = id(origin)
            self._read[key] = known.get(key) or _read_site(origin, found.placed(origin))
        return self._read

    def _sighted(self, one: _Read, pair: Pair | None) -> Sighted:
        thread = pair.known.key if pair else self._new_thread(one)
        assert isinstance(thread, Thread)
        if thread.contents is None:
            thread.contents = {}
        content = thread.contents.get(one.digest)
        if content is None:
            content = thread.contents[one.digest] = KnownContent()
            self.elsewhere.add(replace(one.matched, key=thread))
        evidence = str(pair.evidence) if pair and pair.evidence is not Evidence.SAME else ""
        return Sighted(thread, content, one.origin, one.site, evidence)

    def _new_thread(self, one: _Read) -> Thread:
        return Thread(0, one.matched.kind, one.matched.exception_type, contents={})

    def _load_contents(self, threads: Iterable[object]) -> None:
        """Read what is stored of entries that were stored before the walk, once for each."""
        waiting = {one.pk: one for one in threads if isinstance(one, Thread) and one.contents is None}
        scans = {scan.pk: scan for scan in self.repository.scans.all()} if waiting else {}
        for chunk in in_chunks(waiting):
            for pk in chunk:
                waiting[pk].contents = {}
            for whole in Sighting.objects.filter(entry__in=chunk, same_as=None).order_by("pk"):
                contents = waiting[whole.entry_id].contents
                assert contents is not None
                whole.scan = scans[whole.scan_id]
                contents[_digest(content_of(whole))] = KnownContent(whole)

    @staticmethod
    def _site(thread: Thread, template: str, symbol: str, path: str, line: int) -> MatchedSite:
        return MatchedSite(thread, thread.kind, thread.exception_type, template, symbol, path, line)


def _entries(repository: Repository) -> Iterator[tuple[Thread, MatchedSite]]:
    fields = ("pk", "kind", "exception_type", "newest__scan__rank", "newest__scan", "template", "newest__template")
    for pk, kind, exception_type, rank, scan, stated, template, *place in repository.entries.values_list(
        *fields, "symbol", "path", "line"
    ):
        thread = Thread(pk, kind, exception_type, None if rank is None else (rank, scan))
        symbol, path, line = place
        text = stated if template is None else template
        yield thread, MatchedSite(thread, kind, exception_type, text, symbol, path, line or 0)


def _read_site(origin: ThrowSite, site: ThrowSite) -> _Read:
    return _Read(origin, site, matched_site(id(origin), site), _digest(content_of_site(site)))


def _matched(thread: Thread, site: ThrowSite) -> MatchedSite:
    kind, exception_type = site.kind, site.exception_type
    return MatchedSite(thread, kind, exception_type, first_template(site), site.symbol, site.path, site.line)


def _digest(content: Content) -> bytes:
    return blake2b(repr(content).encode("utf-8", "backslashreplace"), digest_size=16).digest()
