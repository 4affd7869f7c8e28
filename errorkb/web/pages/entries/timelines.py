"""Web pages: what releases did to an entry, as a strip and as a table, and whether a reader's own release has it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from errorkb.core.moments import moment_in_words
from errorkb.core.releases.answers import Verdict
from errorkb.core.releases.changes import Change, Kind, Sight, release_changes
from errorkb.core.releases.ranges import BranchRange, EntryRange
from errorkb.core.word_differences import WordDifference, word_difference
from errorkb.models import ErrorEntry, Scan
from errorkb.serving.affected import affected
from errorkb.serving.entry_histories import EntryHistory, entry_history
from errorkb.serving.places import pinned
from errorkb.serving.pull_requests import PullRequestLinked
from errorkb.web.pages.entries.release_strips import Strip, release_strip
from errorkb.web.pages.links import Link, outside
from errorkb.web.pages.texts import joined

# So many changes are told, the latest ones.
SHOWN_CHANGES = 50
# So many branches are told of in words, the newest ones.
SHOWN_BRANCHES = 8
COMMIT_DIGITS = 10

_WORDS = {
    Kind.INTRODUCED: "introduced",
    Kind.SEEN: "first release read",
    Kind.MOVED: "moved",
    Kind.REWORDED: "reworded",
    Kind.REMOVED: "removed",
    Kind.RETURNED: "returned",
}
_VERDICTS = {Verdict.YES: "Yes", Verdict.NO: "No", Verdict.UNKNOWN: "Not known"}


@dataclass(frozen=True)
class ShownChange:
    """A row of the table: what happened in which release, and which commit and pull requests did it."""

    kind: str
    words: str
    release: str
    date: str
    commit: Link | None
    place: Link | None
    was_at: str
    wording: WordDifference | None
    pull_requests: tuple[Link, ...]


@dataclass(frozen=True)
class ShownAnswer:
    """What is answered about a reader's own release."""

    verdict: str
    word: str
    asked: str
    reason: str
    place: Link | None


@dataclass(frozen=True)
class EntryTimeline:
    """What the templates read; `summary` says in a sentence which releases have the entry, `span` as a phrase."""

    address: str
    span: str
    summary: str
    strip: Strip | None
    changes: tuple[ShownChange, ...]
    answer: ShownAnswer | None
    asked: str
    example: str


def entry_timeline(entry: ErrorEntry, pulls: Sequence[PullRequestLinked], asked: str) -> EntryTimeline:
    """Return the timeline of an entry that was loaded with its repository, and the answer for what is asked."""
    history = entry_history(entry)
    lineage, has = history.known.lineage, history.known.has
    changes = release_changes(lineage, has, history.sights) if any(has.values()) else []
    summary = _summary(history)
    read = [release for release in lineage.releases if release.label in has] or list(lineage.releases)
    return EntryTimeline(
        address=entry.get_absolute_url(),
        span=_phrase(history),
        summary=summary,
        strip=release_strip(lineage, has, changes, summary) if changes else None,
        changes=tuple(_shown(history, change, pulls) for change in changes[: -SHOWN_CHANGES - 1 : -1]),
        answer=_answer(history, asked) if asked.strip() else None,
        asked=asked,
        example=read[-1].version.text if read and read[-1].version else "",
    )


def _answer(history: EntryHistory, asked: str) -> ShownAnswer:
    found = affected(history, asked)
    place = found.place
    where = f"{joined((place.path, str(place.line or '')), ':')} in {found.release}" if place else ""
    verdict = found.answer.verdict
    return ShownAnswer(
        str(verdict), _VERDICTS[verdict], asked.strip(), found.reason, outside(where, place.url) if place else None
    )


def _phrase(history: EntryHistory) -> str:
    """Return the first and the last release of several that scans saw to have an entry; nothing for one or none."""
    found, has = history.range(), history.known.has
    if len(found.having) < 2:
        return ""
    places = history.known.lineage.places
    between = [label for label in has if places[found.first] <= places[label] <= places[found.last]]
    count = f"{len(found.having)} releases, " if len(between) > len(found.having) else ""
    return f"in {count}{found.first} to {found.last}"


def _summary(history: EntryHistory) -> str:
    found = history.range()
    if not found.having:
        stated = _range_in_words(found)
        return f"Its document says: {stated}. No scan has told yet." if stated else "No scan has told yet."
    count, total = len(found.having), len(history.known.has)
    if total == 1:
        return f"We have read one release, {found.first}, which has it."
    told = f"{count} of the {total} releases that we have read have it"
    if found.branches:
        rest = len(found.branches) - SHOWN_BRANCHES
        more = f" And on {rest} older branches." if rest > 0 else ""
        shown = (f" On {one.branch}: {_range_in_words(one)}." for one in found.branches[:SHOWN_BRANCHES])
        return f"{told}.{''.join(shown)}{more}"
    back = f" It came back in {', '.join(found.returned)}." if found.returned else ""
    return f"{told}: {_range_in_words(found)}.{back}"


def _range_in_words(found: EntryRange | BranchRange) -> str:
    if not found.removed and found.last and found.last != found.first:
        return f"introduced in {found.introduced}, still in {found.last}" if found.introduced else _span(found)
    start = f"introduced in {found.introduced}" if found.introduced else f"from {found.first} on" if found.first else ""
    return joined((start, f"removed in {found.removed}" if found.removed else ""), ", ")


def _span(found: EntryRange | BranchRange) -> str:
    return f"from {found.first} to {found.last}" if found.first else f"until {found.last}"


def _shown(history: EntryHistory, change: Change, pulls: Sequence[PullRequestLinked]) -> ShownChange:
    scan = next(iter(history.releases.scans.get(change.release, ())), None)
    release = history.known.lineage.releases[history.known.lineage.places[change.release]]
    links = history.entry.repository.links()
    commit = (
        outside(f"commit {release.commit[:COMMIT_DIGITS]}", links.commit(release.commit))
        if links and release.commit
        else None
    )
    return ShownChange(
        kind=str(change.kind),
        words=_WORDS[change.kind],
        release=change.release,
        date=_date(history.releases.dates, change.release, scan),
        commit=commit,
        place=_place(history, change.new, scan),
        was_at=_place_in_words(change.old) if change.kind is Kind.MOVED and change.old else "",
        wording=_wording(change),
        pull_requests=tuple(_pull_requests(change, pulls)),
    )


def _wording(change: Change) -> WordDifference | None:
    if change.kind is not Kind.REWORDED or change.old is None or change.new is None:
        return None
    return word_difference(change.old.message, change.new.message)


def _date(dates: Mapping[str, str], label: str, scan: Scan | None) -> str:
    stated = dates.get(label) or (scan.committed_at.isoformat() if scan and scan.committed_at else "")
    return moment_in_words(stated).partition(" ")[0] if stated else ""


def _place(history: EntryHistory, sight: Sight | None, scan: Scan | None) -> Link | None:
    if sight is None:
        return None
    url = pinned(history.entry, sight.path, sight.line, None, sight.symbol, scan.pin).url if scan else ""
    return outside(f"{sight.path}:{sight.line}", url)


def _place_in_words(sight: Sight) -> str:
    return joined((f"{sight.path}:{sight.line}", sight.symbol), " in ")


def _pull_requests(change: Change, pulls: Sequence[PullRequestLinked]) -> Iterator[Link]:
    """Yield the pull requests, or commits, that are known to have done what happened in a release."""
    for pull in pulls:
        if pull.role == str(change.kind) and pull.until in ("", change.release):
            name = f"#{pull.number}" if pull.number else f"commit {pull.commit[:COMMIT_DIGITS]}"
            has_page = pull.pull_request is not None
            yield Link(name, pull.page_path) if has_page else outside(name, pull.forge_url or pull.page_path)
