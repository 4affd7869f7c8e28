"""Ingest: write pull request documents: one row for each repository and number."""

from collections.abc import Iterator, Sequence

from errorkb.core.differences import differences
from errorkb.core.documents import PullRequestDocument, validate_document
from errorkb.core.json_documents import MAX_BYTES, dump_document
from errorkb.core.ownership import merge
from errorkb.core.problems import DocumentError, refuse
from errorkb.core.report_evidence import MOST_FILES, MOST_SNIPPETS
from errorkb.ingest.links.quoted_messages import sync_quotes
from errorkb.ingest.links.report_links import sync_links_of_reports
from errorkb.ingest.links.report_traits import sync_traits
from errorkb.ingest.outcomes import Outcome, refused, status_of
from errorkb.ingest.prepared import Prepared, pull_request_columns
from errorkb.ingest.repositories import ensure_repositories, find_repositories, touch
from errorkb.ingest.states import WriteContext, begin_state, next_state, set_columns
from errorkb.models import PullRequest, Repository, Revision, SearchRow
from errorkb.search.row_tokens import tokens_for_pull_request

Key = tuple[int, int]
# So many of a report's parts are read for what they say of errors; all are kept.
_READ = (("key_files", MOST_FILES), ("snippets", MOST_SNIPPETS))


def write_pull_requests(prepared: Sequence[Prepared], context: WriteContext) -> list[Outcome]:
    """Write a batch of pull request documents with all that follows from them; call within a transaction."""
    now = context.clock()
    names = {item.raw["repository"] for item in prepared}
    known = find_repositories(names).keys()
    repositories = ensure_repositories(names, now)
    batch = _PullRequestBatch(context, repositories, _stored(prepared, repositories))
    batch.unknown = {name.lower() for name in names} - known
    outcomes = [batch.write(item) for item in prepared]
    if batch.written:
        sync_quotes(list(batch.written.values()), now)
        sync_traits(list(batch.written.values()))
        sync_links_of_reports(batch.written, now)
    touch((repository.pk for repository in repositories.values()), now)
    return outcomes


def _stored(prepared: Sequence[Prepared], repositories: dict[str, Repository]) -> dict[Key, PullRequest]:
    rows = PullRequest.objects.filter(
        repository__in=repositories.values(), number__in={item.raw["number"] for item in prepared}
    ).select_related("repository")
    return {(row.repository_id, row.number): row for row in rows}


class _PullRequestBatch:
    """One batch on its way into the database."""

    def __init__(
        self, context: WriteContext, repositories: dict[str, Repository], stored: dict[Key, PullRequest]
    ) -> None:
        self.context = context
        self.repositories = repositories
        self.stored = stored
        self.written: dict[int, PullRequest] = {}
        self.unknown: set[str] = set()

    def write(self, item: Prepared) -> Outcome:
        repository = self.repositories[item.raw["repository"].lower()]
        row = self.stored.get((repository.pk, item.raw["number"]))
        try:
            return self._create(repository, item) if row is None else self._merge(row, item)
        except DocumentError as error:
            return refused(item.where, error.problems)

    def _create(self, repository: Repository, item: Prepared) -> Outcome:
        row = PullRequest(repository=repository)
        set_columns(row, item.columns)
        begin_state(row, item.text, item.content_hash, item.writer, self.context.clock())
        row.save()
        self.written[row.pk] = row
        if item.tokens is not None:
            SearchRow.objects.create(pull_request=row, **item.tokens._asdict())
        self._claim(row, item.writer)
        shown = differences({}, item.raw) if self.context.show_differences else ()
        status = status_of(created=True, changed=True, conflicts=())
        return Outcome(item.where, status, str(row), differences=shown, notes=tuple(self._notes(item)))

    def _notes(self, item: Prepared) -> Iterator[str]:
        """Yield what somebody who brings a report may want to look at, once for each repository."""
        if (name := item.raw["repository"]).lower() in self.unknown:
            self.unknown.remove(name.lower())
            yield f"nothing here was about {name} before; see that its name is right"
        report = item.raw.get("report") or {}
        for name, most in _READ:
            if (count := len(report.get(name) or ())) > most:
                yield f"of its {count:,} {name.replace('_', ' ')}, the first {most:,} are looked at for errors"

    def _merge(self, row: PullRequest, item: Prepared) -> Outcome:
        stored = row.as_document()
        offered = item.raw | {"repository": stored["repository"]}
        merged = merge(stored, row.owners, offered, item.writer, force=self.context.force)
        if merged.changed:
            if self.context.claimed.writer(row.pk) == item.writer:
                raise refuse("$", f"this load has already brought {row} with other values; expected it once")
            self._change(row, merged.document, merged.owners, item.writer)
        self._claim(row, item.writer)
        shown = differences(stored, merged.document) if self.context.show_differences else ()
        status = status_of(created=False, changed=merged.changed, conflicts=merged.conflicts)
        return Outcome(item.where, status, str(row), conflicts=merged.conflicts, differences=shown)

    def _change(self, row: PullRequest, document: dict, owners: dict[str, str], writer: str) -> None:
        if len(dump_document(document).encode("utf-8")) > MAX_BYTES:
            raise refuse("$", "together with what is stored, this would be over 8 MiB")
        columns = pull_request_columns(validate_document(PullRequestDocument, document))
        revisions = next_state(row, document, owners, writer, self.context.clock(), self.context)
        set_columns(row, columns)
        row.save()
        self.written[row.pk] = row
        Revision.objects.bulk_create(revisions)
        SearchRow.objects.filter(pull_request=row).update(**tokens_for_pull_request(document)._asdict())

    def _claim(self, row: PullRequest, writer: str) -> None:
        self.stored[row.repository_id, row.number] = row
        self.context.claimed.note(row.pk, writer)
