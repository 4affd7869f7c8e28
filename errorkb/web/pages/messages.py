"""Web pages: messages as HTML, their slots set apart."""

from html import escape

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.documents import EntryDocument, Wording
from errorkb.core.message_templates import Part, TemplateError, align_message, parse_message, parse_template
from errorkb.core.rendering import render_plain

# A message that is longer, or has more parts, is shown as one text: nobody reads it for its slots.
MAX_LENGTH = 32_768
MAX_PARTS = 400


def message_html(document: EntryDocument) -> SafeString:
    """Return the whole message, each slot in a `<var>` that has its name; nothing is added to or lost from its text."""
    return _html(_parts(document.message, document.template, document.placeholders))


def wording_html(wording: Wording, document: EntryDocument) -> SafeString:
    """Return a wording's message, or its template where the message is not stated."""
    if wording.message is None:
        return _html(parse_template(wording.template or ""))
    return _html(_parts(wording.message, wording.template, document.placeholders))


def seen_html(message: str, template: str) -> SafeString:
    """Return a message as a scan saw it, with the template that the scan made of it."""
    try:
        return _html(_parts(message, template, None))
    except TemplateError:
        return mark_safe(render_plain(message))


def _parts(message: str, template: str | None, placeholders: str | None) -> tuple[Part, ...]:
    if len(message) > MAX_LENGTH:
        return (Part(message, message),)
    if template is not None:
        return align_message(message, template)
    return parse_message(message, placeholders)


def _html(parts: tuple[Part, ...]) -> SafeString:
    if len(parts) > MAX_PARTS:
        return mark_safe(render_plain("".join(part.source for part in parts)))
    return mark_safe("".join(map(_part, parts)))


def _part(part: Part) -> str:
    text = render_plain(part.source)
    return text if part.slot is None else f'<var class="slot" data-slot="{escape(part.slot)}">{text}</var>'
