"""Search: what the box suggests to who types: repositories, types, symbols, codes and titles by their beginning.

Names are looked up in indexes of their own, from one distinct name to the next (a loose index scan:
https://wiki.postgresql.org/wiki/Loose_indexscan), so that the work does not depend on how many entries there are.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Left

from errorkb.core.identity import entry_title
from errorkb.core.queries import FILTERS, parse_query, written_filter
from errorkb.models import ErrorEntry, Repository

MOST_SUGGESTIONS = 10
# Shorter beginnings are those of too many.
LEAST_TYPED = 2
MAX_TYPED = 200
TITLE_LENGTH = 300
# So many names are looked at, each counted so far, to find the frequent ones.
_MOST_NAMES = 24
_MOST_COUNTED = 100
_MOST_TITLES = 40
_OF_EACH = {"repository": 3, "type": 4, "symbol": 4, "code": 3, "title": 6}

_LAST_NAME = "UPPER(REPLACE({0}, RTRIM({0}, REPLACE({0}, '.', '')), ''))"
# An expression, lest a database without statistics takes the index of states, in which nearly all are equal.
_PUBLIC = "state || '' = 'published'"
# The columns of names, and what they are indexed by: errorkb.models.entries.
_NAMES = {
    "type": ("exception_type", _LAST_NAME.format("exception_type"), _PUBLIC),
    "symbol": ("symbol", _LAST_NAME.format("symbol"), _PUBLIC),
    "code": ("code", "UPPER(code)", f"NOT (code = '') AND {_PUBLIC}"),
}
# In a pattern of LIKE, with this sign as its escape.
_LITERAL = str.maketrans({sign: f"!{sign}" for sign in "!%_"})
_ABOVE_ALL = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What somebody may want to type: `query` is all of the box with it, `entry` the only one of this title.

    `kind` is repository, type, symbol, code or title; `text` is its name.
    """

    kind: str
    text: str
    query: str
    entry: ErrorEntry | None = None


def suggestions_for(typed: str, limit: int = MOST_SUGGESTIONS) -> list[Suggestion]:
    """Return what the text in the box may become, at most so many; five queries.

    Names are suggested for the last word, as filters: what is before it stays. `type:Key` asks for types alone. Titles
    are suggested for all of the text, and for what begins like one, `KeyError: x`, nothing else.
    """
    query = parse_query(typed[: MAX_TYPED * 2])
    before, _, last = query.text.rpartition(" ")
    if not last or len(query.text) > MAX_TYPED:
        return []
    name, begun = _begun_filter(last)
    found: list[Suggestion] = []
    if not typed[-1:].isspace() and ": " not in query.text:
        found += _named(name, begun, before)
    if not name and len(query.text) >= LEAST_TYPED:
        found += _titles(query.text)
    return _of_each(found, limit)


def _named(name: str, begun: str, before: str) -> Iterator[Suggestion]:
    """Yield the names that go on with what is typed of a filter, of any filter where none is named."""
    if len(begun) < (1 if name else LEAST_TYPED):
        return
    for kind, of_filter in _FILTERS.items():
        if name in ("", of_filter):
            texts = _repositories(begun) if kind == "repository" else _names(kind, begun)
            yield from (Suggestion(kind, text, f"{before} {written_filter(of_filter, text)}".strip()) for text in texts)


# Which filter each kind of name is suggested as.
_FILTERS = {"repository": "repo", "type": "type", "symbol": "symbol", "code": "code"}


def _begun_filter(word: str) -> tuple[str, str]:
    """Return the filter that a word begins, empty for a plain word, and what of its value is typed."""
    name, colon, value = word.partition(":")
    if not colon or name.lower() not in FILTERS:
        return "", word
    return name.lower(), value.strip('"')


def _of_each(found: Iterable[Suggestion], limit: int) -> list[Suggestion]:
    """Return so many of the suggestions that each kind has its share, in the order of kinds."""
    shares, kept = dict(_OF_EACH), []
    for suggestion in found:
        if shares[suggestion.kind] > 0:
            shares[suggestion.kind] -= 1
            kept.append(suggestion)
    return kept[:limit]


def _repositories(begun: str) -> list[str]:
    """Return the repositories that begin as typed and have public entries, of which one each is looked for."""
    key = begun.lower()
    named = Repository.objects.filter(Q(key__startswith=key) | Q(key__contains=f"/{key}"))
    entry = ErrorEntry.objects.public().filter(repository=OuterRef("pk")).order_by().values("pk")[:1]
    with_entries = named.alias(entry=Subquery(entry)).filter(entry__isnull=False)
    return list(with_entries.order_by("key").values_list("name", flat=True)[: _OF_EACH["repository"]])


def _names(kind: str, begun: str) -> list[str]:
    """Return the names that begin as typed, in any letter case: first what is typed to its end, then frequent ones.

    Of a dotted name, the last part is what counts: `Model.sa` asks for names that begin with `sa`, of any class.
    """
    column, key, condition = _NAMES[kind]
    wanted = begun.rpartition(".")[2].upper() if kind != "code" else begun.upper()
    if not wanted:
        return []
    table = ErrorEntry._meta.db_table
    after = f"(SELECT {key} FROM {table} WHERE {key} {{}} AND {key} < %s AND {condition} ORDER BY {key} LIMIT 1)"
    named = f"FROM {table} WHERE {key} = found.name AND {condition}"
    statement = f"""
        WITH RECURSIVE found(number, name) AS (
            SELECT 1, {after.format(">= %s")}
            UNION ALL
            SELECT number + 1, {after.format("> found.name")} FROM found
            WHERE name IS NOT NULL AND number < {_MOST_NAMES}
        )
        SELECT name, (SELECT {column} {named} ORDER BY id LIMIT 1),
            (SELECT count(*) FROM (SELECT 1 {named} LIMIT {_MOST_COUNTED}) AS counted)
        FROM found WHERE name IS NOT NULL
    """
    last = wanted + _ABOVE_ALL
    with connection.cursor() as cursor:
        cursor.execute(statement, [wanted, last, last])
        rows = cursor.fetchall()
    rows.sort(key=lambda row: (row[0] != wanted, -row[2], row[0]))
    return list(dict.fromkeys(_shown_name(kind, text) for _, text, _ in rows))


def _shown_name(kind: str, text: str) -> str:
    return text if kind == "code" else text.rpartition(".")[2]


def _titles(typed: str) -> Iterator[Suggestion]:
    """Yield the titles that begin as typed, the type before the message or not; a letter in another case may be first.

    Messages are looked up repository by repository, as they are indexed.
    """
    exception_type, colon, message = typed.partition(": ")
    readings = [(message, exception_type)] if colon and message else []
    beginnings = [(begun, of) for begun, of in (*readings, (typed, "")) for begun in _cases(begun)]
    rows = ErrorEntry.objects.filter(pk__in=_titled(beginnings)).only("exception_type", "symbol", "public_id")
    titles: dict[str, list[ErrorEntry]] = {}
    for row in rows.annotate(opening=Left("message", TITLE_LENGTH)):
        titles.setdefault(entry_title(row.exception_type, vars(row)["opening"], row.symbol), []).append(row)
    for title in sorted(titles, key=lambda title: (len(title), title)):
        yield Suggestion("title", title, title, titles[title][0] if len(titles[title]) == 1 else None)


def _titled(beginnings: Sequence[tuple[str, str]]) -> list[int]:
    """Return the keys of public entries whose messages begin so, each of a type whose name ends so, if one is given."""
    entries, repositories = ErrorEntry._meta.db_table, Repository._meta.db_table
    question = (
        f"SELECT entry.id FROM {repositories} AS repository CROSS JOIN {entries} AS entry "
        "WHERE entry.repository_id = repository.id AND entry.message_key >= %s AND entry.message_key < %s "
        f"AND upper(entry.exception_type) LIKE %s ESCAPE '!' AND entry.{_PUBLIC} LIMIT {_MOST_TITLES}"
    )
    statement = " UNION ALL ".join([f"SELECT id FROM ({question}) AS found"] * len(beginnings))
    values = [(begun, begun + _ABOVE_ALL, f"%{of.upper().translate(_LITERAL)}") for begun, of in beginnings]
    with connection.cursor() as cursor:
        cursor.execute(statement, [value for several in values for value in several])
        return [key for (key,) in cursor.fetchall()][:_MOST_TITLES]


def _cases(text: str) -> tuple[str, ...]:
    """Return a beginning as it was typed, and with its first letter in the other case."""
    return tuple(dict.fromkeys((text, text[:1].swapcase() + text[1:])))
