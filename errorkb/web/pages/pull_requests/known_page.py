"""Web pages: the page of a pull request that others name and that has no report yet."""

from dataclasses import dataclass

from errorkb.models import PullRequestMention
from errorkb.serving.addresses import absolute_url
from errorkb.serving.known_pull_requests import KnownPullRequest
from errorkb.web.pages.entries.records import Record
from errorkb.web.pages.facts import SHOWN_ITEMS
from errorkb.web.pages.links import Link, host_of, outside
from errorkb.web.pages.pull_requests.page import entry_record


@dataclass(frozen=True)
class KnownPullRequestPage:
    """What the template reads."""

    known: KnownPullRequest
    crumbs: tuple[Link, ...]
    title: str
    forge: Link
    mentions: tuple[Record, ...]
    entries: tuple[Record, ...]

    @property
    def canonical(self) -> str:
        return absolute_url(self.known.get_absolute_url())


def known_pull_request_page(known: KnownPullRequest) -> KnownPullRequestPage:
    """Return the page of a pull request without a report."""
    repository, address = known.repository, known.forge_url()
    return KnownPullRequestPage(
        known=known,
        crumbs=(Link(repository.short_name, repository.get_absolute_url()), Link("pull requests")),
        title=f"{repository.name} #{known.number}",
        forge=outside(f"View on {host_of(address)}", address) if address else Link(""),
        mentions=tuple(map(_mention, known.mentions[:SHOWN_ITEMS])),
        entries=tuple(map(entry_record, known.entries[:SHOWN_ITEMS])),
    )


def _mention(mention: PullRequestMention) -> Record:
    report = mention.report
    return Record(
        Link(f"#{report.number} {report.title or 'title not given'}", report.get_absolute_url()), mention.text
    )
