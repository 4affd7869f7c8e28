"""Models: the rows of the database, one module for each family."""

from errorkb.models.documents import DocumentRow
from errorkb.models.entries import EntryIdentifier, EntryPullRequest, ErrorEntry
from errorkb.models.found_pull_requests import (
    FoundPullRequest,
    PullRequestJudgement,
    PullRequestMention,
    QuotedMessage,
    ReportTrait,
)
from errorkb.models.misses import Miss
from errorkb.models.pull_requests import PullRequest
from errorkb.models.releases import Release
from errorkb.models.renderings import Rendering
from errorkb.models.repositories import Repository, RepositoryAlias
from errorkb.models.revisions import Batch, Revision
from errorkb.models.search_rows import SearchRow
from errorkb.models.search_words import SearchWord
from errorkb.models.sightings import Scan, Sighting
from errorkb.models.wordings import Wording

__all__ = [
    "Batch",
    "DocumentRow",
    "EntryIdentifier",
    "EntryPullRequest",
    "ErrorEntry",
    "FoundPullRequest",
    "Miss",
    "PullRequest",
    "PullRequestJudgement",
    "PullRequestMention",
    "QuotedMessage",
    "Release",
    "Rendering",
    "ReportTrait",
    "Repository",
    "RepositoryAlias",
    "Revision",
    "Scan",
    "SearchRow",
    "SearchWord",
    "Sighting",
    "Wording",
]
