"""Template tags: how pages show texts that came with a document."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from errorkb.core.rendering import render_plain

register = template.Library()


@register.filter
def plain(value: object) -> SafeString:
    """Return a text as HTML without markup of its own, invisible characters made visible; HTML stays as it is."""
    if isinstance(value, SafeString):
        return value
    return mark_safe(render_plain(str(value)))
