"""Search: what a query finds, and in which order."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from errorkb.core.queries import parse_query
from errorkb.core.tokens import query_tokens
from errorkb.models import ErrorEntry, SearchRow
from errorkb.search.row_tokens import NO_WORDS, texts_of
from errorkb.search.searching import search
from tests.search.bases import ENTRY, Base, find, title_of, titles

DATA = Path(__file__).parent.parent.parent / "data" / "entries"


def test_a_phrase_needs_its_words_in_their_order_and_with_their_signs(base: Base) -> None:
    base.entry(message="the key: lost, twice")
    base.entry(message="lost key the twice")
    assert titles('"key: lost"') == ["the key: lost, twice"]
    assert titles('"lost,  TWICE"') == ["the key: lost, twice"]
    assert find('"he key: lost"').some_words
    assert find('"key: los"').some_words


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


FITTED = "This %(name)s instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator."


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("This Ridge instance is not fitted yet", [FITTED, "{} is a class, not an instance."]),
        ("kind:error This Ridge instance is not fitted yet", [FITTED, "{} is a class, not an instance."]),
        ("Ridge instance fitted yet", ["{} is a class, not an instance."]),
        ("one Ridge tale with an instance that nobody has fitted yet", ["{} is a class, not an instance."]),
    ],
)
def test_the_message_whose_beginning_was_pasted_comes_before_what_tells_of_it(
    base: Base, query: str, expected: list[str]
) -> None:
    tale = "One tale: this Ridge instance is not fitted yet, with that nobody has."
    base.entry(message=FITTED, placeholders="percent")
    base.entry(message="{} is a class, not an instance.", placeholders="brace", meaning=tale)
    assert titles(query) == expected


def test_what_holds_all_words_comes_before_templates_that_are_half_of_them(base: Base) -> None:
    base.entry(message="{path} does not exist", placeholders="brace")
    base.entry(message="", exception_type="RelatedObjectDoesNotExist", repository="django/django")
    found = find("django related object does not exist").results
    assert [one.entry.exception_type for one in found] == ["RelatedObjectDoesNotExist"]


def test_a_filter_is_no_part_of_the_message_that_was_pasted(base: Base) -> None:
    base.entry(
        message="Session is closed", repository="aio-libs/aiohttp", meaning="Removed.", releases={"removed": "2"}
    )
    base.entry(message="Session is closed by the peer", repository="aio-libs/aiohttp")
    assert titles("repo:aiohttp Session is closed") == ["Session is closed", "Session is closed by the peer"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("src/conn.py:136", ["here"]),
        ("src/conn.py:9", ["here", "there"]),
        ("https://github.com/a/b/blob/main/src/conn.py#L136", ["here"]),
        ("https://github.com/a/b/blob/main/src/conn.py#L9-L12", ["here", "there"]),
        ("src/conn.py:9 nowhere", []),
    ],
)
def test_a_line_that_no_document_has_stands_for_its_file(base: Base, query: str, expected: list[str]) -> None:
    base.entry(message="here", source={"path": "src/conn.py", "line": 136})
    base.entry(message="there", source={"path": "src/conn.py", "line": 285})
    base.entry(message="elsewhere", source={"path": "src/con.py", "line": 9})
    results = find(query)
    assert [title_of(result) for result in results.results if not results.some_words] == expected


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


def test_only_public_entries_are_found(base: Base) -> None:
    for state in ("draft", "in_review", "published", "withdrawn"):
        base.entry(message=f"state {state}", state=state)
    assert titles("state") == ["state published"]
    everything = search(parse_query("state"), entries=ErrorEntry.objects.all())
    assert everything.total == 4


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


def test_the_keys_of_all_results_are_told(numbered: Base) -> None:
    results = find("same title", per_page=2)
    assert len(results.keys) == len(set(results.keys)) == 45
    rows = SearchRow.objects.in_bulk(results.keys[:2])
    assert [rows[key].pull_request for key in results.keys[:2]] == [result.subject for result in results.results]
