"""Web pages: how to search: the filters in short beside the results, and the whole description of the language."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from errorkb.core.queries import FILTERS
from errorkb.core.rendering import render_markdown
from errorkb.serving.addresses import absolute_url
from errorkb.web.pages.links import ContentsItem

_EXAMPLES = {
    "repo": "repo:django",
    "type": "type:ImproperlyConfigured",
    "path": "path:db/models/*",
    "module": "module:django/db",
    "kind": "kind:pull_request",
    "lang": "lang:python",
    "code": "code:E0277",
    "symbol": "symbol:Options.contribute_to_class",
    "is": "is:reviewed",
    "pr": "pr:33523",
    "release": "release:v0.5.18",
}
_DESCRIPTION = "docs/search.md"
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class FilterHelp:
    """A filter as one types it, and what it takes."""

    example: str
    meaning: str


@dataclass(frozen=True)
class HelpSection:
    """A section of the description."""

    anchor: str
    title: str
    html: SafeString


@dataclass(frozen=True)
class HelpPage:
    """What the template reads."""

    lead: SafeString
    sections: tuple[HelpSection, ...]

    @property
    def canonical(self) -> str:
        return absolute_url(reverse("search-help"))

    @property
    def contents(self) -> tuple[ContentsItem, ...]:
        return tuple(ContentsItem(section.anchor, section.title) for section in self.sections)


def filters_in_short() -> tuple[FilterHelp, ...]:
    """Return each filter with an example."""
    described = tuple(FilterHelp(_EXAMPLES[name], meaning) for name, meaning in FILTERS.items())
    phrase = FilterHelp('"does not support"', "these words, in this order")
    order = FilterHelp("sort:newest", "what was changed last first; also oldest, path")
    return (*described, order, phrase)


@cache
def help_page() -> HelpPage:
    """Return the description of the query language, from the file that documents it for everybody."""
    text = (settings.BASE_DIR / _DESCRIPTION).read_text("utf-8")
    lead, *rest = _HEADING.split(text)
    return HelpPage(_html(lead.partition("\n")[2]), tuple(_sections(rest)))


def _sections(parts: list[str]) -> Iterator[HelpSection]:
    for title, body in zip(parts[::2], parts[1::2], strict=True):
        yield HelpSection(slugify(title), title, _html(body))


def _html(text: str) -> SafeString:
    return mark_safe(render_markdown(text))
