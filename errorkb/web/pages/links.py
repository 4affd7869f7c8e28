"""Web pages: links, and text that would be a link if its target were known."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from errorkb.core.forges import web_address


@dataclass(frozen=True)
class Link:
    """A text, and where it leads; without an address it is text alone."""

    text: str
    url: str | None = None
    is_outside: bool = False


@dataclass(frozen=True)
class ContentsItem:
    """A section of the page: its anchor and its heading."""

    anchor: str
    title: str


def outside(text: str, url: str | None) -> Link:
    """Return a link to another host; only the text where the address is not one that a browser may follow."""
    return Link(text, web_address(url), is_outside=True)


def host_of(address: str) -> str:
    """Return the host of an address that `web_address` let through."""
    return urlsplit(address).hostname or ""
