"""Search: which rows are read, whatever the database can stop at."""

import pytest

from errorkb.models import SearchRow
from errorkb.search.backends import Match
from errorkb.search.candidate_rows import TITLE_LENGTH, Kind, read_rows
from errorkb.search.filters import PUBLIC_ROWS
from tests.search.bases import Base

HOLDING = Match((("lost",),))


@pytest.mark.parametrize("most", [1, 2, 3])
def test_hidden_rows_take_nobodys_place(base: Base, most: int) -> None:
    states = ["draft", "published", "draft", "published"]
    entries = [base.entry(message=f"{n} lost", state=state) for n, state in enumerate(states)]
    public = [entries[1].search_row.pk, entries[3].search_row.pk]
    assert read_rows(PUBLIC_ROWS, HOLDING, most, Kind.KEYS) == [(pk,) for pk in public[:most]]


def test_reads_what_ranking_needs_of_entries_and_pull_requests(base: Base) -> None:
    entry, pull_request = base.entry(message="kv lost"), base.pull_request(title="Lost", number=7)
    assert read_rows(PUBLIC_ROWS, HOLDING, 9, Kind.RANKED) == [
        (entry.search_row.pk, "kv lost", "", "kv lost | kv lost", entry.search_row.names, "", False, False, False),
        (pull_request.search_row.pk, "Lost", None, "7 lost", pull_request.search_row.names, "", None, None, None),
    ]


@pytest.mark.parametrize("letter", ["x", "\u00e9", "\u4fee", "\U00020000"])
@pytest.mark.parametrize("length", [1, TITLE_LENGTH // 2, TITLE_LENGTH, TITLE_LENGTH + 1])
def test_of_a_long_title_the_first_characters_are_read(base: Base, letter: str, length: int) -> None:
    base.entry(message="kv lost")
    SearchRow.objects.update(title=letter * length, names="lost")
    ((_, _, _, title, *_),) = read_rows(PUBLIC_ROWS, HOLDING, 9, Kind.RANKED)
    assert title == letter * min(length, TITLE_LENGTH)
