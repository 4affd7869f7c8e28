"""Web pages: where the links of a pull request's page lead: files at a pin, entries, other pull requests."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from errorkb.core.documents import PullRequestDocument
from errorkb.core.forges import repository_links
from errorkb.models import ErrorEntry, PullRequest
from errorkb.serving.known_pull_requests import TouchedEntry
from errorkb.web.pages.links import Link, outside

# So many linked entries are asked for their pin.
PIN_CANDIDATES = 20


@dataclass(frozen=True)
class FilePin:
    """The commit, release or branch that links to files lead to, and which of them it is, in words."""

    pin: str
    note: str
    is_branch: bool = False


def file_pin(row: PullRequest, document: PullRequestDocument, touched: Sequence[TouchedEntry]) -> FilePin:
    """Return the merge commit, else the pin of an entry that the pull request touched, else the default branch."""
    if document.merge_commit:
        return FilePin(document.merge_commit, f"Links lead to the merge commit, {document.merge_commit}.")
    pin = _pin_of_entries(row, touched)
    if pin:
        return FilePin(pin, f"The merge commit is not stated; links lead to {pin}, the pin of an error listed here.")
    branch = row.repository.default_branch
    named = f"the default branch, {branch}" if branch else "the default branch"
    note = f"The merge commit is not stated; links lead to {named}, where the files may have changed since."
    return FilePin(branch or "HEAD", note, is_branch=True)


def _pin_of_entries(row: PullRequest, touched: Sequence[TouchedEntry]) -> str:
    keys = [one.entry.pk for one in touched[:PIN_CANDIDATES]]
    for entry in ErrorEntry.objects.filter(pk__in=keys, repository=row.repository_id):
        source = entry.as_document().get("source") or {}
        if pin := source.get("commit") or source.get("release"):
            return str(pin)
    return ""


def file_link(row: PullRequest, path: str, pin: FilePin) -> Link:
    """Return a file's path, as a link where the forge is known."""
    links = row.repository.links()
    if links is None or not path:
        return Link(path)
    return outside(path, links.branch_blob(path, pin.pin) if pin.is_branch else links.blob(path, pin.pin))


class PullRequestIndex:
    """The pull requests that a document names, found with one query; those not loaded lead to the forge."""

    def __init__(self, row: PullRequest, named: Sequence[tuple[str | None, int]]) -> None:
        self._row = row
        self._rows = self._load([(name, number) for name, number in named if name or number != row.number])

    def _load(self, named: Sequence[tuple[str | None, int]]) -> dict[tuple[str, int], PullRequest]:
        if not named:
            return {}
        numbers = {number for _, number in named}
        names = {name.lower() for name, _ in named if name}
        of = (
            Q(repository=self._row.repository_id) | Q(repository__key__in=names) | Q(repository__aliases__key__in=names)
        )
        rows = PullRequest.objects.filter(of, number__in=numbers).select_related("repository").defer("document")
        rows = rows.prefetch_related("repository__aliases").distinct()
        return {(key, row.number): row for row in rows for key in _keys(row)}

    def row(self, name: str | None, number: int) -> PullRequest | None:
        """Return the row of a pull request, if it is loaded."""
        return self._rows.get(((name or self._row.repository.name).lower(), number))

    def link(self, name: str | None, number: int) -> Link:
        """Return its number, with its repository where the document names one: a link to its page or to the forge."""
        text = f"{name} #{number}" if name else f"#{number}"
        row = self.row(name, number)
        if row:
            return Link(text, row.get_absolute_url())
        links = repository_links(name) if name else self._row.repository.links()
        return outside(text, links.pull_request(number) if links else None)


def _keys(row: PullRequest) -> tuple[str, ...]:
    return row.repository.key, *(alias.key for alias in row.repository.aliases.all())
