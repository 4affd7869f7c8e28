"""Ingest: which pull requests introduced, reworded, moved and removed entries: what git tells of two scans.

It follows from the sightings of a scan and of the one before it. Nothing is claimed where git does not tell.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from pathlib import Path

from django.db.models import F
from django.db.models.functions import Coalesce

from errorkb.ingest.links.report_links import sync_report_links
from errorkb.ingest.repositories import touch
from errorkb.ingest.scanned import CommitLinks
from errorkb.ingest.transactions import writing
from errorkb.models import ErrorEntry, FoundPullRequest, Scan, Sighting
from errorkb.models.chunks import in_chunks
from errorkb.scanning.change_commits import ChangeCommit, Question, find_change_commits
from errorkb.scanning.checkouts import find_checkout
from errorkb.scanning.git import Git
from errorkb.scanning.needles import SiteSource, piece_of, site_source

SECONDS = 60.0
_SHOWN_COMMIT = 10
_SHOWN_TEXT = 120

_GIT = FoundPullRequest.Origin.GIT
_values = attrgetter("entry_id", "number", "role", "commit", "committed_at", "since", "until", "evidence")
_UNREAD = ("conditions", "signature", "wordings")

_DID = {
    "introduced": "commit {commit} added “{text}” to {path}",
    "reworded": "commit {commit} put “{text}” into {path}",
    "moved": "commit {commit} brought “{text}” into {path}",
    "removed": "commit {commit} took “{text}” out of {path}",
}


@dataclass(frozen=True)
class _Change:
    """What happened to an entry between two scans, and the question that asks git who did it."""

    entry: int
    role: str
    question: Question


def scan_before(scan: Scan) -> Scan | None:
    """Return the scan of the same part of a repository that a scan is compared with: of the release that it came from.

    That is the newest one of the release's own ancestors, else the one before it in the order of releases; scans of no
    commit tell nothing.
    """
    same = {"repository": scan.repository_id, "path_prefix": scan.path_prefix, "package": scan.package}
    before = Scan.objects.filter(**same, rank__lt=scan.rank, dirty=False).exclude(commit="").order_by("-rank", "-pk")
    parents = scan.of_release.parents if scan.of_release else scan.follows
    return before.filter(of_release__name__in=parents).first() or before.first()


def scans_after(scan: Scan) -> list[Scan]:
    """Return the scans that are compared with a scan, in the order of releases."""
    same = {"repository": scan.repository_id, "path_prefix": scan.path_prefix, "package": scan.package}
    after = Scan.objects.filter(**same, rank__gt=scan.rank, dirty=False).exclude(commit="").order_by("rank", "pk")
    nearest = list(after.select_related("of_release")[:10])
    return [one for one in nearest if (before := scan_before(one)) is not None and before.pk == scan.pk]


def link_scan(scan: Scan, folder: Path, *, now: datetime) -> CommitLinks:
    """Store what the git data of a folder tells of a scan, and of those that are compared with it; see `link_commits`.

    A folder without git tells nothing.
    """
    found = find_checkout(folder)
    if found is None or not scan.commit:
        return CommitLinks()
    git, told = Git(found[0].absolute()), CommitLinks()
    for one in (scan, *scans_after(scan)):
        told += link_commits(one, git, now=now)
    return told


def link_commits(
    scan: Scan,
    git: Git,
    *,
    now: datetime,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> CommitLinks:
    """Store what git tells of the changes between a scan and the one before it; the same again changes nothing.

    `seconds` bounds the time that git may take. Where there is no scan before it, every entry may be older than that:
    nothing is asked.
    """
    before = scan_before(scan) if scan.commit and not scan.dirty else None
    if before is None:
        return CommitLinks()
    changes = list(_changes(before, scan))
    questions = [change.question for change in changes]
    told = find_change_commits(git, before.commit, scan.commit, questions, seconds=seconds, clock=clock)
    rows = [
        _row(change, told.found[change.question.key], before, scan)
        for change in changes
        if change.question.key in told.found
    ]
    _store(scan, rows, now, is_cut=bool(told.cut))
    return CommitLinks(len(changes), len(rows), told.cut)


def _changes(before: Scan, scan: Scan) -> Iterator[_Change]:
    """Yield what happened to entries between two scans, as far as there is something to ask git for."""
    older, newer = _contents(before), _contents(scan)
    came = [entry for entry in newer if entry not in older]
    went = [entry for entry in older if entry not in newer]
    changed = [entry for entry in newer if entry in older and newer[entry] != older[entry]]
    earlier = _seen_earlier(came, before)
    rows = _whole([*(newer[entry] for entry in (*came, *changed)), *(older[entry] for entry in (*went, *changed))])
    for entry in came:
        if entry not in earlier:
            yield from _one(entry, "introduced", rows.get(newer[entry]))
    for entry in went:
        yield from _one(entry, "removed", rows.get(older[entry]))
    for entry in changed:
        old, new = rows.get(older[entry]), rows.get(newer[entry])
        if old and new and old.template != new.template:
            yield from _one(entry, "reworded", new, unlike=old)
        if old and new and old.path != new.path:
            yield from _one(entry, "moved", new)


def _contents(scan: Scan) -> dict[int, int]:
    """Return the entries of a scan, each with the sighting (primary keys) that holds what was seen."""
    rows = Sighting.objects.filter(scan=scan).annotate(whole=Coalesce(F("same_as"), F("pk")))
    return dict(rows.order_by("entry").values_list("entry", "whole"))


def _seen_earlier(entries: Sequence[int], before: Scan) -> set[int]:
    """Return those of the entries that releases before a scan had: they have come back."""
    return {
        entry
        for chunk in in_chunks(entries)
        for entry in Sighting.objects.filter(entry__in=chunk, scan__rank__lt=before.rank)
        .order_by()
        .values_list("entry", flat=True)
        .distinct()
    }


def _whole(keys: Iterable[int]) -> dict[int, Sighting]:
    rows = (Sighting.objects.defer(*_UNREAD).in_bulk(chunk) for chunk in in_chunks(dict.fromkeys(keys)))
    return {pk: row for chunk in rows for pk, row in chunk.items()}


def _one(entry: int, role: str, seen: Sighting | None, *, unlike: Sighting | None = None) -> Iterator[_Change]:
    if seen is None or not seen.snippet:
        return
    piece = piece_of(_source(seen), unlike=_source(unlike) if unlike else None)
    if piece is None:
        return
    key, came = (entry, role), role != "removed"
    yield _Change(entry, role, Question(key, seen.path, piece.text, came, not piece.is_text, follows=role != "moved"))


def _source(seen: Sighting) -> SiteSource:
    start = int(seen.snippet.get("start_line") or 1)
    return site_source(str(seen.snippet.get("code") or ""), start, seen.line, seen.end_line, [seen.template])


def _row(change: _Change, told: ChangeCommit, before: Scan, scan: Scan) -> FoundPullRequest:
    commit, brought = told.commit, told.brought
    text = told.text if len(told.text) <= _SHOWN_TEXT else f"{told.text[:_SHOWN_TEXT]}…"
    did = _DID[change.role].format(commit=commit.name[:_SHOWN_COMMIT], text=text, path=told.path)
    evidence = [{"kind": "commit", "text": f"{did}: {commit.subject[:300]}"}]
    if brought is not None:
        words = brought.words[:300]
        by = "its own message" if brought.by == commit.name else f"the merge {brought.by[:_SHOWN_COMMIT]}"
        evidence.append({"kind": "merge", "text": f"{by} names #{brought.number}: {words}"})
    return FoundPullRequest(
        entry_id=change.entry,
        repository_id=scan.repository_id,
        number=brought.number if brought else None,
        role=change.role,
        origin=_GIT,
        scan=scan,
        commit=commit.name[:40],
        committed_at=commit.date,
        since=before.label,
        until=scan.label,
        evidence=evidence,
    )


def _store(scan: Scan, rows: Sequence[FoundPullRequest], now: datetime, *, is_cut: bool) -> None:
    """Put what git has told of a scan in place of what it told before, unless it has told less for want of time."""
    with writing():
        stored = list(FoundPullRequest.objects.filter(scan=scan, origin=_GIT).order_by("pk"))
        if list(map(_values, stored)) == list(map(_values, rows)) or (is_cut and len(rows) <= len(stored)):
            return
        FoundPullRequest.objects.filter(scan=scan, origin=_GIT).delete()
        FoundPullRequest.objects.bulk_create(rows)
        changed = list(dict.fromkeys(row.entry_id for row in (*stored, *rows)))
        for chunk in in_chunks(changed):
            ErrorEntry.objects.filter(pk__in=chunk).update(modified_at=now)
        sync_report_links(changed, now)
        touch([scan.repository_id], now)
