"""Ingest: walk through the releases that a repository has as tags, and store of each which errors it has.

The newest release is scanned as any other source is: documents follow it. Then come the others, from later versions to
earlier ones, each compared with its neighbours in history: every entry is made from the last release that has it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from errorkb.ingest.outcomes import Outcome
from errorkb.ingest.releases import sync_releases
from errorkb.ingest.repositories import ensure_repositories
from errorkb.ingest.scanned import CommitLinks
from errorkb.ingest.scans.commit_links import link_commits, scans_after
from errorkb.ingest.scans.scanning import (
    FoundSites,
    ScanRequest,
    as_found,
    batch_of_scans,
    found_in,
    known_tags,
    options_of,
    store_found,
)
from errorkb.ingest.states import WriteContext
from errorkb.ingest.transactions import writing
from errorkb.ingest.walks.neighbours import WalkNeighbours
from errorkb.ingest.walks.storing import store_releases
from errorkb.ingest.walks.walked import KnownSites, WalkedRelease
from errorkb.models import Batch, Scan
from errorkb.models.chunks import in_chunks
from errorkb.scanning.scan import SeriesScanner
from errorkb.scanning.tags import Tag, TaggedRepository, Tags
from errorkb.scanning.trees import Tree, TreeError

# So many releases are read ahead, and stored together.
AT_ONCE = 12
_LINKED = "linked"
_SHOWN_COMMIT = 10


@dataclass
class WalkReport:
    """What a walk came to. `counts` are of releases: walked, known before; of entries: new; of sites: seen.

    `problems` are tags that were passed over, and why; `stopped` says that somebody stopped it.
    """

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    refused: list[Outcome] = field(default_factory=list)
    commits: CommitLinks = field(default_factory=CommitLinks)
    stopped: bool = False


@dataclass(frozen=True)
class Watchers:
    """Who is told how a walk goes: how many releases there are to walk, and the name of each that is done."""

    begin: Callable[[int], object] = lambda count: None
    done: Callable[[str], object] = lambda release: None


def walk_releases(
    request: ScanRequest,
    patterns: Sequence[str],
    *,
    clock: Callable[[], datetime],
    allow_removals: bool = False,
    watchers: Watchers | None = None,
) -> WalkReport:
    """Walk through the tags that match some globs; those whose releases are stored already are left out.

    What is stored is whole whenever it is stopped, and the next walk goes on from there. Raises TreeError where no tag
    can be walked, and TooManyRemovedError of `store_scan`.
    """
    place = TaggedRepository(request.path)
    request = replace(request, repository=request.repository or place.repository)
    if not request.repository:
        raise TreeError(f"It is not known which repository {request.path} is: say it with --repository owner/name.")
    tags = place.find_tags(patterns, known_tags(request.repository))
    with ExitStack() as stack:
        folder = request.cache_folder or Path(stack.enter_context(TemporaryDirectory()))
        scanner = stack.enter_context(SeriesScanner(options_of(replace(request, cache_folder=folder))))
        batch = stack.enter_context(batch_of_scans(request.repository, request.reason, clock))
        walk = _Walk(request, place, tags, scanner, batch, clock)
        walk.go(allow_removals=allow_removals, watchers=watchers or Watchers())
        batch.counts = dict(walk.report.counts)
    return walk.report


class _Walk:
    """One walk through the releases of a repository."""

    def __init__(
        self,
        request: ScanRequest,
        place: TaggedRepository,
        tags: Tags,
        scanner: SeriesScanner,
        batch: Batch,
        clock: Callable[[], datetime],
    ) -> None:
        self.request = request
        self.place = place
        self.tags = tags
        self.scanner = scanner
        self.batch = batch
        self.clock = clock
        self.today = clock().date().isoformat()
        self.report = WalkReport(problems=[f"{problem.path}: {problem.text}" for problem in tags.problems])
        self.waiting: list[WalkedRelease] = []
        self.known: KnownSites | None = None
        self.prefix = place.prefix(request.path_prefix)
        with writing():
            self.repository = ensure_repositories([request.repository], clock())[request.repository.lower()]
            self._keep_moved()
            sync_releases(self.repository, map(as_found, self.tags.every))
        self.ranks = dict(self.repository.releases.values_list("name", "rank"))

    def _keep_moved(self) -> None:
        """Leave tags alone that pointed elsewhere when they were scanned: their release is what was read then."""
        scanned = {scan.release: scan.commit for scan in self.repository.scans.all() if scan.release and scan.commit}
        moved = {tag.name for tag in self.tags.every if scanned.get(tag.name, tag.commit) != tag.commit}
        self.report.problems += [
            f"tag {tag.name}: it pointed to {scanned[tag.name][:_SHOWN_COMMIT]} when it was scanned, and points to "
            f"{tag.commit[:_SHOWN_COMMIT]} now; what was scanned is kept"
            for tag in self.tags.matching
            if tag.name in moved
        ]
        self.tags = replace(
            self.tags,
            every=tuple(tag for tag in self.tags.every if tag.name not in moved),
            matching=tuple(tag for tag in self.tags.matching if tag.name not in moved),
        )

    def go(self, *, allow_removals: bool, watchers: Watchers) -> None:
        scanned = {scan.release: scan for scan in self.repository.scans.all() if self._is_same_part(scan)}
        todo = [tag for tag in self.tags.matching if tag.name not in scanned or not scanned[tag.name].is_whole]
        todo.sort(key=lambda tag: self.ranks[tag.name], reverse=True)
        self.report.counts["known"] = len(self.tags.matching) - len(todo)
        watchers.begin(len(todo))
        try:
            for tag in self._as_usual(todo, scanned.keys()):
                self._scan_as_usual(tag, allow_removals=allow_removals)
                watchers.done(tag.name)
            self._walk(todo, watchers)
            self._link(watchers)
        except KeyboardInterrupt:
            self.report.stopped = True
            self._store()

    def _is_same_part(self, scan: Scan) -> bool:
        return scan.path_prefix == self.prefix and not scan.package and not scan.dirty

    def _as_usual(self, todo: list[Tag], begun: Collection[str]) -> Iterator[Tag]:
        """Take from what is to be walked what was begun, and the newest release, if it is newer than all stored.

        A tag without source is not the newest release.
        """
        last = max((scan.rank for scan in self.repository.scans.all() if scan.is_whole), default=0)
        while todo and self.ranks[todo[0].name] > last and not self.report.counts["walked"]:
            yield todo.pop(0)
        for tag in [tag for tag in todo if tag.name in begun]:
            todo.remove(tag)
            yield tag

    def _scan_as_usual(self, tag: Tag, *, allow_removals: bool) -> None:
        """Scan a release so that documents follow it, where no later one is known."""
        with ExitStack() as stack:
            tree = self._open(tag)
            found = self._found(stack.enter_context(tree)) if tree else None
            if tree and found:
                request = replace(self.request, commits=False)
                report = store_found(
                    found.whole(), tree, request, self.batch, self.clock, allow_removals=allow_removals
                )
                self.report.refused += report.refused
                self.report.counts.update(walked=1, new=report.counts["new"], seen=len(found.sites))

    def _walk(self, todo: Sequence[Tag], watchers: Watchers) -> None:
        if not todo:
            return
        known = self.known = KnownSites.of(self.repository)
        scans = [scan for scan in self.repository.scans.all() if self._is_same_part(scan) and scan.is_whole]
        neighbours = WalkNeighbours(known, self.tags, self.ranks, scans)
        for tags in in_chunks(todo, AT_ONCE):
            with ExitStack() as stack:
                trees = {tag: stack.enter_context(tree) for tag in tags if (tree := self._open(tag))}
                self.scanner.read_ahead(trees.values())
                for tag in tags:
                    found = self._found(trees[tag]) if tag in trees else None
                    if found:
                        release = known.take(found, neighbours.of(tag.name))
                        neighbours.add(tag.name, known.matched(release))
                        self.waiting.append(release)
                    watchers.done(tag.name)
            self._store()

    def _open(self, tag: Tag) -> Tree | None:
        try:
            return self.place.open(tag, self.prefix)
        except TreeError as error:
            self.report.problems.append(f"tag {tag.name}: {error}")
            return None

    def _found(self, tree: Tree) -> FoundSites | None:
        result = self.scanner.scan(tree)
        if not result.summary.files:
            self.report.problems.append(f"tag {tree.pin.release}: it holds no source that can be read")
            return None
        return found_in(tree, result, self.request, self.request.repository, self.today)

    def _store(self) -> None:
        """Store the releases that wait. Where that is stopped, none of them is stored, and they wait no longer."""
        waiting, self.waiting = self.waiting, []
        if not waiting or self.known is None:
            return
        context = WriteContext(clock=self.clock, batch=self.batch, reason="walk through releases")
        self.report.refused += store_releases(self.repository, waiting, self.known, context)
        self.report.counts.update(
            walked=len(waiting), new=sum(one.new for one in waiting), seen=sum(len(one.sighted) for one in waiting)
        )

    def _link(self, watchers: Watchers) -> None:
        """Ask git who made the changes between releases, for those of which nobody has asked since they were stored."""
        scans = {scan.pk: scan for scan in self.repository.scans.order_by("rank") if self._is_to_be_linked(scan)}
        if not self.request.commits or not scans:
            return
        after = {one.pk: one for scan in scans.values() for one in scans_after(scan)}
        watchers.begin(len(after | scans))
        for scan in (after | scans).values():
            self.report.commits += link_commits(scan, self.place.git, now=self.clock())
            scan.counts |= {_LINKED: 1}
            scan.save(update_fields=["counts"])
            watchers.done(scan.label)

    def _is_to_be_linked(self, scan: Scan) -> bool:
        return self._is_same_part(scan) and scan.is_whole and bool(scan.commit) and _LINKED not in scan.counts
