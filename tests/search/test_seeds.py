"""Search: what is found of the two seed documents, and that every query gets a clean answer at a constant cost."""

from time import process_time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from errorkb.core.queries import parse_query
from errorkb.models import ErrorEntry, PullRequest
from errorkb.search.searching import found_entries
from tests.databases import Filling
from tests.search.bases import ENTRY, PULL_REQUEST, Base, find, title_of, titles

pytestmark = pytest.mark.django_db

MESSAGE = ENTRY["message"]
TITLE = PULL_REQUEST["title"]


@pytest.fixture(scope="module")
def seeds(module_base: Filling) -> Base:
    """The two seed documents."""
    base = Base()
    with module_base():
        base.entry(**ENTRY)
        base.pull_request(**PULL_REQUEST)
    return base


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("dst_device_kv_indices", [MESSAGE, TITLE]),
        ("AscendKVManager", [MESSAGE, TITLE]),
        ("ascendkvmanager", [MESSAGE, TITLE]),
        ("AscendKVManager.send_kvcache", [MESSAGE, TITLE]),
        ("ascend manager", [MESSAGE, TITLE]),
        ("kv_indices", [MESSAGE, TITLE]),
        ("ascend/conn.py", [MESSAGE, TITLE]),
        ("python/sglang/srt/disaggregation/ascend/conn.py", [MESSAGE, TITLE]),
        ("dst_kv_indic", [MESSAGE, TITLE]),
        ("-mooncake dst_kv_indic", []),
        ("kind:pull_request dst_kv_indic", [TITLE]),
        ("kind:pull_request", [TITLE]),
        ("repo:sglang", [MESSAGE, TITLE]),
        ("--enable-hierarchical-cache", [MESSAGE]),
        ("0132848349", [MESSAGE]),
        ("33523", [TITLE, MESSAGE]),
        ("#31901", [TITLE]),
        ("接口漂移", [TITLE]),
        ("修复", [TITLE]),
        ("漂", [TITLE]),
        ("复修", []),
        ("漂移 mooncakekvmanager", [TITLE]),
        ("PD-disaggregation error", [TITLE, MESSAGE]),
        ("PD\u2011disaggregation", [TITLE, MESSAGE]),
        ("PD\u2014disaggregation", [TITLE, MESSAGE]),
        ("ＰＤ－disaggregation", [TITLE, MESSAGE]),
        ("[npu] [bugfix] Fix PD-disaggregation error", [TITLE]),
        ("[npu] [bugfix] Fix PD\u2011disaggregation error", [TITLE]),
        ('"PD-disaggregation"', [TITLE]),
        ("\u201cPD\u2011disaggregation error\u201d", [TITLE]),
        ('"does not support HiSparse"', [MESSAGE, TITLE]),
        ('"support HiSparse destination device KV"', [MESSAGE]),
        ('"NotImplementedError: Ascend PD"', [MESSAGE]),
        ('"except NotImplementedError:"', [MESSAGE]),
        ('"缺少测试配套"', [TITLE]),
        ("HiSparse -修复", [MESSAGE]),
        ("HiSparse -send_kvcache", []),
        ('HiSparse -"does not support"', []),
        ("-mooncake", []),
        ("-修复", [MESSAGE]),
        ('-"接口漂移"', [MESSAGE]),
        ("is:reviewed", []),
        ("is:explained", [MESSAGE]),
        ("is:facts-only", []),
        ("is:unreviewed hisparse", [MESSAGE]),
        ("kind:pull_request hisparse", [TITLE]),
        ("", [MESSAGE]),
    ],
)
def test_finds_the_seeds(seeds: Base, query: str, expected: list[str]) -> None:
    results = find(query)
    assert [title_of(result) for result in results.results] == expected
    assert results.total == len(expected)
    assert not results.some_words


def test_a_phrase_that_nothing_holds_is_searched_for_by_its_words_and_that_is_said(seeds: Base) -> None:
    results = find('"support does not HiSparse"')
    assert results.some_words
    assert [title_of(result) for result in results.results] == [MESSAGE, TITLE]


def test_nothing_found_is_said_with_the_words_that_nothing_holds(seeds: Base) -> None:
    results = find("qwertzuiop")
    assert (results.total, list(results.results), results.unknown) == (0, [], ("qwertzuiop",))
    assert not results.some_words


def test_some_of_the_words_are_better_than_nothing_and_it_is_said(seeds: Base) -> None:
    results = find("HiSparse destination qwertzuiop")
    assert results.some_words
    assert results.unknown == ("qwertzuiop",)
    assert title_of(results.results[0]) == MESSAGE


def test_filters_and_exclusions_hold_for_some_of_the_words_too(seeds: Base) -> None:
    assert titles('HiSparse qwertzuiop -"接口漂移"') == [MESSAGE]
    assert titles('kv_indices -"接口漂移"') == [MESSAGE]
    assert titles("HiSparse qwertzuiop kind:pull_request") == [TITLE]
    assert titles("HiSparse qwertzuiop -修复") == [MESSAGE]
    assert titles("HiSparse qwertzuiop path:nowhere.py") == []


def test_wrong_filters_are_explained_and_ignored(seeds: Base) -> None:
    results = find("colour:red is:banana HiSparse")
    assert results.total == 2
    assert len(results.problems) == 2


def test_entries_for_a_list_of_their_own(seeds: Base) -> None:
    everything = ErrorEntry.objects.all()
    assert [row.message for row in found_entries(parse_query("HiSparse"), everything)] == [MESSAGE]
    assert [row.message for row in found_entries(parse_query("repo:sglang"), everything)] == [MESSAGE]
    assert not found_entries(parse_query("修复"), everything)
    assert not found_entries(parse_query("repo:other"), everything)


def test_results_say_where_they_were_found(seeds: Base) -> None:
    entry, pull_request = find("AscendKVManager").results
    assert isinstance(entry.subject, ErrorEntry)
    assert (entry.entry, entry.pull_request) == (entry.subject, None)
    assert isinstance(pull_request.subject, PullRequest)
    assert (pull_request.entry, pull_request.pull_request) == (None, pull_request.subject)
    assert entry.field == "source.symbol"
    assert [fragment.text for fragment in entry.excerpt if fragment.hit] == ["AscendKVManager"]
    assert pull_request.field == "report.motivation"
    assert "".join(fragment.text for fragment in pull_request.title) == TITLE


@pytest.mark.parametrize(
    "query",
    [
        '"',
        '""',
        '"""',
        "*",
        "a*",
        "NEAR(",
        "NEAR(a b, 3)",
        "AND",
        "a AND OR NOT b",
        "NOT",
        "title: x",
        "{title} : x",
        "^a",
        "a + b",
        "(",
        "-",
        "--",
        "-*",
        ":",
        "::",
        "'; DROP TABLE errorkb_errorentry; --",
        "' OR 1=1 --",
        "%",
        "_",
        "\\",
        "a\0b",
        "\0",
        "\ud800",
        "a\ud800b",
        "😀",
        "😀 HiSparse",
        "\u202e\u200b",
        "the of and",
        "is",
        "不",
        "path:*",
        "path:'",
        'type:"',
        "symbol:%",
        "repo:'",
        "repo:*/*",
        "code:\\",
        "kind:' OR 1=1",
        "0a4a184d34e9a38f",
        "a" * 1_000_000,
        "a " * 500_000,
        '"a" ' * 250_000,
        "-a " * 300_000,
        "path:*a ",
        " ".join(f"w{n}" for n in range(1000)),
        " ".join(f"repo:r{n}" for n in range(1000)),
        "(" * 100_000,
        "修" * 100_000,
        "e\u0301\u0323" * 50_000,
    ],
    ids=lambda query: ascii(query[:20]),
)
def test_every_query_gets_a_clean_answer(seeds: Base, query: str) -> None:
    began = process_time()
    results = find(query)
    assert process_time() - began < 3
    assert 0 <= results.total <= 2
    assert ErrorEntry.objects.count() == 1


@pytest.mark.parametrize("query", ['"', "😀", "*", "is:banana"])
def test_where_nothing_is_asked_for_nothing_is_found_and_it_is_said(seeds: Base, query: str) -> None:
    results = find(query)
    assert results.total == 0
    assert results.problems


@pytest.mark.parametrize("query", ["the", "does not", "the of"])
def test_stop_words_alone_are_searched_for(seeds: Base, query: str) -> None:
    assert find(query).total in (1, 2)


def test_what_was_meant_by_mistyped_words_is_found_and_said(seeds: Base) -> None:
    results = find("Acsend hisprase")
    assert results.corrections == (("Acsend", "Ascend"), ("hisprase", "hisparse"))
    assert [title_of(result) for result in results.results] == [MESSAGE, TITLE]
    assert not results.some_words
    assert "Ascend" in [fragment.text for fragment in results.results[0].title if fragment.hit]


@pytest.mark.parametrize(
    ("query", "used"),
    [
        ("NotImplmentedError", "NotImplementedError"),
        ("AscendKVManger", "AscendKVManager"),
        ("send_kvcahce", "send_kvcache"),
        ("destinaton -修复 path:conn.py", "destination"),
        ("kv_indics", "kv_indices"),
    ],
)
def test_a_mistyped_name_is_corrected_whole_or_in_its_parts(seeds: Base, query: str, used: str) -> None:
    results = find(query)
    assert results.corrections == ((query.split()[0], used),)
    assert title_of(results.results[0]) == MESSAGE


@pytest.mark.parametrize("query", ["Acsend", "AscendKVManger", "destinaton HiSparse"])
def test_corrections_can_be_refused(seeds: Base, query: str) -> None:
    results = find(query, exact=True)
    assert results.corrections == ()
    assert results.some_words or not results.results


@pytest.mark.parametrize("query", ["Ascend", "HiSparse destination", '"Acsend"', "qwertzuiop", "33524"])
def test_what_is_held_or_quoted_or_near_nothing_is_not_corrected(seeds: Base, query: str) -> None:
    assert find(query).corrections == ()


# Each row: a query, and how many database queries it takes, whatever is found.
QUERY_COUNTS = [
    ("HiSparse", 5),
    ("", 3),
    ("is:explained repo:sglang path:conn.py", 5),
    ("repo:of-nobody is:removed", 2),
    ('"does not support"', 6),
    ("kv_indices", 6),
    ("HiSparse destination qwertzuiop", 13),
    ("HiSparse destination device kv_indices dst qwertzuiop uiopqwertz", 16),
    ("Ascend PD qwertzuiop does not support HiSparse destination", 17),
]


def test_the_number_of_database_queries_does_not_grow(seeds: Base) -> None:
    assert [(query, _queries(query)) for query, _ in QUERY_COUNTS] == QUERY_COUNTS
    report = {"summary": f"{MESSAGE} {ENTRY['meaning']}"}
    for number in range(1, 31):
        message, identifier = f"{MESSAGE} {number}", f"{number:016x}"
        seeds.entry(**ENTRY | {"id": identifier, "message": message, "code": f"E{number}"})
        seeds.pull_request(number=number, repository=f"a/r{number}", title=message, report=report)
    assert [query for query, count in QUERY_COUNTS if _queries(query) > count] == []


def _queries(query: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        find(query)
    return len(captured)
