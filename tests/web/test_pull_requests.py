"""The pull request page: every section of its report in its own language, and links that say where they lead."""

import pytest

from tests.builders import entry, site
from tests.web.conftest import sample

SEED = "/r/sgl-project/sglang/pulls/33523/"
GITHUB = "https://github.com/sgl-project/sglang/"
PATH = "python/sglang/srt/disaggregation/ascend/conn.py"
PULL = "/r/o/n/pulls/7/"


def pull(**fields) -> dict:
    return {"schema_version": "1.0", "repository": "o/n", "number": 7, "title": "Mend it"} | fields


@pytest.fixture
def put_pull(put):
    def put_one(**fields) -> None:
        put(pull(**fields), kind="pull_requests")

    return put_one


def test_shows_every_section_of_the_seed_under_its_chinese_heading(read, seed):
    page = read(SEED)
    report = sample("pull-request-33523.json")["report"]
    headings = [heading.text for heading in page.all("h2") if heading.attributes["id"] != "contents-title"]
    assert headings == [
        "执行摘要",
        "功能与动机",
        "实现拆解",
        "关键源码片段",
        "评论区精华",
        "风险与影响",
        "关联脉络",
        "Errors it touched",
        "Facts",
    ]
    for text in (report["summary"], report["recommendation"], report["motivation"], *report["implementation"]):
        assert text in page.text
    for text in (report["discussion"]["summary"], report["risk"], report["impact"], *report["risk_flags"]):
        assert text in page.text
    assert page.by_id("snippet-1").text == report["snippets"][0]["code"]


def test_says_in_which_language_the_report_is(read, seed):
    page = read(SEED)
    assert page.one("html").attributes["lang"] == "en"
    assert "修复 NPU PD 分离" in page.one("div", lang="zh-hans").text


def test_heads_a_report_in_english_where_its_language_is_another(read, put_pull):
    put_pull(report={"language": "fr", "summary": "Voilà", "risk": "Aucun"})
    page = read(PULL)
    assert [heading.text for heading in page.all("h2")][:2] == ["Executive summary", "Risk and impact"]
    assert page.all("div", lang="fr")


def test_says_when_it_was_merged_and_where_else_it_can_be_read(read, seed):
    page = read(SEED)
    assert "merged 2026-08-05 09:54 (zone not stated)" in page.text
    assert page.links["View on github.com"] == f"{GITHUB}pull/33523"
    assert page.links["Source of this report"] == "http://prhub.com.cn/sgl-project/sglang/pull/33523"


def test_prints_a_note_that_appears_twice_once(read, seed):
    note = sample("pull-request-33523.json")["report"]["snippets"][0]["note"]
    assert read(SEED).text.count(note) == 1


def test_links_key_files_at_the_pin_of_a_linked_entry(read, seed):
    page = read(SEED)
    assert page.links[PATH] == f"{GITHUB}blob/0132848349/{PATH}"
    assert "links lead to 0132848349, the pin of an error listed here" in page.text


def test_links_key_files_at_the_merge_commit_first(read, put, seed):
    document = sample("pull-request-33523.json") | {"merge_commit": "abcdef0123"}
    put(document, kind="pull_requests")
    page = read(SEED)
    assert page.links[PATH] == f"{GITHUB}blob/abcdef0123/{PATH}"
    assert "Links lead to the merge commit, abcdef0123." in page.text


@pytest.mark.parametrize(("branch", "shown"), [("trunk", "the default branch, trunk"), (None, "the default branch")])
def test_links_key_files_on_the_default_branch_last(read, put, put_pull, branch, shown):
    put_pull(report={"key_files": [{"path": "a b/c.py"}]})
    put({"schema_version": "1.0", "name": "o/n", "default_branch": branch}, kind="repositories")
    page = read(PULL)
    assert page.links["a b/c.py"] == f"https://github.com/o/n/blob/{branch or 'HEAD'}/a%20b/c.py"
    assert f"links lead to {shown}, where the files may have changed since" in page.text


def test_says_that_the_title_of_a_related_pull_request_is_not_given(read, seed):
    page = read(SEED)
    assert "#31901 title not given PR body 明确指出" in page.text
    assert page.links["#31901"] == f"{GITHUB}pull/31901"


def test_links_related_pull_requests_that_are_loaded(read, put, put_pull):
    put(pull(number=8, title="Break it"), pull(number=9, repository="p/q", title="Other"), kind="pull_requests")
    related = [{"number": 9, "repository": "p/q", "title": "Another name"}]
    put_pull(related=related, introduced_by={"number": 8})
    page = read(PULL)
    assert page.links["#8"] == "/r/o/n/pulls/8/"
    assert "introduced by #8 Break it" in page.text
    assert page.links["p/q #9"] == "/r/p/q/pulls/9/"
    assert "p/q #9 Another name" in page.text


def test_lists_public_entries_that_name_it(read, put, put_pull):
    put_pull()
    links = {"pull_requests": [{"number": 7, "role": "fixed"}], "source": site()}
    put(entry("seen", id="a" * 16, **links), entry("hidden", id="b" * 16, state="draft", **links))
    page = read(PULL)
    assert page.links["ValueError: seen"] == "/errors/aaaaaaaaaaaaaaaa/"
    assert "fixed ValueError: seen a.py:10" in page.text
    assert "hidden" not in page.text


def test_lists_errors_that_it_quotes_as_what_it_repairs(read, put_pull):
    put_pull(fixes=[{"exception_type": "TypeError", "message": "no such <key>"}])
    assert "TypeError: no such <key>" in read(PULL).one("section", id="errors").text


def test_shows_sections_that_the_contract_does_not_know(read, put_pull):
    put_pull(report={"sections": [{"heading": "Lessons & <more>", "body": "Write **tests**."}]})
    section = read(PULL).by_id("section-1")
    assert "Lessons & <more>" in section.text
    assert "Write tests." in section.text


def test_puts_what_has_no_place_of_its_own_among_the_facts(read, put_pull):
    put_pull(schema_version="1.3", author=None, report={"x-score": 3, "key_symbols": []})
    page = read(PULL)
    rows = dict(zip((dt.text for dt in page.all("dt")), (dd.text for dd in page.all("dd")), strict=True))
    assert rows["author"] == "not given"
    assert rows["report.x-score"] == "3"
    assert rows["report.key_symbols"] == "none"


def test_shows_a_pull_request_without_a_report(read, put):
    put({"schema_version": "1.0", "repository": "o/n", "number": 7}, kind="pull_requests")
    assert read(PULL).one("h1").text == "Title not given"


@pytest.mark.parametrize("address", ["/r/o/n/pulls/8/", "/r/o/x/pulls/7/", "/r/o/n/pulls/99999999999999999999/"])
def test_answers_404_for_what_is_not_loaded(client, put_pull, address):
    put_pull()
    assert client.get(address).status_code == 404


def test_leads_former_names_of_the_repository_to_the_present_one(client, put, put_pull):
    put_pull()
    put({"schema_version": "1.0", "name": "o/n", "aliases": ["old/n"]}, kind="repositories")
    for name in ("old/n", "O/N"):
        response = client.get(f"/r/{name}/pulls/7/")
        assert (response.status_code, response.headers["Location"]) == (301, PULL)


@pytest.mark.parametrize("related", [1, 5])
def test_asks_the_database_a_constant_number_of_questions(client, put, put_pull, related, django_assert_num_queries):
    put_pull(related=[{"number": number} for number in range(10, 10 + related)])
    put(*(pull(number=number) for number in range(10, 10 + related)), kind="pull_requests")
    put(*(entry(f"error number {n}", pull_requests=[{"number": 7}], source=site(line=n + 1)) for n in range(related)))
    client.get(PULL)
    with django_assert_num_queries(12):
        client.get(PULL)


def test_shows_that_a_pull_request_is_known_without_a_report(read, seed):
    page = read("/r/sgl-project/sglang/pulls/31901/")
    assert page.one("h1").text == "sgl-project/sglang #31901"
    assert "There is no report on this pull request here yet." in page.text
    assert page.links["#33523 [npu] [bugfix] Fix PD‑disaggregation error"] == SEED
    assert "引入" in page.text
    assert page.links["View on github.com"] == f"{GITHUB}pull/31901"


def test_shows_the_entries_that_name_a_pull_request_without_a_report(read, put):
    put(entry("bad", id="a" * 16, pull_requests=[{"number": 5, "role": "fixed"}]))
    assert read("/r/o/n/pulls/5/").links["ValueError: bad"] == "/errors/aaaaaaaaaaaaaaaa/"


def test_does_not_know_a_pull_request_that_only_a_draft_names(client, put, put_pull):
    put_pull()
    put(entry("bad", state="draft", pull_requests=[{"number": 5, "role": "fixed"}]))
    assert client.get("/r/o/n/pulls/5/").status_code == 404


def test_lists_entries_that_were_found_with_what_speaks_for_them(read, put, put_pull):
    put(entry("no such key for {name}", id="a" * 16, placeholders="fstring"))
    put_pull(fixes=[{"exception_type": "ValueError", "message": "no such key for ada"}])
    errors = read(PULL).one("section", id="errors").text
    assert "fixed ValueError: no such key for {name}" in errors
    assert "found by us" in errors
    assert "it says that it fixes ValueError: no such key for ada" in errors


def test_shows_what_its_text_quotes_as_fixed_and_what_brought_it(read, seed):
    errors = read(SEED).one("section", id="errors")
    assert "Quoted in its text as what it repairs" in errors.text
    assert "got an unexpected keyword argument 'dst_device_kv_indices'" in errors.text
    assert read(SEED).links["sgl-project/sglang #31901"] == "/r/sgl-project/sglang/pulls/31901/"
