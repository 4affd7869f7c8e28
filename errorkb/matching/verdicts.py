"""Matching: an answer in sentences for people; the page and the command say the same ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errorkb.core.masking import library_path
from errorkb.core.tracebacks import Occurrence
from errorkb.matching.coverage import covered_repositories, repositories_with_file
from errorkb.matching.results import Match, MatchResult, Outcome, PullRequestMatch, Reason

MAX_TITLE = 200

# Where Python keeps its own library; what is installed beside it is below another folder there.
_PYTHONS_OWN = re.compile(
    r"[/\\](?:lib(?:64)?[/\\]python[0-9.]+|[Pp]ython[0-9.-]*[/\\]Lib)[/\\](?P<below>[\w./\\]+\.py)\Z", re.ASCII
)

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNKNOWN = "We don\u2019t know this error."
_NOTHING_READ = "We don\u2019t know this text, and found no error in it."
_CUT = "The text is too large to be read whole: {}."


@dataclass(frozen=True)
class Verdict:
    """The answer: what it comes to in one sentence, the evidence for it, and what is covered where nothing was found.

    `title` and `repository` are those of the entry that `opening` names, empty where it names none.
    """

    outcome: Outcome
    opening: str
    title: str = ""
    repository: str = ""
    evidence: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()


def verdict_of(result: MatchResult) -> Verdict:
    """Return the answer in sentences."""
    if result.outcome is Outcome.MATCHED:
        return _yes(result)
    if result.outcome is Outcome.PULL_REQUEST:
        return Verdict(result.outcome, pull_requests_in_words(result), evidence=tuple(_cut_short(result)))
    if result.outcome is Outcome.AMBIGUOUS:
        return Verdict(result.outcome, _perhaps(result), evidence=tuple(_cut_short(result)))
    return _no(result)


def pull_requests_in_words(result: MatchResult) -> str:
    """Return which pull requests fix and which brought the error of a paste; empty where none is known."""
    fixing = [pull for pull in result.pull_requests if pull.role == "fixed"]
    if not fixing:
        return ""
    told = f"PR {_listed(fixing)} {'fixes' if len(fixing) == 1 else 'fix'} this very message"
    opening = f"No entry, but {told}" if result.outcome is Outcome.PULL_REQUEST else told
    brought = [pull for pull in result.pull_requests if pull.role == "introduced"]
    return f"{opening}; {_listed(brought)} brought it." if brought else f"{opening}."


def _listed(pulls: Sequence[PullRequestMatch]) -> str:
    """Return pull requests by number, with their repositories where there are several."""
    several = len({pull.repository.name for pull in pulls}) > 1
    names = [f"{pull.repository.name}#{pull.number}" if several else f"#{pull.number}" for pull in pulls]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def sentence(text: str) -> str:
    """Return a text as a sentence: with a capital where a word begins it, and a full stop."""
    text = text.strip()
    if not text:
        return ""
    first = text.split(None, 1)[0]
    opened = text[0].upper() + text[1:] if first.isalpha() and first.islower() else text
    return opened if opened[-1] in ".!?" else f"{opened}."


def reasons_in_words(match: Match) -> tuple[str, ...]:
    """Return the evidence for a match, a sentence each, what speaks against it last."""
    ordered = sorted(match.reasons, key=lambda reason: reason.kind == "against")
    return tuple(filter(None, map(_reason, ordered)))


def entry_title(match: Match) -> str:
    """Return an entry's title on one line, cut where it is long."""
    title = " ".join(match.entry.title[: 4 * MAX_TITLE].split())
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + "…"


def counted(count: int, noun: str) -> str:
    """Return a number of things in words: `two errors`, `12 errors`."""
    return f"{_number(count)} {noun}{'' if count == 1 else 's'}"


def followers(result: MatchResult, match: Match) -> int:
    """Return how many errors of the paste were raised because of a match's error, or while it was handled."""
    if match.occurrence.role != "root":
        return 0
    chained = (each for each in result.understood if each.chain == match.occurrence.chain)
    return sum(each.role == "consequence" for each in chained)


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _yes(result: MatchResult) -> Verdict:
    match = result.matches[0]
    title, repository = entry_title(match), match.entry.repository.name
    evidence = (*reasons_in_words(match), *_around(result, match), *_cut_short(result))
    return Verdict(result.outcome, f"This is {title} from {repository}.", title, repository, evidence)


def _reason(reason: Reason) -> str:
    return sentence(reason.text)


def _around(result: MatchResult, match: Match) -> Iterator[str]:
    """Yield what the paste tells beside the error itself: how often it stands there, and what follows from it."""
    if match.occurrence.count > 1:
        yield f"It stands {match.occurrence.count:,} times in your text."
    if later := followers(result, match):
        yield f"{counted(later, 'later error').capitalize()} {'follows' if later == 1 else 'follow'} from it."


def _cut_short(result: MatchResult) -> Iterator[str]:
    if result.cut:
        yield _CUT.format(result.cut.rstrip("."))


def _perhaps(result: MatchResult) -> str:
    twins = 1 + len(result.matches[0].equals)
    if twins > 1:
        return (
            f"One of these {_number(twins)}: their text is equal; "
            "`File …` lines of the traceback would tell them apart."
        )
    if len(result.matches) == 1:
        return "Perhaps this one: what stands in your text is not enough to be sure."
    return f"Perhaps one of these {_number(len(result.matches))}: your text does not say which."


def _no(result: MatchResult) -> Verdict:
    covered = tuple(covered_repositories())
    read = main_occurrence(result)
    opening = _UNKNOWN if read else _NOTHING_READ
    evidence = (*((_what_was_read(read),) if read else ()), *_cut_short(result))
    return Verdict(result.outcome, opening, evidence=evidence, covered=covered)


def main_occurrence(result: MatchResult) -> Occurrence | None:
    """Return the error that a paste is about: the first one's root, rather one with a type than a line of a log."""
    typed = [each for each in result.understood if each.exception_type and each.role != "consequence"]
    return next(iter((*typed, *result.understood)), None)


def _what_was_read(read: Occurrence) -> str:
    what, frame = _named(read), read.frames[-1] if read.frames else None
    if frame is None:
        return f"We read {what}, without the lines that would say where it comes from."
    if below := library_path(frame.path):
        repositories = repositories_with_file(below)
        unknown = f"We read {what} in `{below}`, a library\u2019s code that no repository here covers."
        return _known_file(what, below, repositories) if repositories else unknown
    if found := _PYTHONS_OWN.search(frame.path[-MAX_TITLE:]):
        return (
            f"We read {what} in `{found.group('below')}` of Python\u2019s own library, which no repository here covers."
        )
    path = _short(frame.path)
    repositories = repositories_with_file(frame.path, least=3)
    unknown = f"We read {what} in `{path}`, code that no repository here covers."
    return _known_file(what, path, repositories) if repositories else unknown


def _known_file(what: str, path: str, repositories: list[str]) -> str:
    return f"We read {what} in `{path}`, a file of {', '.join(repositories)}, but know no such error there."


def _named(read: Occurrence) -> str:
    """Return an error by its type, else by its message."""
    if read.exception_type:
        return f"`{_short(read.exception_type)}`"
    return f"\u201c{_short(read.message)}\u201d" if read.message.strip() else "an error"


def _short(text: str) -> str:
    line = " ".join(text[: 4 * MAX_TITLE].split())
    return line if len(line) <= MAX_TITLE else line[: MAX_TITLE - 1] + "…"
