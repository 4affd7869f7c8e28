"""Web pages: what helps a reader whose error is unknown here: nearest entries, a search, and telling the curators."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from urllib.parse import urlencode

from django.core import signing
from django.urls import reverse

from errorkb.core.masking import MaskedError, mask_error, mask_message
from errorkb.core.queries import parse_query
from errorkb.core.tracebacks import Occurrence
from errorkb.matching.results import MatchResult
from errorkb.matching.verdicts import main_occurrence
from errorkb.search.searching import search
from errorkb.web.pages.links import Link

NEAREST = 3
# A search with more words finds nothing; entries that share fewer are not near.
MAX_WORDS = 6
MIN_WORDS = 2
MAX_READ = 5
# So long may a page stay open before its button is of no use.
TELLING_SECONDS = 24 * 60 * 60
_SALT = "errorkb.misses"


@dataclass(frozen=True)
class ReadError:
    """An error that was read in the text, in short."""

    line: int
    text: str
    count: int


@dataclass(frozen=True)
class ShownMiss:
    """What the template reads: what was read, what to try, and what would be told; `token` vouches for the latter."""

    read: tuple[ReadError, ...]
    left_out: int
    nearest: tuple[Link, ...]
    search: Link | None
    told: tuple[Link, ...]
    token: str

    @property
    def has_several(self) -> bool:
        return len(self.read) > 1


def shown_miss(result: MatchResult) -> ShownMiss:
    """Return what a reader of an unknown error can do next."""
    main = main_occurrence(result)
    masked = mask_error(main) if main else None
    can_tell = masked is not None and masked.says_something
    words = _words(main) if main else ()
    sought = " ".join(filter(None, (main.type_name[:100], *words))) if main else ""
    return ShownMiss(
        read=tuple(_read(each) for each in result.understood[:MAX_READ]),
        left_out=max(0, len(result.understood) - MAX_READ),
        nearest=tuple(_nearest(sought)) if len(words) >= MIN_WORDS and not result.matches else (),
        search=Link(sought, f"{reverse('entry-list')}?{urlencode({'q': sought})}") if sought else None,
        told=tuple(_told(masked)) if masked and can_tell else (),
        token=signing.dumps(asdict(masked), salt=_SALT, compress=True) if masked and can_tell else "",
    )


def told_error(token: str) -> MaskedError:
    """Return the error that a page has offered to tell. Raises django.core.signing.BadSignature for any other."""
    return MaskedError(**signing.loads(token, salt=_SALT, max_age=TELLING_SECONDS))


def _read(occurrence: Occurrence) -> ReadError:
    text = ": ".join(filter(None, (occurrence.exception_type, occurrence.message)))
    return ReadError(occurrence.number, text[:500].partition("\n")[0], occurrence.count)


def _words(occurrence: Occurrence) -> list[str]:
    """Return words of a message to search for, none of them somebody's value."""
    words = [word.strip("()[]{},;:.!?") for word in mask_message(occurrence.message).split() if "{" not in word]
    return [word for word in words if len(word) > 2][:MAX_WORDS]


def _nearest(words: str) -> Iterator[Link]:
    """Yield the entries that share most words with an error, one of each title."""
    found = search(parse_query(f"{words} kind:error kind:assertion kind:warning kind:log"), per_page=4 * NEAREST)
    addresses: dict[str, str] = {}
    for result in found.results:
        addresses.setdefault("".join(piece.text for piece in result.title), result.subject.get_absolute_url())
    yield from (Link(title, address) for title, address in islice(addresses.items(), NEAREST))


def _told(masked: MaskedError) -> Iterator[Link]:
    """Yield what would be told, each under its name."""
    for name, text in (("type", masked.exception_type), ("text", masked.template), ("file", masked.path)):
        if text:
            yield Link(f"{name}: {text}")
