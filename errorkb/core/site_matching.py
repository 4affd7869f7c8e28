"""Core: which throw site of one release is which site of another: one-to-one, from sure evidence to weaker.

First sites that are equal but for their line; then files that moved; then messages that were reworded in the same
function; then functions that were renamed in the same file; then functions that went to another file. Twins in one
function are told apart by their order, and where their number differs, by the nearness of their lines.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from posixpath import basename

from errorkb.core.message_templates import Part, TemplateError, parse_template

# Two wordings that share this part of their words are the same message, reworded.
ALIKE = 0.5
# A text this long that stands once on either side is told by itself.
TELLING_WORDS = 4


class Evidence(StrEnum):
    """Why two sites are taken for one."""

    SAME = "same site"
    MOVED_FILE = "same function, type and text in another file"
    REWORDED = "same function and type, text reworded"
    RENAMED = "same file, type and text in another function"
    MOVED = "same type and text elsewhere in the repository"


@dataclass(frozen=True)
class MatchedSite:
    """What a site is recognised by. `key` is the caller's name for it."""

    key: Hashable
    kind: str
    exception_type: str
    template: str
    symbol: str
    path: str
    line: int


@dataclass(frozen=True)
class Pair:
    """A site of the new release that is a known one, and why."""

    new: MatchedSite
    known: MatchedSite
    evidence: Evidence


Key = Callable[[MatchedSite], Hashable | None]


def _same(site: MatchedSite) -> Hashable:
    return site.path, site.symbol, *_identity(site)


def _moved_file(site: MatchedSite) -> Hashable:
    return basename(site.path), site.symbol, *_identity(site)


def _moved_function(site: MatchedSite) -> Hashable:
    return site.symbol, *_identity(site)


def _function(site: MatchedSite) -> Hashable:
    return site.path, site.symbol, site.kind, site.exception_type


def _renamed(site: MatchedSite) -> Hashable:
    return site.path, *_identity(site)


def _telling(site: MatchedSite) -> Hashable | None:
    return _identity(site) if len(_words(site.template)) >= TELLING_WORDS else None


def _identity(site: MatchedSite) -> tuple[str, str, str]:
    return site.kind, site.exception_type, site.template


def match_sites(new: Sequence[MatchedSite], known: Sequence[MatchedSite]) -> list[Pair]:
    """Return the pairs of sites that are the same one, each used once, in no particular order.

    Linear in the number of sites but for functions that hold many reworded ones, which are bounded.
    """
    pool = _Pool(new, known)
    for find in _FINDERS:
        find(pool)
    return pool.pairs


class KnownElsewhere:
    """Sites of all releases of a repository, found by what they have in common with others."""

    def __init__(self) -> None:
        self._by_identity: dict[Hashable, list[MatchedSite]] = defaultdict(list)
        self._by_function: dict[Hashable, list[MatchedSite]] = defaultdict(list)

    def add(self, site: MatchedSite) -> None:
        self._by_identity[_identity(site)].append(site)
        self._by_function[_function(site)].append(site)

    def alike(self, sites: Iterable[MatchedSite]) -> list[MatchedSite]:
        """Return the sites with the type and the text of one of these."""
        wanted = dict.fromkeys(map(_identity, sites))
        return [site for key in wanted for site in self._by_identity.get(key, ())]

    def beside(self, sites: Iterable[MatchedSite]) -> list[MatchedSite]:
        """Return the sites with the type of one of these in its function."""
        wanted = dict.fromkeys(map(_function, sites))
        return [site for key in wanted for site in self._by_function.get(key, ())]


def match_among_releases(
    new: Sequence[MatchedSite], neighbours: Sequence[Sequence[MatchedSite]], elsewhere: KnownElsewhere
) -> list[Pair]:
    """Return the pairs of a release's sites and those of others, each site and each key of a known one used once.

    `neighbours` are the sites of releases beside it in history, the nearest first, `elsewhere` those of all releases.
    Sure evidence of any release comes before weaker evidence of the nearest one: what one neighbour lacks, another
    release may have as it was. A text that stands alone in a function in both is the same one reworded only if they are
    neighbours; else the texts have to be alike.
    """
    matching = _SeriesMatching(new)
    for find in _FINDERS:
        for known in neighbours:
            matching.look_among(known, find)
        if find is _find_reworded:
            matching.look_among(elsewhere.beside(matching.left), _find_alike)
        else:
            matching.look_among(elsewhere.alike(matching.left), find)
    return matching.pairs


class _SeriesMatching:
    """The sites of a release that have no partner in any other so far, and the pairs that were found."""

    def __init__(self, new: Sequence[MatchedSite]) -> None:
        self.left: Sequence[MatchedSite] = new
        self.pairs: list[Pair] = []
        self._taken: set[Hashable] = set()

    def look_among(self, known: Sequence[MatchedSite], find: Callable[["_Pool"], None]) -> None:
        free = [site for site in known if site.key not in self._taken] if self.left else []
        if not free:
            return
        pool = _Pool(self.left, free)
        find(pool)
        left = dict(pool.new)
        for pair in pool.pairs:
            if pair.known.key in self._taken:
                left[pair.new] = None
                continue
            self._taken.add(pair.known.key)
            self.pairs.append(pair)
        self.left = list(left)


class _Pool:
    """The sites of both sides that have no partner yet."""

    # In a function with more reworded sites than this, only the nearest by order are compared.
    MAX_COMPARED = 40

    def __init__(self, new: Sequence[MatchedSite], known: Sequence[MatchedSite]) -> None:
        self.new = dict.fromkeys(new)
        self.known = dict.fromkeys(known)
        self.pairs: list[Pair] = []

    def pair_equal(self, key: Key, why: Evidence, *, only_single: bool = False) -> None:
        """Pair the sites with equal keys, in the order of their lines."""
        ours, theirs = _grouped(self.new, key), _grouped(self.known, key)
        for shared in ours.keys() & theirs.keys():
            left, right = ours[shared], theirs[shared]
            if only_single and not len(left) == len(right) == 1:
                continue
            for one, other in _in_order(left, right):
                self._take(one, other, why)

    def pair_alike(self, key: Key, why: Evidence, *, are_neighbours: bool = True) -> None:
        """Pair sites with equal keys whose texts are alike, the most alike first.

        A lone pair of neighbours needs no likeness.
        """
        ours, theirs = _grouped(self.new, key), _grouped(self.known, key)
        for shared in ours.keys() & theirs.keys():
            left, right = ours[shared][: self.MAX_COMPARED], theirs[shared][: self.MAX_COMPARED]
            lone = len(ours[shared]) == len(theirs[shared]) == 1
            for one, other in _most_alike(left, right, at_least=0.0 if lone and are_neighbours else ALIKE):
                self._take(one, other, why)

    def _take(self, one: MatchedSite, other: MatchedSite, why: Evidence) -> None:
        del self.new[one]
        del self.known[other]
        self.pairs.append(Pair(one, other, why))


def _find_reworded(pool: _Pool) -> None:
    pool.pair_alike(_function, Evidence.REWORDED)


def _find_alike(pool: _Pool) -> None:
    pool.pair_alike(_function, Evidence.REWORDED, are_neighbours=False)


# How partners are found, the surest first.
_FINDERS: tuple[Callable[[_Pool], None], ...] = (
    lambda pool: pool.pair_equal(_same, Evidence.SAME),
    lambda pool: pool.pair_equal(_moved_file, Evidence.MOVED_FILE),
    lambda pool: pool.pair_equal(_moved_function, Evidence.MOVED_FILE),
    _find_reworded,
    lambda pool: pool.pair_equal(_renamed, Evidence.RENAMED),
    lambda pool: pool.pair_equal(_telling, Evidence.MOVED, only_single=True),
)


def _grouped(sites: dict[MatchedSite, None], key: Key) -> dict[Hashable, list[MatchedSite]]:
    groups: dict[Hashable, list[MatchedSite]] = defaultdict(list)
    for site in sites:
        if (found := key(site)) is not None:
            groups[found].append(site)
    for group in groups.values():
        group.sort(key=lambda site: (site.path, site.line))
    return groups


def _in_order(left: list[MatchedSite], right: list[MatchedSite]) -> list[tuple[MatchedSite, MatchedSite]]:
    """Pair two sorted lists: one by one where they are of equal length, else by nearness, order kept."""
    if len(left) == len(right):
        return list(zip(left, right, strict=True))
    short, long, turned = (left, right, False) if len(left) < len(right) else (right, left, True)
    chosen = []
    start = 0
    for position, site in enumerate(short):
        last = len(long) - (len(short) - position)
        distances = [abs(other.line - site.line) for other in long[start : last + 1]]
        best = start + distances.index(min(distances))
        chosen.append((long[best], site) if turned else (site, long[best]))
        start = best + 1
    return chosen


def _most_alike(
    left: list[MatchedSite], right: list[MatchedSite], *, at_least: float
) -> list[tuple[MatchedSite, MatchedSite]]:
    """Pair sites by the likeness of their texts; equally alike ones by order, else by nearness, as `_in_order` does."""
    as_many = len(left) == len(right)
    ranked = sorted(
        (
            (_likeness(one, other), -abs(n - m if as_many else one.line - other.line), n, m)
            for n, one in enumerate(left)
            for m, other in enumerate(right)
        ),
        reverse=True,
    )
    chosen: list[tuple[MatchedSite, MatchedSite]] = []
    used_left: set[int] = set()
    used_right: set[int] = set()
    for likeness, _, n, m in ranked:
        if likeness >= at_least and n not in used_left and m not in used_right:
            chosen.append((left[n], right[m]))
            used_left.add(n)
            used_right.add(m)
    return chosen


def _likeness(one: MatchedSite, other: MatchedSite) -> float:
    """Return which part of both texts' words they share, from 0 to 1."""
    ours, theirs = _words(one.template), _words(other.template)
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def _words(template: str) -> frozenset[str]:
    try:
        parts: tuple[Part, ...] = parse_template(template)
    except TemplateError:
        parts = (Part(template, template),)
    return frozenset(word for part in parts for word in part.text.lower().split())
