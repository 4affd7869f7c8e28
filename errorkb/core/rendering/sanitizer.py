"""Core, rendering: the allow-list that everything made of Markdown passes before it reaches a page."""

from functools import lru_cache
from html import escape

import nh3

from errorkb.core.rendering.highlighting import TOKEN_CLASSES

TAGS = frozenset(
    {"p", "br", "hr", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th"}
    | {"td", "pre", "code", "span", "em", "strong", "a"}
)
ATTRIBUTES = {"a": frozenset({"href", "title"}), "ol": frozenset({"start"})}
URL_SCHEMES = frozenset({"http", "https", "mailto"})
LINK_REL = "nofollow noopener noreferrer"

_CLEANER = nh3.Cleaner(
    tags=TAGS,
    attributes=ATTRIBUTES,
    allowed_classes={"pre": frozenset({"highlight"}), "span": TOKEN_CLASSES},
    url_schemes=URL_SCHEMES,
    url_relative="deny",
    link_rel=LINK_REL,
)


def sanitize(html: str) -> str:
    """Return `html` with only the tags, attributes, classes and URL schemes of the allow-list."""
    return _CLEANER.clean(html)


@lru_cache(maxsize=1024)
def keeps_address(url: str) -> bool:
    """Tell whether the sanitizer leaves a link to `url` in place: it also drops what it cannot parse as a URL."""
    return " href=" in _CLEANER.clean(f'<a href="{escape(url)}">x</a>')
