"""An error that only a report quotes is known from its pull request, by rules as strict as those for entries."""

import json
from pathlib import Path

import pytest

from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions, MatchResult, Outcome
from errorkb.matching.served import served_result
from errorkb.matching.verdicts import verdict_of
from tests.builders import entry

SAMPLES = Path(__file__).parents[1] / "samples" / "documents"
SEED = json.loads((SAMPLES / "pull-request-33523.json").read_text("utf-8"))
KEYWORD = "TypeError: AscendKVManager.send_kvcache() got an unexpected keyword argument '{}'"
SEED_LINE = KEYWORD.format("dst_device_kv_indices")
SITE = "/opt/venv/lib/python3.11/site-packages"
TRACEBACK = f"""\
Traceback (most recent call last):
  File "{SITE}/sglang/srt/disaggregation/mooncake/conn.py", line 912, in transfer_worker
    ret = self.send_kvcache(
{SEED_LINE}
"""
FOREIGN = f"""\
Traceback (most recent call last):
  File "{SITE}/othertool/main.py", line 9, in go
    run(timeout=3)
TypeError: run() got an unexpected keyword argument 'timeout'
"""


def report(*fixes: dict, number: int = 7, **fields) -> dict:
    return {"schema_version": "1.0", "repository": "o/n", "number": number, "fixes": list(fixes)} | fields


def found(text: str, **options) -> MatchResult:
    return match(text, MatchOptions(**options))


def told(result: MatchResult) -> list[tuple[str, int, str]]:
    return [(pull.repository.name, pull.number, pull.role) for pull in result.pull_requests]


@pytest.fixture
def put(loader):
    return lambda *documents: loader.put("r.json", *documents, kind="pull_requests")


@pytest.mark.parametrize("text", [SEED_LINE, TRACEBACK, f"2026-08-01 12:00:01 ERROR worker died\n{TRACEBACK}exit 1"])
def test_the_error_of_the_seed_is_known_from_its_pull_request(put, text):
    put(SEED)
    result = found(text)
    assert result.outcome is Outcome.PULL_REQUEST
    assert told(result) == [("sgl-project/sglang", 33523, "fixed"), ("sgl-project/sglang", 31901, "introduced")]
    assert verdict_of(result).opening == "No entry, but PR #33523 fixes this very message; #31901 brought it."


def test_serves_a_list_of_its_own(put, settings):
    settings.SITE_URL = "https://kb.example.org"
    put(SEED)
    served = served_result(found(SEED_LINE))
    assert (served["outcome"], served["matches"]) == ("pull_request", [])
    fixed, introduced = served["pull_requests"]
    assert fixed == {
        "repository": "sgl-project/sglang",
        "number": 33523,
        "role": "fixed",
        "html_url": "https://kb.example.org/r/sgl-project/sglang/pulls/33523/",
        "text": "got an unexpected keyword argument 'dst_device_kv_indices'",
    }
    assert introduced["html_url"] == "https://kb.example.org/r/sgl-project/sglang/pulls/31901/"
    assert "引入" in introduced["text"]


@pytest.mark.parametrize(
    ("fixes", "text"),
    [
        pytest.param(
            {"exception_type": "KeyError", "message": "'currency'"}, "KeyError: 'currency'", id="a bare value"
        ),
        pytest.param(
            {"exception_type": "KeyError", "message": "'dst_device_kv_indices'"},
            "KeyError: 'dst_device_kv_indices'",
            id="a bare value that is rare",
        ),
        pytest.param({"exception_type": "IndexError", "message": "12"}, "IndexError: 12", id="a bare number"),
        pytest.param({"exception_type": "ValueError"}, "ValueError: x", id="a type without a message"),
        pytest.param(
            {"message": "list index out of range"}, "IndexError: list index out of range", id="what Python always says"
        ),
        pytest.param(
            {"message": "got an unexpected keyword argument 'timeout'"}, FOREIGN, id="a common value in foreign code"
        ),
        pytest.param(
            {"message": "'NoneType' object has no attribute 'shape'"},
            "AttributeError: 'NoneType' object has no attribute 'shape'",
            id="a common attribute",
        ),
        pytest.param(
            {"message": "got an unexpected keyword argument 'dst_device_kv_indices'"},
            KEYWORD.format("dst_kv_item_len"),
            id="another value",
        ),
        pytest.param(
            {"exception_type": "RuntimeError", "message": "the mooncake session was never registered here"},
            "KeyError: the mooncake session was never registered here",
            id="another type",
        ),
        pytest.param(
            {"message": "the mooncake session was never registered here"},
            "ValueError: the mooncake session was closed",
            id="the beginning only",
        ),
        pytest.param({"message": "bad value"}, "ValueError: bad value", id="too few words"),
    ],
)
def test_stays_quiet(put, fixes, text):
    put(report(fixes))
    result = found(text)
    assert (result.outcome, told(result)) == (Outcome.UNKNOWN, [])


@pytest.mark.parametrize(
    ("fixes", "text"),
    [
        (
            {"message": "no room for 12 requests in the prefill pool"},
            "RuntimeError: no room for 77 requests in the prefill pool",
        ),
        (
            {"exception_type": "sglang.PoolError", "message": "prefill pool of the decode worker is exhausted"},
            "PoolError: prefill pool of the decode worker is exhausted",
        ),
        ({"message": "解码节点的预填充池已经耗尽，请求被拒绝"}, "RuntimeError: 解码节点的预填充池已经耗尽，请求被拒绝"),
    ],
)
def test_knows_a_stated_error_again(put, fixes, text):
    put(report(fixes))
    result = found(text)
    assert (result.outcome, told(result)) == (Outcome.PULL_REQUEST, [("o/n", 7, "fixed")])


def test_an_entry_that_is_sure_goes_first_and_the_pull_request_stands_beside_it(loader, put):
    message = "prefill pool of the decode worker is exhausted"
    put(report({"exception_type": "ValueError", "message": message}))
    loader.put("e.json", entry(message))
    result = found(f"ValueError: {message}")
    assert (result.outcome, told(result)) == (Outcome.MATCHED, [("o/n", 7, "fixed")])


def test_forgets_what_the_report_no_longer_quotes(put):
    put(report({"message": "prefill pool of the decode worker is exhausted"}))
    put(report({"message": "quite another error of the same kind"}))
    assert found("ValueError: prefill pool of the decode worker is exhausted").outcome is Outcome.UNKNOWN


def test_keeps_to_one_repository(loader, put):
    put(SEED)
    loader.put("e.json", entry("x y z"))
    assert told(found(SEED_LINE, repository="o/n")) == []
    assert len(told(found(SEED_LINE, repository="SGL-project/sglang"))) == 2


def test_finds_it_in_a_long_log(put):
    put(SEED)
    noise = "\n".join(f"2026-08-01 12:00:{n % 60:02} INFO step {n} took {n} ms" for n in range(2_000))
    assert len(told(found(f"{noise}\n{TRACEBACK}{noise}"))) == 2


def test_asks_once_where_there_is_nothing_to_tell(loader, put, django_assert_max_num_queries):
    put(SEED)
    with django_assert_max_num_queries(4):
        found("ValueError: something that nobody knows")
