"""Ingest: write repository documents, and after two repositories turned out to be one, what follows from both."""

from collections.abc import Sequence

from errorkb.ingest.links.quoted_messages import sync_quotes
from errorkb.ingest.links.report_links import sync_links_of_reports
from errorkb.ingest.links.report_traits import sync_traits
from errorkb.ingest.outcomes import Outcome
from errorkb.ingest.prepared import Prepared
from errorkb.ingest.repositories import write_repositories
from errorkb.ingest.states import WriteContext
from errorkb.models import PullRequest
from errorkb.models.chunks import in_chunks

CHUNK = 50


def write_repository_documents(prepared: Sequence[Prepared], context: WriteContext) -> list[Outcome]:
    """Write repository documents; call within a transaction. Reports of one are then held against entries of both."""
    outcomes = write_repositories(prepared, context)
    if context.joined:
        now = context.clock()
        reports = list(PullRequest.objects.filter(repository__in=context.joined).values_list("pk", flat=True))
        for keys in in_chunks(reports, CHUNK):
            rows = list(PullRequest.objects.filter(pk__in=keys).select_related("repository"))
            sync_quotes(rows, now)
            sync_traits(rows)
            sync_links_of_reports(keys, now)
        context.joined.clear()
    return outcomes
