"""Web pages: an entry's standing in one line, and who analysed it in a sentence."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from errorkb.core.documents import Analysis, EntryDocument, ReleaseRange
from errorkb.core.forges import RepositoryLinks, is_commit
from errorkb.core.moments import moment_in_words
from errorkb.web.pages.entries.sightings import Seen
from errorkb.web.pages.links import Link, outside

_METHODS = {"human": "Written by a person", "ai-assisted": "AI-assisted", "scanner": "Found by a scanner"}
_ANALYSES = {"human": "Analysis by a person", "ai-assisted": "AI-assisted analysis", "scanner": "A scanner's analysis"}


@dataclass(frozen=True)
class Standing:
    """How far an entry can be trusted: `level` is reviewed, unreviewed, facts or withdrawn."""

    level: str
    phrases: tuple[Link, ...]


def standing_of(
    document: EntryDocument,
    links: RepositoryLinks | None,
    seen: Seen | None = None,
    *,
    is_stale: bool = False,
    doubts: tuple[Link, ...] = (),
    span: str = "",
) -> Standing:
    """Return the line of standing: who wrote it, whether it was reviewed, for which pin, in which releases.

    `seen` is what scans say of it, None where none has seen it; `is_stale` says that they saw other code around it,
    `doubts` what else speaks against its words; `span` says in which releases scans saw it.
    """
    level = _level(document)
    phrases = [Link(_opening(document, level)), *_written_for(document, links, seen)]
    phrases += [Link("the code around it has changed since", "#changes")] if is_stale else []
    return Standing(level, (*phrases, *doubts, *_reach(document, seen, span)))


def pin_of(document: EntryDocument) -> str:
    """Return the commit or release that a location and its link are true for; nothing where none is stated."""
    source = document.source
    return (source and (source.commit or source.release)) or ""


def range_in_words(releases: ReleaseRange | None) -> str:
    """Return `in 0.5.18 to 0.5.23`, `since 0.5.18`, `until 0.5.23`, or nothing where no release is stated."""
    if releases is None:
        return ""
    first, last = releases.first, releases.last
    if first and last:
        return f"in {first}" if first == last else f"in {first} to {last}"
    if first:
        return f"since {first}"
    return f"until {last}" if last else ""


def provenance_of(document: EntryDocument) -> str:
    """Return who or what analysed an entry, at which commit, when, and whether a person has reviewed it."""
    analysis = document.analysis
    if analysis is None:
        return f"Who analysed this error of {document.repository} is not stated. Not reviewed by a person."
    opening = _ANALYSES.get(analysis.method or "", "Analysis")
    model = f" by {analysis.model}" if analysis.model else ""
    commit = f" at {analysis.commit}" if analysis.commit else ""
    date = f", dated {moment_in_words(analysis.date)}" if analysis.date else ""
    return f"{opening}{model} of {document.repository}{commit}{date}. {_review(analysis)}"


def _level(document: EntryDocument) -> str:
    if document.state == "withdrawn":
        return "withdrawn"
    if not is_explained(document):
        return "facts"
    return "reviewed" if document.analysis and document.analysis.reviewed else "unreviewed"


def is_explained(document: EntryDocument) -> bool:
    """Return whether an entry has a meaning or a solution; otherwise it is facts only."""
    return bool(document.meaning or document.solutions)


def _opening(document: EntryDocument, level: str) -> str:
    if level == "withdrawn":
        return "Withdrawn"
    method = _METHODS.get((document.analysis and document.analysis.method) or "", "")
    if level == "facts":
        return "Facts only: nobody has explained it yet"
    review = "reviewed by a person" if level == "reviewed" else "not reviewed by a person"
    return f"{method}, {review}" if method else review.capitalize()


def _written_for(document: EntryDocument, links: RepositoryLinks | None, seen: Seen | None) -> Iterator[Link]:
    pin = (document.analysis and document.analysis.commit) or pin_of(document)
    if pin and (is_explained(document) or not seen):
        url = links.commit(pin) if links and is_commit(pin) else None
        verb = "written for" if is_explained(document) else "seen at"
        yield outside(f"{verb} {pin}", url)


def _reach(document: EntryDocument, seen: Seen | None, span: str) -> Iterator[Link]:
    if range_in_words(document.releases):
        yield Link(range_in_words(document.releases))
    elif span:
        yield Link(span, "#timeline")
    if seen:
        yield replace(seen.release, text=f"seen in {seen.release.text}")
    removed = (document.releases and document.releases.removed) or (seen and seen.gone_in)
    if removed:
        yield Link(f"removed in {removed}")
    yield Link("check your version", "#versions")


def _review(analysis: Analysis) -> str:
    if not analysis.reviewed:
        return "Not reviewed by a person."
    who = f" by {analysis.reviewed_by}" if analysis.reviewed_by else " by a person"
    when = f", {moment_in_words(analysis.reviewed_at)}" if analysis.reviewed_at else ""
    return f"Reviewed{who}{when}."
