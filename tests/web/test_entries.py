"""The entry page: everything that the document says, in the order in which it is read, and at one address."""

import pytest
from django.contrib.auth import get_user_model

from tests.builders import entry, site
from tests.web.conftest import sample

SEED = "/errors/0a4a184d34e9a38f/"
GITHUB = "https://github.com/sgl-project/sglang/"
X, Y = "aaaaaaaaaaaaaaa1", "bbbbbbbbbbbbbbb2"
AT_X = f"/errors/{X}/"


def assert_in_order(text: str, *pieces: str) -> None:
    position = 0
    for piece in pieces:
        found = text.find(piece, position)
        assert found >= 0, f"{piece!r} is not behind {text[max(0, position - 40) : position]!r}"
        position = found + len(piece)


def test_shows_the_parts_of_the_seed_in_order(read, seed):
    assert_in_order(
        read(SEED).one("main").text,
        "sglang",
        "NotImplementedError",
        seed["message"],
        "AI-assisted, not reviewed by a person",
        "written for 0132848349",
        "check your version",
        "What it means",
        seed["meaning"],
        "Suggestions, not checked by a person",
        *seed["solutions"],
        "When it happens",
        seed["trigger"],
        seed["common_situations"],
        "Thrown at python/sglang/srt/disaggregation/ascend/conn.py:136",
        "raise NotImplementedError(",
        "guard",
        "check",
        "handle",
        "introduced",
        "#33523 [npu] [bugfix] Fix PD\u2011disaggregation error",
        "merged 2026-08-05 09:54 (zone not stated)",
        "Related errors",
        *(related["title"] for related in seed["related"]),
        "AI-assisted analysis of sgl-project/sglang at 0132848349, dated 2026-08-28. Not reviewed by a person.",
        "/api/errors/0a4a184d34e9a38f",
    )


def test_names_the_way_to_the_repository_and_module(read, seed):
    page = read(SEED)
    crumbs = page.all("nav", aria_label="The way to here")[0]
    assert crumbs.text.split() == ["sglang", "disaggregation", "ascend"]
    assert page.links["sglang"] == "/r/sgl-project/sglang/"
    assert page.links["ascend"] == "/r/sgl-project/sglang/?module=python/sglang/srt/disaggregation/ascend"


def test_links_the_throw_site_at_its_pin_and_line(read, seed):
    links = read(SEED).links
    assert links["View at 0132848349"] == (
        f"{GITHUB}blob/0132848349/python/sglang/srt/disaggregation/ascend/conn.py#L136"
    )
    assert links["written for 0132848349"] == f"{GITHUB}commit/0132848349"


def test_numbers_the_lines_of_the_excerpt_and_marks_the_throwing_one(read, seed):
    page = read(SEED)
    numbers = [link for link in page.all("a") if link.attributes.get("id", "").startswith("L")]
    assert [link.text.strip() for link in numbers] == [str(number) for number in range(118, 155)]
    assert page.by_id("L136").attributes["class"] == "thrown"
    assert page.by_id("L118").attributes["class"] == "far"
    assert page.by_id("source-code").text.rstrip("\n") == seed["source"]["snippet"]["code"]
    thrown = [line for line in page.all("span") if line.attributes.get("class") == "line thrown"]
    assert [line.text.strip() for line in thrown] == ["raise NotImplementedError("]


def test_shows_the_rest_of_the_excerpt_without_a_script(read, seed):
    page = read(SEED)
    assert page.by_id("whole-excerpt").attributes["type"] == "checkbox"
    assert page.one("label", class_="more").attributes["for"] == "whole-excerpt"
    assert "Show all 37 lines" in page.text


def test_says_why_an_example_does_not_parse(read, seed):
    page = read(SEED)
    assert page.by_id("example-1").text == seed["examples"][0]["code"]
    captions = [caption.text for caption in page.all("figcaption")]
    assert ["does not parse as Python" in caption for caption in captions] == [False, False, True]


def test_says_which_related_errors_are_loaded(read, seed, put):
    whole = "NPU packed attention does not support a sequence that is empty"
    put(entry(whole, repository="sgl-project/sglang", id=X, exception_type="ValueError"))
    page = read(SEED)
    assert page.links[f"ValueError: {whole}"] == AT_X
    notes = [item.text for item in page.all("div", class_="fine") if "named by its author" in item.text]
    assert (
        notes
        == ["sgl-project/sglang · named by its author"]
        + ["sgl-project/sglang · named by its author · not loaded here"] * 4
    )


def test_links_a_pull_request_to_the_forge_where_no_report_is_loaded(read, put):
    put(sample("error-0a4a184d34e9a38f.json"))
    assert read(SEED).links["sgl-project/sglang #33523"] == f"{GITHUB}pull/33523"


def test_sets_slots_apart_without_changing_the_message(read, put):
    put(entry("Model %s isn't in %r", id=X, placeholders="percent"))
    page = read(AT_X)
    assert page.by_id("message").text == "Model %s isn't in %r"
    assert [slot.text for slot in page.all("var", class_="slot")] == ["%s", "%r"]


def test_takes_slots_from_a_template_that_is_given(read, put):
    put(entry("/v1/models ${response.status}", id=X, template="/v1/models {status}"))
    assert [slot.text for slot in read(AT_X).all("var")] == ["${response.status}"]


def test_never_cuts_the_message(read, put):
    message = "word " * 2_000 + "end"
    put(entry(message, id=X))
    assert read(AT_X).by_id("message").text == message


def test_names_type_and_place_where_there_is_no_message(read, put):
    put(entry("", id=X, exception_type="AssertionError", source=site(symbol="Join._join_condition")))
    page = read(AT_X)
    assert page.one("h1").text == "AssertionError in Join._join_condition"
    assert page.one("title").text.startswith("AssertionError in Join._join_condition ·")


@pytest.mark.parametrize(
    "address", ["/errors/AAAAAAAAAAAAAAA1/", "/errors/bbbbbbbbbbbbbbb2/", "/errors/aaaaaaaaaaaaaaa1"]
)
def test_leads_other_forms_of_an_address_to_the_one(client, put, address):
    put(entry(id=X, aliases=[Y]))
    response = client.get(address)
    assert (response.status_code, response.headers["Location"]) == (301, AT_X)


@pytest.mark.parametrize("address", [AT_X, "/errors/123/", "/errors/zzzzzzzzzzzzzzzz/", f"/errors/{X}/more/"])
def test_answers_404_for_what_is_not_there(client, db, address):
    response = client.get(address)
    assert response.status_code == 404
    assert "There is nothing at this address" in response.content.decode()


@pytest.mark.parametrize("state", ["draft", "in_review"])
def test_shows_unpublished_entries_to_curators_only(client, put, state):
    put(entry(id=X, aliases=[Y], state=state))
    assert client.get(AT_X).status_code == 404
    assert client.get(f"/errors/{Y}/").status_code == 404
    client.force_login(get_user_model().objects.create_user("ada", is_staff=True))
    page = client.get(AT_X).content.decode()
    assert "Only signed-in curators see this page" in page
    assert '<meta name="robots" content="noindex">' in page


def test_says_that_an_entry_was_withdrawn_and_why(read, put):
    put(entry(id=X, state="withdrawn", withdrawn={"at": "2026-09-02T10:00Z", "reason": "Twice the same."}))
    page = read(AT_X)
    assert "This entry was withdrawn on 2026-09-02 10:00 UTC. Twice the same." in page.text
    assert page.all("meta", name="robots")


def test_heads_reviewed_solutions_as_solutions(read, put):
    put(entry(id=X, solutions=["Do it."], analysis={"method": "human", "reviewed": True, "reviewed_by": "Ada"}))
    page = read(AT_X)
    assert page.by_id("solutions-title").text == "Solutions"
    assert "Written by a person, reviewed by a person" in page.text
    assert "Reviewed by Ada." in page.text


def test_shows_what_a_solution_takes_and_what_speaks_for_it(read, put):
    solution = {
        "text": "Set `x`.",
        "kind": "configure",
        "code": "x = 1",
        "releases": {"first": "1.2", "last": "1.4"},
        "evidence": [{"type": "docs", "url": "https://example.org/x"}, {"url": "javascript:alert(1)"}],
    }
    put(entry(id=X, solutions=["First.", solution]))
    page = read(AT_X)
    assert "change the configuration" in page.text
    assert "in 1.2 to 1.4" in page.text
    assert page.links["docs: https://example.org/x"] == "https://example.org/x"
    assert page.by_id("solution-2-code").text == "x = 1"
    assert "javascript:alert(1)" in page.text
    assert not [link for link in page.all("a") if link.attributes["href"].startswith("javascript")]


def test_tells_a_scanner_s_conditions_apart(read, put):
    put(entry(id=X, trigger="Calling it.", conditions=["a is None", "not b"]))
    page = read(AT_X)
    conditions = page.one("ul", class_="conditions")
    assert conditions.text.split("\n")[1:-1] == ["a is None", "not b"]
    assert "Worked out from the source by a scanner." in page.text


def test_says_that_the_lines_around_a_place_are_not_recorded(read, put):
    put(entry(id=X, source=site()))
    page = read(AT_X)
    assert "Thrown at a.py:10 in f" in page.text
    assert "The lines around it are not recorded here." in page.text


def test_lists_wordings_with_their_releases(read, put):
    wordings = [{"message": "bad %s", "from": "2.0"}, {"template": "wrong {0}", "until": "1.9"}, {"message": "x"}]
    put(entry(id=X, placeholders="percent", wordings=wordings))
    items = [" ".join(item.text.split()) for item in read(AT_X).all("li") if "bad" in item.text or "wrong" in item.text]
    assert items == ["bad %s from 2.0", "wrong {0} until 1.9"]


def test_puts_what_has_no_place_of_its_own_among_the_facts(read, put):
    fields = {
        "retryable": False,
        "code": None,
        "samples": ["one", "two"],
        "tags": [],
        "x-new": {"deep": [{"on": True}]},
    }
    put(entry(id=X, **fields) | {"schema_version": "1.7"})
    page = read(AT_X)
    rows = dict(zip((dt.text for dt in page.all("dt")), (dd.text for dd in page.all("dd")), strict=True))
    assert rows["retryable"] == "no"
    assert rows["code"] == "not given"
    assert rows["tags"] == "none"
    assert rows["samples"] == "one\ntwo"
    assert rows["x-new.deep[0].on"] == "yes"


def test_keeps_prose_as_it_was_written_where_marks_are_lost(read, put):
    put(entry(id=X, meaning="It is *not* a bug.", trigger="Plain."))
    page = read(AT_X)
    assert "It is not a bug." in page.text
    assert "It is *not* a bug." in page.one("details", class_="as-written").text
    assert "Plain." not in page.one("details", class_="as-written").text


def test_shows_folded_code_on_several_lines_and_as_written(read, put):
    put(entry(id=X, examples=[{"code": "try:\\n    f()\\nexcept E:\\n    pass", "language": "python"}]))
    page = read(AT_X)
    assert page.by_id("example-1").text == "try:\n    f()\nexcept E:\n    pass"
    assert "try:\\n    f()\\nexcept E:\\n    pass" in page.one("details", class_="as-written").text


def test_says_what_machines_need_in_the_head(read, seed, settings):
    page = read(SEED)
    assert page.one("link", rel="canonical").attributes["href"] == f"{settings.SITE_URL}{SEED}"
    alternate = page.one("link", rel="alternate").attributes
    assert (alternate["type"], alternate["href"]) == ("application/json", "/api/errors/0a4a184d34e9a38f")
    assert page.one("title").text == f"NotImplementedError: {seed['message']} · sgl-project/sglang · errorkb"
    description = page.one("meta", name="description").attributes["content"]
    assert seed["meaning"].startswith(description.removesuffix("…"))
    assert len(description) <= 160


def test_lists_its_sections(read, seed):
    page = read(SEED)
    anchors = [link.attributes["href"] for link in page.all("a") if link.attributes.get("href", "").startswith("#")]
    contents = page.one("nav", class_="contents")
    assert contents.text.split("\n")[3:-2] == [
        "What it means",
        "Suggestions, not checked by a person",
        "When it happens",
        "Source",
        "Examples",
        "Does my version have this?",
        "History and pull requests",
        "Related errors",
        "Facts",
        "Who analysed it",
    ]
    assert {anchor[1:] for anchor in anchors} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_offers_to_report_a_mistake_in_the_site_s_own_tracker(read, put, settings):
    put(entry("50% & <b>", id=X))
    assert "Report a mistake" not in read(AT_X).text
    settings.REPORT_URL = "https://tracker.example/new?title={title}&body={url}"
    assert read(AT_X).links["Report a mistake"] == (
        "https://tracker.example/new?title=ValueError%3A%2050%25%20%26%20%3Cb%3E"
        "&body=http%3A%2F%2F127.0.0.1%3A8000%2Ferrors%2Faaaaaaaaaaaaaaa1%2F"
    )


@pytest.mark.parametrize("related", [1, 3])
def test_asks_the_database_a_constant_number_of_questions(client, put, related, django_assert_num_queries):
    put(*(entry(f"this other message, number {n}", id=f"{n:016x}") for n in range(3)))
    put(entry(id=X, related=[{"id": f"{n:016x}"} for n in range(related)]))
    client.get(AT_X)
    with django_assert_num_queries(11):
        client.get(AT_X)


def test_says_what_fills_the_slots(read, put):
    put(entry("bad %s", id=X, placeholders="percent", slots=[{"name": "0", "kind": "name", "meaning": "the `thing`"}]))
    page = read(AT_X)
    slots = page.one("dl", aria_label="What fills the slots")
    assert " ".join(slots.text.split()) == "0 name the thing"
    assert "the `thing`" in page.one("details", class_="as-written").text


def test_shows_a_folded_snippet_on_several_lines_and_as_written(read, put):
    put(entry(id=X, source=site() | {"snippet": {"start_line": 9, "code": "if a:\\n    raise E"}}))
    page = read(AT_X)
    assert page.by_id("source-code").text == "if a:\n    raise E\n"
    assert page.by_id("L10").attributes["class"] == "thrown"
    assert "if a:\\n    raise E" in page.one("details", class_="as-written").text


def test_shows_a_pull_request_that_was_found_with_what_speaks_for_it(read, put):
    put(entry("no such key for {name}", id="a" * 16, placeholders="fstring"))
    fixes = [{"exception_type": "ValueError", "message": "no such key for ada"}]
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7, "title": "Mend it", "fixes": fixes}
    put(document, kind="pull_requests")
    history = read("/errors/aaaaaaaaaaaaaaaa/").one("section", id="history").text
    assert "#7 Mend it\ndate of merging not stated · found by us" in history
    assert "it says that it fixes ValueError: no such key for ada" in history


def test_lists_related_errors_that_are_found_below_those_that_are_named(read, put):
    put(entry("named before", id="b" * 16, source=site(11)), entry("found beside", id="c" * 16, source=site(12)))
    put(entry("other", id="d" * 16, repository="o/m", pull_requests=[{"number": 5, "repository": "o/n"}]))
    put(entry(id=X, source=site(10), related=[{"id": "b" * 16}], pull_requests=[{"number": 5}]))
    page = read(AT_X)
    section = " ".join(page.by_id("related").text.split())
    assert "named before o/n · named by its author" in section
    assert "Found by place, message and pull request ValueError: found beside same function" in section
    assert "ValueError: other same pull request · o/m" in section
    assert page.links["ValueError: found beside"] == f"/errors/{'c' * 16}/"
