"""Web pages: one match as a card: where its page is, its message with the reader's values, the evidence in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from django.utils.safestring import SafeString, mark_safe

from errorkb.core.rendering import plain_text, render_plain
from errorkb.matching.results import Match, MatchResult
from errorkb.matching.served import matched_words
from errorkb.matching.verdicts import entry_title, reasons_in_words
from errorkb.web.pages.links import Link
from errorkb.web.pages.matches.pasted_lines import filled_message
from errorkb.web.pages.texts import joined, shortened

# As much of the reader's values travels in the fragment of a link.
MAX_VALUE = 300
MAX_FRAGMENT = 3_000
# A longer wording is shown by the entry's title, which is cut.
MAX_SAID = 400
# So much of an entry's meaning is shown before its page is opened.
MEANING_LENGTH = 360

# (heading, which of the matches behind the first stand below it)
_GROUPS = (
    ("Its text is equal", "equal"),
    ("Or this one: the same line may be its message, too", "alternative"),
    ("Follows from it", "consequence"),
    ("Also in your text", "confident"),
)


@dataclass(frozen=True)
class SlotShown:
    """A slot with what stands in it."""

    name: str
    kind: str
    value: str


@dataclass(frozen=True)
class MatchCard:
    """What the template reads of one match; `number` is what marks its lines in the text."""

    number: int
    title: str
    url: str
    repository: Link
    where: str
    standing: str
    said: SafeString
    message: SafeString
    evidence: tuple[str, ...]
    slots: tuple[SlotShown, ...]
    line: int
    count: int
    meaning: str
    has_solutions: bool
    level: str


@dataclass(frozen=True)
class CardGroup:
    """Matches behind the first, under a heading that says how they relate to it."""

    heading: str
    cards: tuple[MatchCard, ...]


def match_cards(result: MatchResult) -> tuple[MatchCard, ...]:
    """Return all matches as cards, in their order."""
    words = matched_words(result)
    return tuple(_card(match, number, words.get(match.entry.pk, {})) for number, match in enumerate(result.matches, 1))


def _card(match: Match, number: int, words: Mapping[str, Any]) -> MatchCard:
    entry = match.entry
    repository = entry.repository
    return MatchCard(
        number=number,
        title=entry_title(match),
        url=entry.get_absolute_url() + values_fragment(match),
        repository=Link(repository.name, repository.get_absolute_url()),
        where=joined((joined((entry.path, str(entry.line) if entry.line else ""), ":"), entry.symbol)),
        standing=_standing(match),
        said=_said(match),
        message=filled_message(match),
        evidence=reasons_in_words(match),
        slots=tuple(_named_slots(match)),
        line=match.numbers[0] if match.numbers else match.occurrence.number,
        count=match.occurrence.count,
        meaning=_beginning(words.get("meaning") or ""),
        has_solutions=bool(words.get("solutions")),
        level="sure" if match.confident else "unsure",
    )


def card_groups(result: MatchResult, cards: Sequence[MatchCard]) -> tuple[CardGroup, ...]:
    """Return the cards behind the first that are sure or equal to it, each in one group."""
    kinds = [_kind(match, result.matches[0]) for match in result.matches]
    behind = list(zip(kinds, cards, strict=True))[1:]
    groups = (CardGroup(heading, tuple(card for its, card in behind if its == kind)) for heading, kind in _GROUPS)
    return tuple(group for group in groups if group.cards)


def values_fragment(match: Match) -> str:
    """Return the fragment that takes the reader's values to the entry's page: `#v.count=0`, or nothing.

    A fragment stays in the browser: no server is told it, this one included.
    """
    pairs = [(f"v.{name}", slot.value[:MAX_VALUE]) for name, slot in match.slots.items()]
    encoded = urlencode(pairs, quote_via=quote, safe="", errors="replace")
    return f"#{encoded}" if encoded and len(encoded) <= MAX_FRAGMENT else ""


def _kind(match: Match, first: Match) -> str:
    """Return how a match relates to the first one."""
    if match.entry.public_id in first.equals:
        return "equal"
    if match.confident and match.occurrence == first.occurrence:
        return "alternative"
    follows = match.occurrence.role == "consequence" and match.occurrence.chain == first.occurrence.chain
    if match.confident and follows:
        return "consequence"
    return "confident" if match.confident else "guess"


def _said(match: Match) -> SafeString:
    """Return type and message with the reader's values in it; the entry's title where the message is long."""
    message = filled_message(match)
    if not message or len(match.template) > MAX_SAID:
        return mark_safe(render_plain(entry_title(match)))
    opening = render_plain(f"{match.entry.exception_type}: ") if match.entry.exception_type else ""
    return mark_safe(opening + message)


def _named_slots(match: Match) -> Iterator[SlotShown]:
    """Yield the slots that have a name; of the others the message itself shows all that there is to say."""
    for name, slot in match.slots.items():
        if not name.isdigit():
            yield SlotShown(name, slot.kind, slot.value[:MAX_VALUE])


def _beginning(meaning: str) -> str:
    return shortened(plain_text(meaning[: 8 * MEANING_LENGTH]), MEANING_LENGTH)


def _standing(match: Match) -> str:
    entry = match.entry
    word = "reviewed" if entry.reviewed else "explained, not reviewed" if entry.explained else "facts only"
    stale = "the code has changed since" if entry.stale and entry.explained else ""
    return joined((word, stale, "removed from the source" if entry.removed else ""), ", ")
