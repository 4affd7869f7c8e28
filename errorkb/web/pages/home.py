"""Web pages: the home page: samples to click, and what is covered."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse

from errorkb.models import ErrorEntry, Repository
from errorkb.serving.addresses import absolute_url
from errorkb.web.pages.links import Link
from errorkb.web.pages.texts import shortened

SAMPLE_LENGTH = 70
MAX_SAMPLE = 300
# The samples are chosen among so many entries.
SAMPLES_READ = 40
# An error that no entry will ever be about: its text says nothing about where it comes from.
UNKNOWN_SAMPLE = "ZeroDivisionError: division by zero"


@dataclass(frozen=True)
class Sample:
    """A text that one click looks up, and what to expect."""

    link: Link
    note: str


@dataclass(frozen=True)
class RepositoryCounts:
    """A repository with its public entries: explained ones, reviewed ones, facts only."""

    link: Link
    entries: int
    explained: int
    reviewed: int

    @property
    def facts_only(self) -> int:
        return self.entries - self.explained


@dataclass(frozen=True)
class HomePage:
    """What the template reads."""

    samples: tuple[Sample, ...]
    repositories: tuple[RepositoryCounts, ...]
    canonical: str

    @property
    def limit(self) -> int:
        return int(settings.MATCH_MAX_BYTES)


def home_page() -> HomePage:
    """Return the home page."""
    counted = map(_counts, Repository.objects.with_counts())
    return HomePage(
        samples=tuple(_samples()),
        repositories=tuple(sorted(counted, key=lambda row: -row.entries)),
        canonical=absolute_url(reverse("home")),
    )


def _samples() -> Iterator[Sample]:
    """Yield two errors that are explained here, and one that is unknown."""
    for entry in _known_samples():
        yield _sample(entry.title, f"from {entry.repository.short_name}")
    yield _sample(UNKNOWN_SAMPLE, "one that is unknown here")


def _known_samples() -> list[ErrorEntry]:
    """Return two explained errors whose messages are sentences without slots; of two repositories, if there are."""
    rows = [row for known in ("reviewed", "explained") for row in _sentences(known)]
    other = [row for row in rows if row.repository_id != rows[0].repository_id]
    return [*rows[:1], *(other or [row for row in rows if row.pk != rows[0].pk])[:1]]


def _sentences(known: str) -> list[ErrorEntry]:
    """Return the first entries that are `reviewed` or `explained`, as far as their messages are sentences."""
    public = ErrorEntry.objects.public().filter(**{known: True}, message__contains=" ")
    rows = public.exclude(template__contains="{").prefetch_related("repository").defer("document").order_by("pk")
    return [row for row in rows[:SAMPLES_READ] if len(row.title) <= MAX_SAMPLE]


def _sample(text: str, note: str) -> Sample:
    return Sample(Link(shortened(text, SAMPLE_LENGTH), f"{reverse('match')}?{urlencode({'q': text})}"), note)


def _counts(row: Repository) -> RepositoryCounts:
    counted = vars(row)
    return RepositoryCounts(
        link=Link(row.name, row.get_absolute_url()),
        entries=counted["entry_count"],
        explained=counted["explained_count"],
        reviewed=counted["reviewed_count"],
    )
