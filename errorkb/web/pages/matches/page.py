"""Web pages: what a pasted text tells of: the entry, one of several, or a miss that is of use all the same."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import prefetch_related_objects
from django.urls import reverse

from errorkb.core.queries import is_pasted, parse_query
from errorkb.matching.coverage import covered_repositories
from errorkb.matching.results import MatchResult, Outcome, PullRequestMatch
from errorkb.matching.verdicts import Verdict, verdict_of
from errorkb.serving.addresses import absolute_url
from errorkb.web.pages.entries.records import Record
from errorkb.web.pages.links import Link
from errorkb.web.pages.matches.cards import MAX_SAID, CardGroup, MatchCard, card_groups, match_cards
from errorkb.web.pages.matches.misses import NEAREST, ShownMiss, shown_miss
from errorkb.web.pages.matches.pasted_lines import Stretch, shown_paste
from errorkb.web.pages.texts import shortened

# A longer text is not put into the box again.
MAX_IN_BOX = 20_000
# A search is one line that an address can take.
MAX_SEARCH = 800

_LEVELS = {
    Outcome.MATCHED: "yes",
    Outcome.AMBIGUOUS: "perhaps",
    Outcome.PULL_REQUEST: "perhaps",
    Outcome.UNKNOWN: "no",
}
_ANSWERS = {
    Outcome.MATCHED: "Yes, known",
    Outcome.AMBIGUOUS: "Perhaps",
    Outcome.PULL_REQUEST: "Known from a pull request",
    Outcome.UNKNOWN: "Not known here",
}
# What became of an error that was told to the curators.
_TOLD = {
    "stored": "Thank you: the curators have it now.",
    "counted": "Thank you: the curators know of it, and see that it was told again.",
    "enough": "Thank you. So many new errors were told lately that this one was not kept; try again tomorrow.",
    "nothing": "There was nothing left to tell once every value was masked.",
    "late": "That page was open for too long. Match the text again, then tell the curators.",
}


@dataclass(frozen=True)
class MatchPage:
    """What the template reads; without a verdict, nothing was asked yet."""

    text: str = ""
    verdict: Verdict | None = None
    first: MatchCard | None = None
    candidates: tuple[MatchCard, ...] = ()
    groups: tuple[CardGroup, ...] = ()
    less_likely: tuple[MatchCard, ...] = ()
    miss: ShownMiss | None = None
    pull_requests: tuple[Record, ...] = ()
    covered: tuple[str, ...] = ()
    stretches: tuple[Stretch, ...] = ()
    problem: str = ""
    told: str = ""

    @property
    def canonical(self) -> str:
        return absolute_url(reverse("match"))

    @property
    def limit(self) -> int:
        return int(settings.MATCH_MAX_BYTES)

    @property
    def answer(self) -> str:
        return _ANSWERS[self.verdict.outcome] if self.verdict else ""

    @property
    def are_nearest(self) -> bool:
        """Say whether the candidates are only what comes nearest, and not what the answer is about."""
        return self.verdict is not None and self.verdict.outcome in (Outcome.UNKNOWN, Outcome.PULL_REQUEST)

    @property
    def head_title(self) -> str:
        return shortened(self.verdict.opening, 100) if self.verdict else "Match an error"

    @property
    def has_several(self) -> bool:
        return bool(self.groups) or len(self.candidates) > 1

    @property
    def less_likely_title(self) -> str:
        return f"{len(self.less_likely)} less likely"

    @property
    def level(self) -> str:
        return _LEVELS[self.verdict.outcome] if self.verdict else ""


def match_page(text: str, result: MatchResult) -> MatchPage:
    """Return the page that answers a text."""
    prefetch_related_objects([match.entry for match in result.matches], "repository")
    verdict = verdict_of(result)
    cards, is_sure = match_cards(result), result.outcome is Outcome.MATCHED
    return MatchPage(
        text=text if len(text) <= MAX_IN_BOX else "",
        verdict=verdict,
        first=cards[0] if is_sure else None,
        candidates=() if is_sure else cards[: None if result.outcome is Outcome.AMBIGUOUS else NEAREST],
        groups=card_groups(result, cards) if is_sure else (),
        less_likely=tuple(card for card in cards[1:] if card.level == "unsure") if is_sure else (),
        miss=shown_miss(result) if result.outcome is Outcome.UNKNOWN else None,
        pull_requests=tuple(map(_pull_request_record, result.pull_requests)),
        covered=verdict.covered,
        stretches=_stretches(text, result),
    )


def _stretches(text: str, result: MatchResult) -> tuple[Stretch, ...]:
    """Return the text with what the answer is about marked in it; nothing where the answer is a miss."""
    is_sure = result.outcome is Outcome.MATCHED
    marked = {n: match for n, match in enumerate(result.matches, 1) if match.confident or not is_sure}
    is_about_them = result.outcome in (Outcome.MATCHED, Outcome.AMBIGUOUS)
    return shown_paste(text, marked) if marked and is_about_them else ()


def _pull_request_record(pull: PullRequestMatch) -> Record:
    text = f"{pull.repository.name} #{pull.number}"
    return Record(Link(text, pull.get_absolute_url()), shortened(pull.text, MAX_SAID), pull.role)


def asking_page(problem: str = "", told: str = "") -> MatchPage:
    """Return the page that asks for a text."""
    return MatchPage(problem=problem, told=_TOLD.get(told, ""), covered=tuple(covered_repositories()))


def is_search(text: str) -> bool:
    """Say whether a text from the one box is a search beyond doubt: an id, or words with filters."""
    query = parse_query(text)
    return _is_short(text) and bool(query.identifier or query.filters)


def may_be_search(text: str) -> bool:
    """Say whether a text that matches nothing was a few words to be searched for."""
    return _is_short(text) and not is_pasted(parse_query(text))


def search_address(text: str) -> str:
    """Return the address of the search for a text."""
    return f"{reverse('entry-list')}?{urlencode({'q': text.strip()})}"


def _is_short(text: str) -> bool:
    return len(text) <= MAX_SEARCH and "\n" not in text.strip()
