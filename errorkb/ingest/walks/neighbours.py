"""Ingest: which releases a release is compared with on a walk: those beside it in history, with the sites of each."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from errorkb.core.site_matching import MatchedSite
from errorkb.ingest.walks.walked import KnownSites
from errorkb.models import Scan
from errorkb.scanning.tags import Tags

# A release is compared with so many others, the nearest first.
MOST = 3
# The sites of so many are held; those of others are read again.
_HELD = 24


class WalkNeighbours:
    """The releases that are known on a walk so far, by name."""

    def __init__(self, known: KnownSites, tags: Tags, ranks: Mapping[str, int], scans: Sequence[Scan]) -> None:
        """Take the tags with their parents, the place of each, and the scans that are stored."""
        self._known = known
        self._ranks = dict(ranks)
        self._scans = {scan.label: scan for scan in scans}
        self._ranks |= {scan.label: scan.rank for scan in scans}
        self._done = set(self._scans)
        self._sites: OrderedDict[str, list[MatchedSite]] = OrderedDict()
        self._children: dict[str, list[str]] = defaultdict(list)
        for tag in tags.every:
            for parent in tag.parents:
                self._children[parent].append(tag.name)

    def add(self, name: str, sites: list[MatchedSite]) -> None:
        """Note what a release has that was just walked."""
        self._done.add(name)
        self._hold(name, sites)

    def of(self, name: str) -> list[list[MatchedSite]]:
        """Return the sites of a release's neighbours, the nearest first."""
        names = dict.fromkeys(self._names(name))
        return [self._sites_of(one) for one in islice(names, MOST)]

    def _names(self, name: str) -> Iterator[str]:
        """Yield the releases that came from this one, then those that stand before and behind it."""
        children = [child for child in self._children[name] if child in self._done]
        yield from sorted(children, key=self._rank)[: MOST - 1]
        own = self._ranks[name]
        yield from sorted((one for one in self._done if self._rank(one) > own), key=self._rank)[:1]
        yield from sorted((one for one in self._done if self._rank(one) < own), key=self._rank)[-1:]

    def _rank(self, name: str) -> int:
        return self._ranks[name]

    def _sites_of(self, name: str) -> list[MatchedSite]:
        if name not in self._sites:
            scan = self._scans.get(name) or Scan.objects.get(repository=self._known.repository, release=name)
            self._hold(name, self._known.sites_of(scan))
        self._sites.move_to_end(name)
        return self._sites[name]

    def _hold(self, name: str, sites: list[MatchedSite]) -> None:
        self._sites[name] = sites
        while len(self._sites) > _HELD:
            self._sites.popitem(last=False)
