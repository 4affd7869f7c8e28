"""Search: what a query finds, in which order, and that every query gets a clean answer at a constant cost."""

import copy
import json
import random
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from errorkb.core.queries import parse_query
from errorkb.core.tokens import query_tokens
from errorkb.models import ErrorEntry, PullRequest
from errorkb.search.row_tokens import NO_WORDS, texts_of
from errorkb.search.searching import found_entries, search
from tests.search.bases import ENTRY, PULL_REQUEST, Base, find, title_of, titles

DATA = Path(__file__).parent.parent.parent / "data" / "entries"
MESSAGE = ENTRY["message"]
TITLE = PULL_REQUEST["title"]


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


def test_a_phrase_needs_its_words_in_their_order_and_with_their_signs(base: Base) -> None:
    base.entry(message="the key: lost, twice")
    base.entry(message="lost key the twice")
    assert titles('"key: lost"') == ["the key: lost, twice"]
    assert titles('"lost,  TWICE"') == ["the key: lost, twice"]
    assert find('"he key: lost"').some_words
    assert find('"key: los"').some_words


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


@pytest.mark.parametrize("query", ["error", "ai-assisted zzzz", "1.0", "zzzz error python"])
def test_facts_with_a_few_values_are_no_words(base: Base, query: str) -> None:
    facts = {"kind": "error", "analysis": {"method": "ai-assisted"}, "source": {"language": "python"}}
    for number in range(30):
        base.entry(message=f"m{number}", **facts)
    assert find(query).total == 0


def test_words_that_every_row_has_are_no_hit_beside_unknown_ones(base: Base) -> None:
    for number in range(30):
        base.entry(message=f"m{number}", meaning="An error of an object.")
    base.entry(message="flux capacitor missing", meaning="An error.")
    assert titles("error object zzzzunheard") == []
    assert titles("error object zzzzunheard flux") == ["flux capacitor missing"]


def test_only_a_few_share_some_of_the_words(base: Base) -> None:
    for number in range(12):
        base.entry(message=f"flux capacitor {number}")
    results = find("flux capacitor zzzzunheard")
    assert (results.total, results.some_words) == (5, True)


def test_the_type_of_an_error_without_a_message_is_enough(base: Base) -> None:
    base.entry(message="", exception_type="a.TemplateDoesNotExist", source={"symbol": "get_template"})
    base.entry(message="a template of a shop was not found")
    results = find("django.template.exceptions.TemplateDoesNotExist: shop/cart_of/goods.html")
    assert results.results[0].entry.exception_type == "a.TemplateDoesNotExist"


MANIFEST, CSS = "Missing staticfiles manifest entry for '%s'", "The {ext} file '{filename}' references\n  {missing}"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Missing staticfiles manifest entry for 'css/style.css'", [MANIFEST, CSS]),
        ("ValueError: Missing staticfiles manifest entry for 'css/style.css'", [MANIFEST]),
        ("Missing staticfiles manifest entry for 'x.png'", [MANIFEST]),
        ("\"Missing staticfiles manifest entry for 'x.png'\"", [MANIFEST]),
        ("Missing staticfiles manifest entry for 'x.png' -zzzz", [MANIFEST]),
        ("Missing staticfiles manifest entry for 'x.png' -manifest", []),
        ("kind:error Missing staticfiles manifest entry for 'x.png'", [MANIFEST]),
        ("The CSS file 'base.css' references", [CSS]),
    ],
)
def test_the_message_that_was_pasted_with_values_is_on_top(base: Base, query: str, expected: list[str]) -> None:
    tale = f"{MANIFEST.replace('%s', 'css/style.css')} and its css"
    base.entry(message=CSS, placeholders="brace", meaning=tale, analysis={"reviewed": True})
    base.entry(message=MANIFEST, placeholders="percent")
    base.entry(message="entry for a file", meaning="A manifest is missing.")
    assert titles(query) == expected
    assert not find(query).some_words


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


def test_only_public_entries_are_found(base: Base) -> None:
    for state in ("draft", "in_review", "published", "withdrawn"):
        base.entry(message=f"state {state}", state=state)
    assert titles("state") == ["state published"]
    everything = search(parse_query("state"), entries=ErrorEntry.objects.all())
    assert everything.total == 4


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


SHIPPED = [json.loads(path.read_text("utf-8")) for path in sorted(DATA.glob("*.json"))]


def test_every_shipped_title_finds_its_entry_first_plain_and_rendered(base: Base) -> None:
    for document in SHIPPED:
        base.entry(**document)
    missed = [query for document in SHIPPED for query in _pasted(document) if not _is_first(document, query)]
    assert missed == []


def _pasted(document: dict[str, Any]) -> list[str]:
    """Return what somebody pastes: message, title, and texts that the document gives as samples."""
    message, kind = document["message"], document["exception_type"]
    if not message:
        return [f"{kind} in {document['source']['symbol']}"]
    return [
        message,
        f"{kind}: {message}",
        f'"{message}"' if '"' not in message else message,
        *document.get("samples", []),
    ]


def _is_first(document: dict[str, Any], query: str) -> bool:
    results = find(query, per_page=1).results
    return bool(results) and title_of(results[0]) == document["message"]


CHANGES = ["x\u2011y", "修复它", "a" * 100, "C:\\Users", "v1.2.3-rc1", "{slot}", "\u202eabc", "E0277", "é́́", "1e5"]


@pytest.mark.parametrize("seed", range(10))
def test_every_text_of_a_changed_document_finds_it(base: Base, seed: int) -> None:
    chance = random.Random(seed)
    document = copy.deepcopy(ENTRY)
    document["meaning"] = " ".join(chance.sample(CHANGES, 4))
    document["solutions"].append({"text": chance.choice(CHANGES), "code": chance.choice(CHANGES)})
    document["tags"] = chance.sample(CHANGES, 2)
    base.entry(**document)
    texts = [text for field, text in texts_of(document) if field not in NO_WORDS and 0 < len(query_tokens(text)) <= 250]
    assert [text for text in texts if find(" ".join(query_tokens(text))).total != 1] == []


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


# Each row: a query, and how many database queries it takes, whatever is found.
QUERY_COUNTS = [
    ("HiSparse", 2),
    ("", 2),
    ("is:explained repo:sglang path:conn.py", 2),
    ('"does not support"', 3),
    ("kv_indices", 3),
    ("HiSparse destination qwertzuiop", 9),
    ("HiSparse destination device kv_indices dst qwertzuiop uiopqwertz", 10),
    ("Ascend PD qwertzuiop does not support HiSparse destination", 11),
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


@pytest.fixture
def numbered(base: Base) -> Base:
    for number in range(45):
        base.pull_request(number=number + 1, title=f"Same title {number:03}")
    return base


def test_pages(numbered: Base) -> None:
    pages = [titles("same title", page=page) for page in (1, 2, 3)]
    assert [len(page) for page in pages] == [20, 20, 5]
    assert sorted(title for page in pages for title in page) == [f"Same title {number:03}" for number in range(45)]
    assert pages == [titles("same title", page=page) for page in (1, 2, 3)]


@pytest.mark.parametrize(
    ("page", "number", "first", "last", "has_previous", "has_next"),
    [
        (1, 1, 1, 20, False, True),
        (3, 3, 41, 45, True, False),
        (99, 3, 41, 45, True, False),
        (-1, 1, 1, 20, False, True),
    ],
)
def test_a_page_says_where_it_stands(
    numbered: Base, page: int, number: int, first: int, last: int, *, has_previous: bool, has_next: bool
) -> None:
    results = find("same title", page=page)
    assert (results.page, results.pages, results.first, results.last) == (number, 3, first, last)
    assert (results.has_previous, results.has_next) == (has_previous, has_next)
    assert results.total_text == "45"


def test_an_empty_page_says_where_it_stands(base: Base) -> None:
    results = find("nothing")
    assert (results.page, results.pages, results.first, results.last, results.total_text) == (1, 1, 0, 0, "0")


def test_more_than_a_thousand_results_are_counted_no_further(base: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errorkb.search.candidates.MOST_CANDIDATES", 10)
    for number in range(12):
        base.pull_request(number=number + 1, title="other", report={"summary": "some words here"})
    base.pull_request(number=99, title="some words")
    results = find("some words")
    assert (results.total, results.total_text, results.is_cut) == (10, "10+", True)
    assert title_of(results.results[0]) == "some words"


def test_reviewed_comes_before_unreviewed_and_current_before_removed(base: Base) -> None:
    base.entry(message="pool lost a", releases={"removed": "2"}, analysis={"reviewed": True})
    base.entry(message="pool lost b")
    base.entry(message="pool lost c", analysis={"reviewed": True})
    base.entry(message="unrelated", meaning="The pool lost it.", analysis={"reviewed": True})
    assert titles("pool lost") == ["pool lost c", "pool lost b", "pool lost a", "unrelated"]
