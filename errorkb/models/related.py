"""Models: which entries the related errors of a document are: a few looks at the base, however many it names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import F

from errorkb.core.identity import MESSAGE_KEY_LENGTH
from errorkb.models.chunks import MAX_PARAMETERS, in_chunks
from errorkb.models.entries import ErrorEntry, ErrorEntryQuerySet

# A title that short begins too many messages to say which one is meant.
MIN_PREFIX = 12
# So many questions are asked in one query; each has up to eight parameters.
MAX_ASKED = MAX_PARAMETERS // 8

_PLACE_TITLE = re.compile(r"(?P<type>[\w.]+) in (?P<symbol>\S+)")
_TYPED_TITLE = re.compile(r"(?P<type>[A-Za-z_][\w.]*): (?P<message>.+)", re.DOTALL)

# Two answers tell that more than one is meant. By hand: building a hundred such queries takes the ORM half a second.
_QUESTION = f"SELECT id FROM {ErrorEntry._meta.db_table} WHERE state = 'published' AND id <> %s AND {{}} LIMIT 2"


@dataclass(frozen=True)
class RepositoryTitle:
    """A title as documents write it, whole or cut, and the primary key of the repository that it is meant in."""

    repository: int
    title: str


def entries_identified(identifiers: Iterable[str], *, besides: ErrorEntry) -> dict[str, ErrorEntry]:
    """Return the public entries that these ids and aliases lead to, by lower-case identifier."""
    wanted = {identifier.lower() for identifier in identifiers}
    if not wanted:
        return {}
    found = _others(besides).filter(identifiers__value__in=wanted).annotate(led_by=F("identifiers__value"))
    return {vars(entry)["led_by"]: entry for entry in found}


def entries_titled(titles: Iterable[RepositoryTitle], *, besides: ErrorEntry) -> dict[RepositoryTitle, ErrorEntry]:
    """Return the public entries that these titles mean, each the only one: its whole message, else its beginning."""
    readings = {title: tuple(_readings(title)) for title in titles}
    questions = (question for several in readings.values() for reading in several for question in reading.questions())
    keys = [key for asked in in_chunks(questions, MAX_ASKED) for key in _answers(asked, besides)]
    candidates = list(_others(besides).filter(pk__in=keys)) if keys else []
    meant = {title: _meant(several, candidates) for title, several in readings.items()}
    return {title: entry for title, entry in meant.items() if entry is not None}


@dataclass(frozen=True)
class _Question:
    """Conditions on an entry's columns as SQL, and the values that they name."""

    conditions: str
    values: tuple[int | str, ...]


@dataclass(frozen=True)
class _Reading:
    """One thing that a title may mean: entries with these columns whose message is `beginning`, or begins with it."""

    columns: dict[str, int | str]
    beginning: str

    def questions(self) -> Iterator[_Question]:
        """Yield what to ask for the entries that it may mean."""
        key, columns = self.beginning[:MESSAGE_KEY_LENGTH], "".join(f" AND {name} = %s" for name in self.columns)
        yield _Question(f"message_key = %s AND message = %s{columns}", (key, self.beginning, *self.columns.values()))
        if len(self.beginning) >= MIN_PREFIX:
            between = f"message_key >= %s AND message_key < %s AND substr(message, 1, %s) = %s{columns}"
            bounds = (key, f"{key}\U0010ffff", len(self.beginning), self.beginning)
            yield _Question(between, (*bounds, *self.columns.values()))

    def means(self, candidates: Sequence[ErrorEntry]) -> ErrorEntry | None:
        """Return the one entry that it means, if it means one."""
        fitting = [entry for entry in candidates if self.columns.items() <= vars(entry).items()]
        found = [entry for entry in fitting if entry.message == self.beginning]
        if not found and len(self.beginning) >= MIN_PREFIX:
            found = [entry for entry in fitting if entry.message.startswith(self.beginning)]
        return found[0] if len(found) == 1 else None


def _readings(named: RepositoryTitle) -> Iterator[_Reading]:
    """Yield what a title may mean: a message; a type and a message; a type and a place without a message."""
    columns: dict[str, int | str] = {"repository_id": named.repository}
    yield _Reading(columns, named.title)
    if typed := _TYPED_TITLE.fullmatch(named.title):
        yield _Reading(columns | {"exception_type": typed["type"]}, typed["message"])
    if placed := _PLACE_TITLE.fullmatch(named.title):
        yield _Reading(columns | {"exception_type": placed["type"], "symbol": placed["symbol"]}, "")


def _answers(asked: Sequence[_Question], besides: ErrorEntry) -> list[int]:
    """Return the primary keys of at most two entries for each question."""
    each = (f"SELECT id FROM ({_QUESTION.format(one.conditions)}) AS q{n}" for n, one in enumerate(asked))
    values = [value for one in asked for value in (besides.pk, *one.values)]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each), values)
        return [key for (key,) in cursor.fetchall()]


def _others(entry: ErrorEntry) -> ErrorEntryQuerySet:
    return ErrorEntry.objects.public().exclude(pk=entry.pk).select_related("repository").defer("document", "owners")


def _meant(readings: Iterable[_Reading], candidates: Sequence[ErrorEntry]) -> ErrorEntry | None:
    return next((entry for reading in readings if (entry := reading.means(candidates)) is not None), None)
