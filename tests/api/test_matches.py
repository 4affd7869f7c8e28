"""`/api/match` and `/api/match/batch`: a pasted text to the entries that it tells of."""

import json

import pytest
from django.test import Client

from errorkb.api import matches
from errorkb.api.shapes.matches import MatchAnswer, MatchBatch
from errorkb.core.tracebacks import Frame
from errorkb.matching.results import MatchOptions, Outcome, Reason
from errorkb.models import ErrorEntry
from tests.answers import PASTE, answering, found, matched, occurrence, unknown
from tests.api.conftest import entry, problem

pytestmark = pytest.mark.django_db

ADDRESS = "/api/match"
BATCH = "/api/match/batch"
MIB = 2**20


@pytest.fixture
def basket(put) -> ErrorEntry:
    source = {"path": "shop/basket.py", "line": 21, "symbol": "Basket.add", "release": "v1"}
    put(
        entry(
            1,
            message="cannot add {count} of {item}",
            placeholders="fstring",
            exception_type="ValueError",
            source=source,
            meaning="Too few.",
            solutions=["Add more.", {"text": "Or less.", "kind": "configure"}],
        )
    )
    return ErrorEntry.objects.select_related("repository").get()


def posted(client, text: str | bytes, query: str = "", content_type: str = "text/plain"):
    data = text.encode() if isinstance(text, str) else text
    return client.generic("POST", ADDRESS + query, data, content_type=content_type)


def body_of(response) -> dict:
    assert response.status_code == 200, response.content
    MatchAnswer.model_validate_json(response.content)
    return json.loads(response.content)


def test_answers_with_the_entry_and_its_evidence(client, basket):
    with answering(matched(found(basket))) as asked:
        body = body_of(posted(client, PASTE))
    assert asked == [(PASTE, MatchOptions())]
    assert body == {
        "outcome": "matched",
        "matches": [
            {
                "confident": True,
                "score": 0.9877,
                "chain_role": "only",
                "template": "cannot add {count} of {item}",
                "entry": {
                    "id": "0000000000000001",
                    "repository": "o/n",
                    "exception_type": "ValueError",
                    "message": "cannot add {count} of {item}",
                    "html_url": "https://errors.example/errors/0000000000000001/",
                    "source": {"path": "shop/basket.py", "line": 21, "symbol": "Basket.add"},
                    "reviewed": False,
                    "stale": False,
                },
                "occurrence": {"line": 7, "text": "ValueError: cannot add 0 of 'tea'", "count": 1},
                "slots": {
                    "count": {"value": "0", "kind": "number"},
                    "item": {"value": "'tea'", "kind": "quoted"},
                },
                "reasons": [{"kind": "text", "text": "Line 7 of your text is its message word for word."}],
            }
        ],
        "pull_requests": [],
        "understood": [
            {
                "exception_type": "ValueError",
                "message": "cannot add 0 of 'tea'",
                "frames": [
                    {"path": "/app/shop.py", "line": 3, "symbol": "<module>"},
                    {"path": "/venv/lib/python3.11/site-packages/shop/basket.py", "line": 20, "symbol": "add"},
                ],
                "line": 7,
                "count": 1,
            }
        ],
    }


def test_says_what_is_equal_and_what_was_cut(client, basket):
    answer = matched(found(basket, equals=("f" * 16,)), outcome=Outcome.AMBIGUOUS, cut="only 4,000 lines were read")
    with answering(answer):
        body = body_of(posted(client, PASTE))
    assert (body["outcome"], body["cut"]) == ("ambiguous", "only 4,000 lines were read")
    assert body["matches"][0]["equals"] == ["f" * 16]


def test_an_unknown_error_is_an_answer_too(client, db):
    with answering(unknown(occurrence(exception_type="", frames=()))):
        body = body_of(posted(client, PASTE))
    assert (body["outcome"], body["matches"]) == ("unknown", [])
    assert (body["understood"][0]["exception_type"], body["understood"][0]["frames"]) == (None, [])


def test_full_answers_have_meaning_and_solutions(client, basket):
    with answering(matched(found(basket))):
        full = body_of(posted(client, PASTE, "?fields=full"))["matches"][0]["entry"]
        short = body_of(posted(client, PASTE, "?fields=short"))["matches"][0]["entry"]
    assert full["meaning"] == "Too few."
    assert (full["trigger"], full["common_situations"]) == (None, None)
    assert full["solutions"] == ["Add more.", {"text": "Or less.", "kind": "configure"}]
    assert "meaning" not in short


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("?limit=3", MatchOptions(limit=3)),
        ("?repository=O/N", MatchOptions(repository="o/n")),
        ("?release=v1.2", MatchOptions(release="v1.2")),
    ],
)
def test_is_asked_by_its_query_string(client, basket, query, options):
    with answering(unknown()) as asked:
        body_of(posted(client, PASTE, query))
        body_of(client.get(f"{ADDRESS}{query}&q=x"))
        client.post(BATCH + query, {"texts": ["x"]}, content_type="application/json")
    assert [given for _, given in asked] == [options] * 3


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("?limit=0", "limit"),
        ("?limit=101", "limit"),
        ("?limit=x", "limit"),
        ("?fields=all", "fields"),
        ("?repository=no/such", "repository"),
        ("?repository=", "repository"),
        ("?repositry=o/n", "repositry"),
        ("?release=", "release"),
    ],
)
def test_says_which_parameter_is_wrong(client, basket, query, parameter):
    for response in (
        posted(client, PASTE, query),
        client.get(f"{ADDRESS}{query}&q=x"),
        client.post(BATCH + query, {"texts": ["x"]}, content_type="application/json"),
    ):
        body = problem(response, 422, "wrong-parameters")
        assert body["errors"][0]["parameter"] == parameter


@pytest.mark.parametrize(
    ("sent", "content_type", "text"),
    [
        ("é", "text/plain", "é"),
        ("é", "text/plain; charset=utf-8", "é"),
        ("é".encode("latin-1"), "text/plain; charset=iso-8859-1", "é"),
        (b"caf\xe9", "text/plain", "caf\ufffd"),
        (b"\xff\xfea\x00", "text/plain", "a"),
        (b"a\x00b", "text/plain", "a\ufffdb"),
        (b'{"text": "a\\u0000b"}', "application/json", "a\ufffdb"),
        (b'{"text": "\\ud800"}', "application/json", "\ufffd"),
        (b'{"text": "\\ud83d\\ude00"}', "application/json", "😀"),
        (b'{"text": "caf\xe9"}', "application/json", "caf\ufffd"),
        (b'\xef\xbb\xbf{"text": "a"}', "application/json; charset=utf-8", "a"),
        ("line\r\nline", "text/plain", "line\r\nline"),
        ("a", "", "a"),
    ],
)
def test_any_bytes_are_a_text(client, db, sent, content_type, text):
    with answering(unknown()) as asked:
        body_of(posted(client, sent, content_type=content_type))
    assert asked[0][0] == text


def test_what_was_sent_comes_back_as_whole_characters(client, db):
    def echo(text, options):
        return unknown(occurrence(message=text, frames=(Frame(text, None, text),)))

    with answering(echo):
        body = body_of(posted(client, rb'{"text": "\ud800\u0000<script>\u202e"}', content_type="application/json"))
    assert body["understood"][0]["message"] == "\ufffd\ufffd<script>\u202e"


@pytest.mark.parametrize(
    ("sent", "content_type", "status", "name"),
    [
        (b"", "text/plain", 422, "wrong-parameters"),
        (b" \n\t", "text/plain", 422, "wrong-parameters"),
        (b"{", "application/json", 400, "bad-request"),
        (b"[" * 1_000_000, "application/json", 400, "bad-request"),
        (b'{"text": ' + b"9" * 5_000 + b"}", "application/json", 400, "bad-request"),
        (b'"a"', "application/json", 422, "wrong-parameters"),
        (b"null", "application/json", 422, "wrong-parameters"),
        (b"{}", "application/json", 422, "wrong-parameters"),
        (b'{"text": 7}', "application/json", 422, "wrong-parameters"),
        (b'{"text": ""}', "application/json", 422, "wrong-parameters"),
        (b'{"text": "a", "limit": 3}', "application/json", 422, "wrong-parameters"),
        (b"a", "application/x-www-form-urlencoded", 415, "unsupported-media-type"),
        (b"a", "application/octet-stream", 415, "unsupported-media-type"),
        (b"a", "text/plain; charset=nonsense", 415, "unsupported-media-type"),
        (b"a", "x" * 1_000, 415, "unsupported-media-type"),
    ],
)
def test_a_body_that_is_none_is_a_problem(client, db, sent, content_type, status, name):
    problem(posted(client, sent, content_type=content_type), status, name)


@pytest.mark.parametrize(("size", "status"), [(4 * MIB, 200), (4 * MIB + 1, 413), (9 * MIB, 413)])
@pytest.mark.parametrize("content_type", ["text/plain", "application/json"])
def test_takes_four_mebibytes(client, db, size, status, content_type):
    text = "x" * size
    sent = text if content_type == "text/plain" else json.dumps({"text": text})
    with answering(unknown()):
        response = posted(client, sent, content_type=content_type)
    assert response.status_code == status
    if status == 413:
        assert "at most 4 MiB" in problem(response, 413, "too-large")["detail"]


def test_the_limit_is_a_setting(client, settings, db):
    settings.MATCH_MAX_BYTES = 1_000
    assert "at most 1,000 bytes" in problem(posted(client, "x" * 1_001), 413, "too-large")["detail"]


def test_bytes_are_counted_as_they_were_sent(client, db, settings):
    settings.MATCH_MAX_BYTES = 1_000
    with answering(unknown()):
        for sent in (b"\xe9" * 1_000, b"\x00" * 1_000, b"a\r\n" * 500):
            body_of(posted(client, sent))


@pytest.mark.parametrize("length", ["-1", "x", "9" * 30])
def test_a_length_that_is_none_is_no_mistake_of_ours(client, db, length):
    with answering(unknown()):
        response = client.post(ADDRESS, "abc", content_type="text/plain", CONTENT_LENGTH=length)
    assert response.status_code in (200, 400, 413, 422)


def test_a_line_is_matched_by_its_address(client, basket):
    with answering(matched(found(basket))) as asked:
        response = client.get(ADDRESS, {"q": "ValueError: cannot add 0 of 'tea'"})
        assert body_of(response)["outcome"] == "matched"
        again = client.get(ADDRESS, {"q": "x"}, headers={"if-none-match": response["ETag"]})
    assert asked[0][0] == "ValueError: cannot add 0 of 'tea'"
    assert response["Cache-Control"] == "private, max-age=0, must-revalidate"
    assert (again.status_code, again["Cache-Control"]) == (304, response["Cache-Control"])


@pytest.mark.parametrize("query", ["", "?q=", "?q=" + "x" * 8_001])
def test_a_line_must_be_given_and_short(client, db, query):
    body = problem(client.get(ADDRESS + query), 422, "wrong-parameters")
    assert body["errors"][0]["parameter"] == "q"


def test_a_hostile_line_is_answered(client, db):
    with answering(unknown()) as asked:
        body_of(client.get(ADDRESS + "?q=%00%ff%ED%A0%80"))
    assert "\x00" not in asked[0][0]


@pytest.mark.parametrize("method", ["post", "get", "head", "put", "delete"])
@pytest.mark.parametrize("address", [ADDRESS, BATCH])
def test_no_cache_but_the_readers_own_keeps_anything(client, db, method, address):
    with answering(unknown()):
        response = getattr(client, method)(address, content_type="text/plain", data="x") if method == "post" else None
        response = response or getattr(client, method)(address)
    assert response["Cache-Control"] in ("no-store", "private, max-age=0, must-revalidate")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert method != "post" or response["Cache-Control"] == "no-store"
    assert not response.cookies


@pytest.mark.parametrize(("address", "allowed"), [(ADDRESS, "GET, HEAD, POST, OPTIONS"), (BATCH, "POST, OPTIONS")])
def test_pages_of_other_sites_may_post(client, address, allowed):
    response = client.options(address, headers={"origin": "https://x.example", "access-control-request-method": "POST"})
    assert (response["Access-Control-Allow-Methods"], response["Allow"]) == (allowed, allowed)
    assert problem(client.delete(address), 405, "method-not-allowed")["detail"] == f"Expected one of {allowed}."


def test_needs_no_token_of_ours(db):
    with answering(unknown()):
        assert Client(enforce_csrf_checks=True).post(ADDRESS, "x", content_type="text/plain").status_code == 200


def test_head_is_get_without_a_body(client, db):
    with answering(unknown()):
        response = client.head(ADDRESS, {"q": "x"})
    assert (response.status_code, response.content) == (200, b"")
    assert response["ETag"]


def batch(client, texts: object, query: str = "") -> list[dict]:
    response = client.post(BATCH + query, {"texts": texts}, content_type="application/json")
    assert response.status_code == 200, response.content
    MatchBatch.model_validate_json(response.content)
    return json.loads(response.content)["results"]


def test_a_batch_answers_each_text_in_order(client, basket, settings):
    settings.MATCH_MAX_BYTES = 1_000
    with answering(lambda text, _: matched(found(basket)) if "tea" in text else unknown()):
        results = batch(client, ["tea", "", 7, None, "x" * 1_001, "\ud800 tea", ["tea"]])
    assert [result.get("outcome") or result["error"]["status"] for result in results] == [
        *("matched", 422, 422, 422, 413, "matched", 422)
    ]
    assert results[1]["error"]["detail"] == "text: expected some text"


def test_a_batch_ends_in_bounded_time(db):
    seconds = iter(range(0, 1_000, 8))
    with answering(unknown()) as asked:
        results = [*matches.match_each(["x"] * 5, MatchOptions(), full=False, clock=lambda: next(seconds))]
    assert [result.get("outcome", "late") for result in results] == ["unknown", "unknown", "late", "late", "late"]
    assert len(asked) == 2


def test_a_thousand_texts_and_no_more(client, db):
    with answering(unknown()) as asked:
        assert len(batch(client, ["x"] * 1_000)) == 1_000
        refused = client.post(BATCH, {"texts": ["x"] * 1_001}, content_type="application/json")
    assert len(asked) == 1_000
    assert "at most 1,000 texts" in problem(refused, 422, "wrong-parameters")["detail"]


@pytest.mark.parametrize(
    ("sent", "content_type", "status"),
    [
        (b"[]", "application/json", 422),
        (b'{"texts": "a"}', "application/json", 422),
        (b'{"texts": ["a"], "x": 1}', "application/json", 422),
        (b"a", "text/plain", 415),
        (b"{", "application/json", 400),
    ],
)
def test_a_batch_that_is_none_is_a_problem(client, db, sent, content_type, status):
    response = client.post(BATCH, sent, content_type=content_type)
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("count", [1, 10])
@pytest.mark.parametrize("fields", ["short", "full"])
def test_asks_the_base_the_same_number_of_questions(client, put, count, fields, django_assert_num_queries):
    put(*(entry(n, repository=f"o/n{n}", meaning="m") for n in range(count)))
    entries = list(ErrorEntry.objects.select_related("repository"))
    with answering(matched(*map(found, entries))), django_assert_num_queries(1 if fields == "full" else 0):
        assert len(body_of(posted(client, "x", f"?fields={fields}"))["matches"]) == count


def test_large_documents_and_texts_make_no_large_answer(client, put):
    put(entry(1, message="m" * 1_000_000))
    row = ErrorEntry.objects.select_related("repository").get()
    frames = (Frame("p" * 100_000, 1, "s" * 100_000),) * 5_000
    message = "x" * 100_000
    many = tuple(occurrence(message=message, frames=(), number=n) for n in range(1_000))
    with answering(matched(found(row, template="t" * 1_000_000, reasons=(Reason("text", "r"),)), understood=many)):
        assert len(posted(client, "x").content) < 1_100_000
    with answering(unknown(occurrence(frames=frames))):
        assert len(posted(client, "x").content) < 2_100_000


def test_no_log_has_what_was_pasted(client, db, site_log):
    def fail(text, options):
        try:
            raise KeyError(text)
        except KeyError:
            raise RuntimeError(f"cannot parse {text}")  # noqa: B904

    with answering(fail):
        problem(posted(client, "a secret"), 500, "internal-error")
        problem(client.get(ADDRESS, {"q": "a secret"}), 500, "internal-error")
        problem(posted(client, "a secret", content_type="text/nothing"), 415, "unsupported-media-type")
        problem(posted(client, '{"a secret": 1', content_type="application/json"), 400, "bad-request")
    assert "RuntimeError" in site_log.getvalue()
    assert "KeyError" in site_log.getvalue()
    assert "in fail" in site_log.getvalue()
    assert "secret" not in site_log.getvalue()


def test_lists_pull_requests_about_an_error_without_an_entry_alone_and_in_a_batch(client, put):
    fixes = [{"message": "prefill pool of the decode worker is exhausted"}]
    document = {"schema_version": "1.0", "repository": "o/n", "number": 7, "fixes": fixes}
    put(document, kind="pull_requests")
    text = "RuntimeError: prefill pool of the decode worker is exhausted"
    body = body_of(posted(client, text))
    assert body["outcome"] == "pull_request"
    assert [(pull["number"], pull["role"]) for pull in body["pull_requests"]] == [(7, "fixed")]
    assert client.post(BATCH, {"texts": [text]}, content_type="application/json").json()["results"] == [body]
