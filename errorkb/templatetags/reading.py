"""Template tags: how pages show texts that came with a document."""

import re

from django import template
from django.utils.safestring import SafeString, mark_safe

from errorkb.core.rendering import render_plain

register = template.Library()


_CODE = re.compile("`([^`]*)`")


@register.filter
def codes(value: str) -> SafeString:
    """Return a sentence as HTML, what stands between backticks as code; nothing else in it is markup."""
    pieces = _CODE.split(value)
    shown = (
        f"<code>{render_plain(piece)}</code>" if place % 2 else render_plain(piece)
        for place, piece in enumerate(pieces)
    )
    return mark_safe("".join(shown))


@register.filter
def plain(value: object) -> SafeString:
    """Return a text as HTML without markup of its own, invisible characters made visible; HTML stays as it is."""
    if isinstance(value, SafeString):
        return value
    return mark_safe(render_plain(str(value)))
