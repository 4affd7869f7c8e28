"""Search: how common words are, and which were meant by mistyped ones: counted now and then, kept in a table.

The table may lag behind the rows, for it decides in which order the index is asked, never what is found.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, groupby, islice

from django.db import connection, transaction
from django.db.models import F, Q

from errorkb.core.spelling import KnownWord, end_letters, is_correctable, most_errors, nearest
from errorkb.models import SearchRow, SearchWord
from errorkb.models.kept_plans import plans_kept
from errorkb.models.lookups import among
from errorkb.models.search_words import ALL_ROWS
from errorkb.search.backends import Tokens
from errorkb.search.templates import split_title

# Of so many rows the titles are counted, of so many the other tokens too; of more, an even sample.
MOST_TITLES = 250_000
MOST_ROWS = 25_000
# So many tokens are kept, the most common ones.
MOST_WORDS = 80_000
# Counted anew when there are so many times as many rows.
GROWTH = 1.2
_CHUNK = 2_000
# A row of the table, and how it is written: of many rows, objects would take longer than the database does.
_Word = tuple[str, int, int, str, str, int]
_INSERT = (
    f"INSERT INTO {SearchWord._meta.db_table} (token, documents, titles, head, tail, length) {{}} "
    "ON CONFLICT DO NOTHING"
)
_INSERT_EACH = _INSERT.format("VALUES (%s, %s, %s, %s, %s, %s)")
# All rows at once, a list of each column.
_INSERT_ALL = _INSERT.format(
    "SELECT * FROM unnest(%s::text[], %s::int[], %s::int[], %s::text[], %s::text[], %s::int[])"
)
# A word that is meant is at least so many times as common as the typing error.
_RATIO = 100
# So many of the known words that begin or end like a mistyped one are compared with it.
_MOST_COMPARED = 4_000


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many rows hold each of some tokens, about; `rows` are all, `last` is the last primary key when counted.

    Tokens without a figure are held by few rows, or by none.
    """

    rows: int = 0
    last: int = 0
    documents: Mapping[str, int] = field(default_factory=dict)
    titles: Mapping[str, int] = field(default_factory=dict)


def frequencies_of(tokens: Collection[str]) -> Frequencies:
    """Return how common tokens are; one query, each time the same: to make it would take longer than to ask it."""
    condition, wanted = among("token", [ALL_ROWS, *tokens])
    with plans_kept(connection), connection.cursor() as cursor:
        cursor.execute(f"SELECT token, documents, titles FROM errorkb_searchword WHERE {condition}", [wanted])
        found = cursor.fetchall()
    documents = {token: held for token, held, _ in found}
    titles = {token: held for token, _, held in found}
    return Frequencies(documents.pop(ALL_ROWS, 0), titles.pop(ALL_ROWS, 0), documents, titles)


def meant_by(typed: Mapping[str, int]) -> dict[str, str]:
    """Return for mistyped tokens the known words that were most likely meant; one query.

    `typed` says how many rows hold each token: that which was meant is held by so many times as many.
    """
    words = [token for token in typed if is_correctable(token)]
    if not words:
        return {}
    near = Q()
    for word in words:
        lengths = range(len(word) - most_errors(word), len(word) + most_errors(word) + 1)
        for letters, group in groupby(lengths, end_letters):
            of_length = Q(length__in=list(group), length__gt=0)
            near |= Q(of_length, head=word[:letters]) | Q(of_length, tail=word[-letters:])
    rows = SearchWord.objects.filter(near).order_by("-documents", "token")
    known = [KnownWord(*row) for row in rows.values_list("token", "documents")[: _MOST_COMPARED * len(words)]]
    meant = {word: nearest(word, (one for one in known if one.documents >= _RATIO * typed[word])) for word in words}
    return {word: found for word, found in meant.items() if found}


def refresh_if_grown() -> bool:
    """Count anew if there are many more rows than when that was done last; say whether that was done."""
    last = SearchRow.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    if last <= frequencies_of(()).last * GROWTH:
        return False
    refresh()
    return True


def refresh() -> None:
    """Count how common tokens are, on a sample that is the same on every database. Readers see the old figures."""
    rows, last = SearchRow.objects.count(), SearchRow.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    titles = _counted(_titles, max(1, rows // MOST_TITLES))
    documents = _counted(_all_tokens, max(1, rows // MOST_ROWS))
    documents |= titles
    words = [_word(token, documents[token], titles[token]) for token in sorted(_most_common(documents))]
    with transaction.atomic():
        SearchWord.objects.all().delete()
        _insert([(ALL_ROWS, rows, last, "", "", 0), *words])


def _insert(words: Sequence[_Word]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_INSERT_ALL, [list(column) for column in zip(*words, strict=True)])
        else:
            cursor.executemany(_INSERT_EACH, words)


def _most_common(documents: Counter[str]) -> list[str]:
    """Return the MOST_WORDS tokens that most rows hold; of those that as many hold, words before other tokens."""
    by_count = sorted(Counter(documents.values()).items(), reverse=True)
    sums = accumulate(tokens for _, tokens in by_count)
    least = next((count for (count, _), total in zip(by_count, sums, strict=True) if total >= MOST_WORDS), 0)
    alike: tuple[list[str], list[str]] = ([], [])
    for token, count in documents.items():
        if count == least:
            alike[not is_correctable(token)].append(token)
    found = [token for token, count in documents.items() if count > least]
    return [*islice(chain(found, *map(sorted, alike)), MOST_WORDS)]


def _word(token: str, documents: int, titles: int) -> _Word:
    if not is_correctable(token):
        return token, documents, titles, "", "", 0
    letters = end_letters(len(token))
    return token, documents, titles, token[:letters], token[-letters:], len(token)


def _counted(sample: Callable[[int], Iterable[Collection[str]]], step: int) -> Counter[str]:
    """Return about how many rows hold each token, of a sample of every so manyth row."""
    counts: Counter[str] = Counter()
    counts.update(chain.from_iterable(sample(step)))
    for token in counts if step > 1 else ():
        counts[token] *= step
    return counts


def _titles(step: int) -> Iterator[Tokens]:
    for (title,) in _sample(step, "title"):
        yield tuple(split_title(title)[0].split())


def _all_tokens(step: int) -> Iterator[set[str]]:
    for title, *others in _sample(step, "title", "names", "parts", "prose"):
        yield set(" ".join((split_title(title)[0], *others)).split())


def _sample(step: int, *columns: str) -> Iterator[tuple[str, ...]]:
    """Yield columns of every so manyth row."""
    rows = SearchRow.objects.alias(rest=F("pk") % step).filter(rest=0) if step > 1 else SearchRow.objects.all()
    yield from rows.order_by().values_list(*columns).iterator(chunk_size=_CHUNK)
