"""Core: the wordings that an entry's document states: its own template, and those that it lists with their releases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from errorkb.core.match_keys import template_keys
from errorkb.core.message_templates import TemplateError, canonical_template, make_template, parse_message

# So many wordings of an entry are kept; documents of people have a handful.
MOST_WORDINGS = 200


@dataclass
class FoundWording:
    """A wording on its way: who has it. `ranks` are those of scans that saw it."""

    message: str = ""
    first: str = ""
    last: str = ""
    is_current: bool = False
    ranks: set[int] = field(default_factory=set)


class StatedWording(NamedTuple):
    """A wording as a row has it, of an entry that no scan saw; the fields are the columns of Wording."""

    position: int
    template: str
    message: str
    first: str
    last: str
    is_current: bool
    key: str
    check_key: str


def stated_wordings(template: str, message: str, document: Mapping[str, Any]) -> tuple[StatedWording, ...]:
    """Return the wordings of an entry that no scan saw, current ones first, with their keys.

    `template` is the canonical one of the document's `message`.
    """
    found = find_stated(template, message, document)
    return tuple(
        StatedWording(position, text, one.message, one.first, one.last, one.is_current, *template_keys(text))
        for position, (text, one) in enumerate(current_first(found))
    )


def find_stated(template: str, message: str, document: Mapping[str, Any]) -> dict[str, FoundWording]:
    """Return the wordings that a document states, by template, in its order."""
    found: dict[str, FoundWording] = {}
    if template:
        found[template] = FoundWording(message, is_current=True)
    style = document.get("placeholders")
    for wording in (document.get("wordings") or [])[:MOST_WORDINGS]:
        text = _template_of(wording, style)
        if not text:
            continue
        until = wording.get("until") or ""
        known = found.setdefault(text, FoundWording(wording.get("message") or ""))
        known.first, known.last = wording.get("from") or known.first, until or known.last
        known.is_current = known.is_current or not until
    return found


def current_first(found: Mapping[str, FoundWording]) -> list[tuple[str, FoundWording]]:
    """Return wordings with their templates in the order of their positions."""
    return sorted(found.items(), key=lambda item: not item[1].is_current)


def _template_of(wording: Mapping[str, Any], style: str | None) -> str:
    message = wording.get("message") or ""
    try:
        return canonical_template(message, template=wording.get("template") or None, placeholders=style)
    except TemplateError:
        return make_template(parse_message(message, None))
