"""API, shapes: repositories, and how much of each is known."""

from pydantic import Field

from errorkb.api.shapes.base import Moment, Shape
from errorkb.core.documents import RepositoryDocument


class Counts(Shape):
    """How many of a repository's public entries and pull requests are loaded."""

    entries: int
    explained: int
    facts_only: int
    reviewed: int
    pull_requests: int


class RepositorySummary(Shape):
    """A repository in a list."""

    name: str
    counts: Counts
    html_url: str = Field(description="the page")
    url: str = Field(description="the repository as JSON")


class RepositoryPage(Shape):
    """A page of the list of repositories, by name."""

    repositories: list[RepositorySummary]
    next: str | None = Field(description="the address of the next page; null on the last")
    next_cursor: str | None = Field(description="`cursor` for the next page; null on the last")


class RepositoryComputed(Shape):
    """What follows from the document and the rest of the base."""

    name: str = Field(description="the present name")
    aliases: list[str] = Field(description="former names, in lower case")
    counts: Counts


class ServedRepository(RepositoryDocument):
    """A repository: its document (only its name, where none was loaded), and what the product adds."""

    computed: RepositoryComputed
    html_url: str = Field(description="the page")
    modified: Moment = Field(description="when the document was last changed")
