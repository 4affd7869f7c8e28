"""Web pages: plots of a repository's entries: by release, by module, by exception type, by standing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlencode

from django.db.models import Count
from django.urls import reverse

from errorkb.models import ErrorEntry, Repository
from errorkb.models.entries import ErrorEntryQuerySet
from errorkb.serving.releases import RepositoryReleases, releases_of
from errorkb.web.pages.kinds import listed_entries
from errorkb.web.pages.links import Link
from errorkb.web.pages.repositories.bars import Bars, bars
from errorkb.web.pages.repositories.modules import inside

# So many rows has each plot.
SHOWN_ROWS = 12
# Of the entries, this part is nearly all.
_NEARLY_ALL = 0.95
# What a scan's sites became of which it had an entry in its release.
_SEEN = ("new", "seen", "moved", "reworded", "returned")

Standings = Mapping[str, int]


def repository_plots(repository: Repository, standings: Standings, *, module: str = "") -> tuple[Bars, ...]:
    """Return the plots of a repository's public entries, those without rows left out; four queries.

    `standings` are the counts of standings that searches know, as `reviewed`; with `module` there is only the plot of
    what is below it.
    """
    if module:
        return _drawn([_by_module(repository, module)])
    releases = releases_of(repository)
    return _drawn(
        [
            _by_standing(repository, standings),
            _by_release(repository, releases),
            _by_module(repository, module),
            _by_type(repository),
        ]
    )


def _drawn(plots: Iterable[Bars]) -> tuple[Bars, ...]:
    return tuple(plot for plot in plots if len(plot.rows) > 1)


def _by_standing(repository: Repository, standings: Standings) -> Bars:
    total = standings.get("explained", 0) + standings.get("facts-only", 0)
    rows = [
        (_found(name.replace("-", " "), repository, f"is:{name}") if count else Link(name.replace("-", " ")), count)
        for name, count in standings.items()
    ]
    return bars("by-standing", "By standing", "Standing", rows if total else [], most=total)


def _by_release(repository: Repository, releases: RepositoryReleases) -> Bars:
    newest = [release.label for release in reversed(releases.lineage.releases) if release.label in releases.scans]
    rows = [
        (_found(label, repository, f"release:{_quoted(label)}"), _seen_in(releases, label))
        for label in newest[:SHOWN_ROWS]
    ]
    left_out = len(newest) - len(rows)
    note = f"{left_out} older releases were read, too." if left_out > 0 else ""
    return bars("by-release", "By release", "Release", rows, note=note)


def _seen_in(releases: RepositoryReleases, label: str) -> int:
    """Return how many entries the scans of a release have seen in it."""
    return sum(int(scan.counts.get(name, 0)) for scan in releases.scans[label] for name in _SEEN)


def _by_module(repository: Repository, module: str) -> Bars:
    """Count entries by the folders below `module`, or below the one that all modules are in."""
    counts = dict(_counted(listed_entries().filter(inside(module), repository=repository), "module"))
    root = module or _main_folder(counts)
    groups = Counter[str]()
    for name, count in counts.items():
        groups[_step_below(name, root)] += count
    largest = sorted(groups.items(), key=lambda item: (-item[1], item[0]))[:SHOWN_ROWS]
    rows = [(_in_module(repository, name, root), count) for name, count in largest]
    left_out = len(groups) - len(rows)
    note = f"{left_out} smaller modules are not in this plot." if left_out > 0 else ""
    return bars("by-module", f"By module below {root}" if root else "By module", "Module", rows, note=note)


def _by_type(repository: Repository) -> Bars:
    entries = ErrorEntry.objects.public().filter(repository=repository).exclude(exception_type="")
    found = list(_counted(entries, "exception_type"))
    largest = sorted(found, key=lambda item: (-item[1], item[0]))[:SHOWN_ROWS]
    rows = [(_found(name, repository, f"type:{_quoted(name)}"), count) for name, count in largest]
    left_out = len(found) - len(rows)
    note = f"{left_out} rarer types are not in this plot." if left_out > 0 else ""
    return bars("by-type", "By exception type", "Exception type", rows, note=note)


def _counted(entries: ErrorEntryQuerySet, column: str) -> Iterator[tuple[str, int]]:
    yield from entries.order_by().values_list(column).annotate(found=Count("pk"))


def _is_inside(name: str, module: str) -> bool:
    return not module or name == module or name.startswith(f"{module}/")


def _main_folder(counts: Mapping[str, int]) -> str:
    """Return the deepest folder that nearly all entries are in or below; nothing where they are spread from the top."""
    least, root = _NEARLY_ALL * sum(counts.values()), ""
    while True:
        below = Counter[str]()
        for name, count in counts.items():
            if _is_inside(name, root):
                below[_step_below(name, root)] += count
        step, count = max(below.items(), key=lambda item: item[1], default=("", 0))
        if count < least or step == root:
            return root
        root = step


def _step_below(name: str, root: str) -> str:
    """Return the folder right below `root` that a module is in, `root` itself, or the topmost one elsewhere."""
    if name == root or not _is_inside(name, root):
        return name if name == root else name.partition("/")[0]
    step = name.removeprefix(f"{root}/").partition("/")[0]
    return f"{root}/{step}" if root else step


def _in_module(repository: Repository, name: str, root: str) -> Link:
    if not name:
        return Link("module not stated")
    if name == root:
        return Link(f"{name} itself")
    query = urlencode({"module": name}, safe="/")
    return Link(name.removeprefix(f"{root}/") if root else name, f"{repository.get_absolute_url()}?{query}")


def _found(text: str, repository: Repository, condition: str) -> Link:
    """Return a link to the search for the entries of a repository for which a filter holds."""
    return Link(text, f"{reverse('entry-list')}?{urlencode({'q': f'repo:{repository.name} {condition}'})}")


def _quoted(value: str) -> str:
    return f'"{value}"' if any(sign.isspace() for sign in value) else value
