"""Search: the order of candidates, worked out by hand."""

import pytest

from errorkb.core.queries import parse_query
from errorkb.search.ranking import Candidate, Counts, ranked, ranked_by_likeness
from errorkb.search.row_tokens import tokens_for_entry
from errorkb.search.terms import Terms, terms_of


def candidate(pk: int, message: str, **fields: object) -> Candidate:
    """Make a candidate as the entry of this message would be."""
    exception_type = str(fields.pop("exception_type", ""))
    source = {"symbol": fields.pop("symbol", "")}
    document = {"message": message, "placeholders": "percent", "exception_type": exception_type, "source": source}
    tokens = tokens_for_entry(document)
    standing = {"reviewed": False, "explained": True, "removed": False} | fields
    return Candidate(pk, message[:200], exception_type, tokens.title, tokens.names, **standing)  # type: ignore[arg-type]


def order(query: str, *candidates: Candidate) -> list[int]:
    return [found.pk for found in ranked(candidates, query, terms_of(parse_query(query)))]


@pytest.mark.parametrize(
    ("query", "candidates", "expected"),
    [
        # The title that was pasted, before longer ones that hold it, reviewed or not.
        ("kv lost", [candidate(1, "kv lost again", reviewed=True), candidate(2, "KV lost")], [2, 1]),
        ("KeyError: kv lost", [candidate(1, "kv lost"), candidate(2, "kv lost", exception_type="KeyError")], [2, 1]),
        # Side by side, before apart; all in the title, before title and names; those before prose.
        ("kv lost", [candidate(1, "lost the kv"), candidate(2, "the kv lost it")], [2, 1]),
        ("kv lost", [candidate(1, "lost", symbol="kv"), candidate(2, "lost a kv")], [2, 1]),
        ("kv lost", [candidate(1, "lost"), candidate(2, "lost", symbol="get_kv")], [2, 1]),
        ("kv lost", [candidate(1, "nothing"), candidate(2, "lost")], [2, 1]),
        # The words of a pasted template before all words in another order or elsewhere; the longer template first.
        ("kv lost: a7", [candidate(1, "a7: kv lost it"), candidate(2, "kv lost: %s")], [2, 1]),
        ("kv lost: a7", [candidate(1, "a b", symbol="kv.lost.a7"), candidate(2, "kv lost: %s")], [2, 1]),
        ("kv lost: a 7", [candidate(1, "kv lost: %s"), candidate(2, "%s kv lost: %s 7")], [2, 1]),
        ("kv lost: 7", [candidate(1, "kv lost: %s"), candidate(2, "kv lost: 7")], [2, 1]),
        # An entry before a pull request at equal evidence, whatever its standing; titles come before.
        ("kv", [candidate(1, "a kv", is_entry=False), candidate(2, "the kv too", removed=True)], [2, 1]),
        ("kv", [candidate(1, "a", symbol="kv", is_entry=False), candidate(2, "a")], [2, 1]),
        ("kv", [candidate(1, "a", symbol="kv"), candidate(2, "a kv", is_entry=False)], [2, 1]),
        # The function, file or code that was named, before others in which the name stands; a mere word names none.
        ("a_kv", [candidate(1, "no a_kv"), candidate(2, "other", symbol="a_kv")], [2, 1]),
        ("m.kv", [candidate(1, "m.kv lost"), candidate(2, "other", symbol="Top.m.kv")], [2, 1]),
        ("a_kv", [candidate(1, "x", symbol="get_a_kv"), candidate(2, "", symbol="a_kv", exception_type="E")], [2, 1]),
        ("kv", [candidate(1, "other", symbol="kv"), candidate(2, "a kv")], [2, 1]),
        # A short template that stands in a long text, or is half of it, says less than all of the words.
        ("kv lost on disk", [candidate(1, "kv lost %s"), candidate(2, "disk lost kv")], [2, 1]),
        ("kv lost by a b c d e", [candidate(1, "kv lost %s"), candidate(2, "e d c b lost by kv")], [2, 1]),
        # Parts of names count as words of the title.
        ("manager", [candidate(1, "other", symbol="manager"), candidate(2, "AscendKVManager failed")], [2, 1]),
        # Among equals: current, reviewed, explained, a shorter title, the older.
        ("kv", [candidate(1, "a kv", removed=True, reviewed=True), candidate(2, "a kv")], [2, 1]),
        ("kv", [candidate(1, "a kv"), candidate(2, "a kv", reviewed=True)], [2, 1]),
        ("kv", [candidate(1, "a kv", explained=False), candidate(2, "a kv")], [2, 1]),
        ("kv", [candidate(1, "a kv and much more"), candidate(2, "a kv")], [2, 1]),
        ("kv", [candidate(2, "a kv"), candidate(1, "a kv")], [1, 2]),
        # Nothing asked for: standing, then age.
        ("", [candidate(1, ""), candidate(3, "x"), candidate(2, "y", reviewed=True)], [2, 1, 3]),
    ],
)
def test_order(query: str, candidates: list[Candidate], expected: list[int]) -> None:
    assert order(query, *candidates) == expected
    assert order(query, *reversed(candidates)) == expected


def test_a_pasted_title_is_known_whatever_its_signs_and_length() -> None:
    long = "Fix PD\u2011disaggregation: \u201cthis\u201d " + "and so on " * 40
    assert candidate(1, long).is_headed('fix pd-disaggregation: "this" ' + ("and so on " * 40).strip())
    assert candidate(1, "Fix PD\u2011x").is_headed("fix pd-x")
    assert not candidate(1, "Fix PD\u2011x").is_headed("fix pd-x too")


COUNTS = {"model": 40, "class": 300, "doesn": 200, "declare": 3, "explicit": 5, "blog": 2, "post": 60}


def like(*candidates: Candidate) -> list[int]:
    return [found.pk for found in ranked_by_likeness(candidates, Terms(tuple(COUNTS)), Counts(COUNTS, 1001, 1001))]


def test_what_every_row_has_says_nothing() -> None:
    counts = Counts({"error": 30, "kv": 1}, 40, 1001)
    found = ranked_by_likeness([candidate(1, "an error"), candidate(2, "a kv")], Terms(("error", "kv")), counts)
    assert [row.pk for row in found] == [2]


def test_a_message_with_values_is_most_like_its_template() -> None:
    template = candidate(1, "Model class %s doesn't declare an explicit label")
    by_value = candidate(2, "blog post not found", reviewed=True)
    assert like(by_value, template) == [1]


def test_rare_words_count_more_than_common_ones() -> None:
    common, rare = candidate(1, "explicit model class doesn't post"), candidate(2, "declare explicit blog")
    assert like(common, rare) == [2, 1]


def test_what_shares_too_little_is_left_out() -> None:
    assert like(candidate(1, "the class of another thing altogether")) == []


def test_what_is_far_less_like_than_the_best_is_left_out() -> None:
    template = candidate(1, "Model class %s doesn't declare an explicit label")
    assert like(template, candidate(2, "a class that doesn't answer")) == [1]


def test_what_was_not_read_comes_behind_all_that_was() -> None:
    unread = [Candidate.unread(1), Candidate.unread(2)]
    assert order("kv", unread[1], unread[0], candidate(3, "other", is_entry=False)) == [3, 1, 2]
