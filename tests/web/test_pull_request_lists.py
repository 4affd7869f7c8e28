"""The list of a repository's pull requests: filters, entries touched, and those that are known without a report."""

import pytest

from tests.builders import entry

PULLS = "/r/o/n/pulls/"


def pull(number: int, **fields) -> dict:
    return {"schema_version": "1.0", "repository": "o/n", "number": number, "title": f"Change {number}"} | fields


@pytest.fixture
def pulls(put) -> None:
    drift = {
        "summary": "修复 NPU 分离错误",
        "risk_flags": ["缺少测试覆盖", "api drift"],
        "key_files": [{"path": "srt/conn/ascend.py", "module": "传输层"}],
    }
    put(
        pull(7, merged_at="2026-08-05T09:54", report=drift, introduced_by={"number": 3}),
        pull(8, merged_at="2026-09-01", report={"summary": "Speed up", "key_files": [{"path": "srt/cache.py"}]}),
        pull(9),
        kind="pull_requests",
    )
    put(entry("bad", id="a" * 16, pull_requests=[{"number": 7, "role": "fixed"}, {"number": 5, "role": "introduced"}]))


def shown(page) -> list[str]:
    return [text for text in page.links if text.startswith("#") and text[1:2].isdigit()]


def test_lists_reports_with_what_they_touched_and_those_without_a_report(read, pulls):
    page = read(PULLS)
    assert shown(page) == ["#9 Change 9", "#8 Change 8", "#7 Change 7", "#5", "#3"]
    assert "touched one error · 缺少测试覆盖, api drift" in page.text
    assert page.links["#3"] == "/r/o/n/pulls/3/"


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("flag=api+drift", ["7"]),
        ("flag=缺少测试覆盖", ["7"]),
        ("module=传输层", ["7"]),
        ("module=srt/conn", ["7"]),
        ("module=srt", ["8", "7"]),
        ("module=sr", []),
        ("since=2026-08-06", ["8"]),
        ("until=2026-08-05", ["7"]),
        ("since=2026-08&until=2026-08", ["7"]),
        ("q=分离错误", ["7"]),
        ("q=speed", ["8"]),
        ("q=speed&flag=api+drift", []),
        ("flag=%00", []),
    ],
)
def test_filters_by_words_flag_module_and_date(read, pulls, query, numbers):
    assert [text[1] for text in shown(read(f"{PULLS}?{query}"))] == numbers


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("since=2026-09-01&until=2026-08-01", "the range is the wrong way round: 2026-09-01 is after 2026-08-01"),
        ("since=yesterday", "since: expected a date such as 2026-08-05"),
        ("until=2026-08-05T09", "until: expected a date such as 2026-08-05"),
    ],
)
def test_says_what_is_wrong_with_dates(read, pulls, query, problem):
    page = read(f"{PULLS}?{query}")
    assert problem in page.text
    assert shown(page) == []


def test_leads_former_names_to_the_present_one_and_knows_no_others(client, put, pulls):
    put({"schema_version": "1.0", "name": "o/n", "aliases": ["old/n"]}, kind="repositories")
    assert client.get("/r/old/n/pulls/").headers["Location"] == PULLS
    assert client.get("/r/no/body/pulls/").status_code == 404
    assert client.get(f"{PULLS}?page=2").status_code == 404


def test_asks_the_database_a_constant_number_of_questions(client, put, pulls, django_assert_max_num_queries):
    put(*(pull(number) for number in range(20, 50)), kind="pull_requests")
    with django_assert_max_num_queries(15):
        client.get(PULLS)
