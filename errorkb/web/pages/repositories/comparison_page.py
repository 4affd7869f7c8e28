"""Web pages: two releases of a repository compared: which errors came, changed their words, moved, or went."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import cast

from django.http import Http404, QueryDict

from errorkb.core.identity import entry_title
from errorkb.core.paste_bytes import tidy_paste
from errorkb.core.releases.changes import Sight
from errorkb.core.word_differences import WordDifference, word_difference
from errorkb.models import Repository
from errorkb.serving.addresses import absolute_url
from errorkb.serving.comparisons import (
    KINDS,
    ChangeKind,
    Comparison,
    ComparisonError,
    EntryChange,
    compare,
    read_releases,
)
from errorkb.serving.releases import releases_of
from errorkb.web.pages.links import Link
from errorkb.web.pages.slices import Pager, page_number, pager
from errorkb.web.pages.texts import joined, shortened

PAGE_SIZE = 100
TITLE_LENGTH = 400
# Longer names are no releases.
MAX_RELEASE = 300

_HEADINGS = {"added": "Added", "reworded": "Reworded", "moved": "Moved", "removed": "Removed"}


@dataclass(frozen=True)
class ShownChange:
    """One error: a link to it, where it is, where it was, and its old and new words."""

    link: Link
    place: str
    was_at: str
    wording: WordDifference | None


@dataclass(frozen=True)
class ModuleChanges:
    """The changes of one kind in one module."""

    module: Link
    changes: tuple[ShownChange, ...]


@dataclass(frozen=True)
class KindChanges:
    """The changes of one kind on this page."""

    kind: str
    title: str
    count: int
    modules: tuple[ModuleChanges, ...]


@dataclass(frozen=True)
class ComparisonPage:
    """What the template reads; `problem` says why there is no comparison, `swapped` leads to the one the other way."""

    repository: Link
    address: str
    releases: tuple[str, ...]
    old: str
    new: str
    module: str
    kind: str
    problem: str
    swapped: str
    counts: tuple[Link, ...]
    kinds: tuple[KindChanges, ...]
    pager: Pager
    json_path: str
    status: int = 200

    @property
    def canonical(self) -> str:
        return absolute_url(self.pager.here)

    @property
    def title(self) -> str:
        if not (self.old and self.new):
            return f"{self.repository.text}: compare two releases"
        return f"{self.repository.text}: errors from {self.old} to {self.new}"


def comparison_page(repository: Repository, parameters: QueryDict) -> ComparisonPage:
    """Return the page for the parameters `from`, `to`, `module`, `kind` and `page`; without any, only its form.

    Raises Http404 where there is no such page of a comparison.
    """
    known, number = _known(parameters), page_number(parameters)
    releases = releases_of(repository)
    read = read_releases(releases)
    if not ("from" in known and "to" in known):
        return _page(repository, known, read, _ends(known, read))
    ends = (str(known["from"]), str(known["to"]))
    try:
        found = compare(releases, *ends, module=str(known.get("module", "")))
    except ComparisonError as error:
        return _page(repository, known, read, ends, error=error)
    return _page(repository, known, read, (found.old, found.new), found=found, number=number)


def _ends(known: QueryDict, read: Sequence[str]) -> tuple[str, str]:
    """Return what the form offers: what is asked for, else the last two releases."""
    before, last = (read[1] if len(read) > 1 else ""), (read[0] if read else "")
    return str(known.get("from", before)), str(known.get("to", last))


def _page(
    repository: Repository,
    known: QueryDict,
    read: Sequence[str],
    ends: tuple[str, str],
    *,
    found: Comparison | None = None,
    error: ComparisonError | None = None,
    number: int = 1,
) -> ComparisonPage:
    address = f"{repository.get_absolute_url()}compare/"
    kind = cast(ChangeKind, known["kind"]) if "kind" in known else None
    count = max(1, ceil(found.total(kind) / PAGE_SIZE)) if found else 1
    if number > count:
        raise Http404("no such page")
    changes = found.changes((number - 1) * PAGE_SIZE, number * PAGE_SIZE, kind) if found else []
    return ComparisonPage(
        repository=Link(repository.name, repository.get_absolute_url()),
        address=address,
        releases=tuple(read),
        old=ends[0],
        new=ends[1],
        module=known.get("module", ""),
        kind=kind or "",
        problem=str(error) if error else "",
        swapped=_with(address, known, **{"from": ends[1], "to": ends[0]}) if error and error.is_swapped else "",
        counts=tuple(_counts(address, known, found)) if found else (),
        kinds=tuple(_kinds(address, known, found, changes)) if found else (),
        pager=pager(address, known, number, count),
        json_path=f"/api/repositories/{repository.name}/compare?{known.urlencode()}" if found else "",
        status=422 if error else 200,
    )


def _known(parameters: QueryDict) -> QueryDict:
    """Return the parameters that mean something here."""
    known = QueryDict(mutable=True)
    for name in ("from", "to", "module"):
        if value := tidy_paste(parameters.get(name, "")[:MAX_RELEASE]).strip():
            known[name] = value
    if (kind := parameters.get("kind", "")) in KINDS:
        known["kind"] = kind
    return known


def _with(address: str, known: QueryDict, **changed: str) -> str:
    """Return the address of a comparison with some parameters changed; what is empty is left out."""
    parameters = known.copy()
    for name, value in changed.items():
        parameters.pop(name, None)
        if value:
            parameters[name] = value
    return f"{address}?{parameters.urlencode(safe='/')}"


def _counts(address: str, known: QueryDict, found: Comparison) -> Iterator[Link]:
    """Yield how many changes there are of each kind, with their lists; and the way back to all."""
    for kind, count in found.counts.items():
        yield Link(f"{count:,} {kind}", _with(address, known, kind=kind) if count else None)
    if "kind" in known:
        yield Link("all kinds", _with(address, known, kind=""))
    if "module" in known:
        yield Link("all modules", _with(address, known, module=""))


def _kinds(address: str, known: QueryDict, found: Comparison, changes: Sequence[EntryChange]) -> Iterator[KindChanges]:
    for kind, several in groupby(changes, key=lambda change: change.kind):
        modules = groupby(several, key=lambda change: change.module)
        shown = tuple(
            ModuleChanges(
                Link(module or "no folder", _with(address, known, module=module) if module else None),
                tuple(map(_shown, group)),
            )
            for module, group in modules
        )
        yield KindChanges(kind, _HEADINGS[kind], found.counts[kind], shown)


def _shown(change: EntryChange) -> ShownChange:
    sight = change.new or change.old
    assert sight is not None
    title = shortened(entry_title(change.exception_type, sight.message, sight.symbol), TITLE_LENGTH)
    both = change.old is not None and change.new is not None
    was_at = change.old if change.old and both and _where(change.old) != _where(sight) else None
    is_reworded = change.kind == "reworded" and change.old is not None
    return ShownChange(
        link=Link(title, f"/errors/{change.public_id}/"),
        place=_in_words(sight),
        was_at=_in_words(was_at) if was_at else "",
        wording=word_difference(change.old.message, sight.message) if is_reworded and change.old else None,
    )


def _where(sight: Sight) -> tuple[str, str]:
    return sight.path, sight.symbol


def _in_words(sight: Sight) -> str:
    return joined((f"{sight.path}:{sight.line}", sight.symbol), " in ")
