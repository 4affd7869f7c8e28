"""`/api/errors`: entries, filtered, a page at a time."""

import json
from base64 import urlsafe_b64encode

import pytest
from django.core.signing import Signer

from errorkb.api.shapes.entries import EntryPage
from tests.api.conftest import entry, problem

ADDRESS = "/api/errors"


@pytest.fixture
def several(put) -> None:
    """Load entries that differ in one thing each."""
    put(
        entry(0),
        entry(1, repository="Some/Where"),
        entry(2, exception_type="ValueError", meaning="known"),
        entry(3, kind="assertion", solutions=["do that"], analysis={"reviewed": True}),
        entry(4, code="E0277", releases={"removed": "2.0"}),
        entry(5, source={"path": "src/a_b/conn.py", "language": "python"}),
        entry(6, source={"path": "src/aXb/deep/er.py", "language": "rust"}),
        entry(7, source={"path": "100%.py"}),
        entry(8, state="draft"),
        entry(9, state="withdrawn"),
    )
    document = {"schema_version": "1.0", "name": "Some/Where", "aliases": ["old/name"]}
    put(document, kind="repositories")


def found(client, **parameters) -> list[int]:
    response = client.get(ADDRESS, parameters)
    assert response.status_code == 200, response.content
    EntryPage.model_validate_json(response.content)
    return [int(item["id"], 16) for item in json.loads(response.content)["entries"]]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, [0, 1, 2, 3, 4, 5, 6, 7]),
        ({"repository": "some/where"}, [1]),
        ({"repository": "Old/Name"}, [1]),
        ({"exception_type": "ValueError"}, [2]),
        ({"exception_type": "valueerror"}, [2]),
        ({"exception_type": "Value"}, []),
        ({"exception_type": "value*"}, [2]),
        ({"kind": "assertion"}, [3]),
        ({"code": "E0277"}, [4]),
        ({"code": "e0277"}, [4]),
        ({"language": "rust"}, [6]),
        ({"language": "Rust"}, [6]),
        ({"module": "src/a_b"}, [5]),
        ({"module": "src/aXb"}, [6]),
        ({"module": "src"}, [5, 6]),
        ({"module": "SRC/axb"}, [6]),
        ({"module": "src/a"}, []),
        ({"path": "src"}, [5, 6]),
        ({"path": "src/"}, [5, 6]),
        ({"path": "src/axb"}, [6]),
        ({"path": "deep"}, [6]),
        ({"path": "conn.py"}, [5]),
        ({"path": "deep/er.py"}, [6]),
        ({"path": "on.py"}, []),
        ({"path": "SRC/A_B/CONN.PY"}, [5]),
        ({"path": "src/*.py"}, [5, 6]),
        ({"path": "src/a_b/*"}, [5]),
        ({"path": "src/a?b/*"}, [5, 6]),
        ({"path": "100%.py"}, [7]),
        ({"path": "%"}, []),
        ({"path": "*"}, [0, 1, 2, 3, 4, 5, 6, 7]),
        ({"path": "src\\*"}, []),
        ({"is": "explained"}, [2, 3]),
        ({"is": "facts-only"}, [0, 1, 4, 5, 6, 7]),
        ({"is": "reviewed"}, [3]),
        ({"is": "unreviewed"}, [0, 1, 2, 4, 5, 6, 7]),
        ({"is": "removed"}, [4]),
        ({"is": "current"}, [0, 1, 2, 3, 5, 6, 7]),
        ({"is": ["explained", "unreviewed"]}, [2]),
        ({"is": ["explained", "facts-only"]}, []),
        ({"path": "src/*", "language": "python"}, [5]),
    ],
)
def test_lists_what_all_filters_let_through(client, several, parameters, expected):
    assert found(client, **parameters) == expected


def test_a_summary_says_what_a_list_shows(client, put):
    put(
        entry(
            1,
            exception_type="ValueError",
            message="bad",
            meaning="m",
            source={"path": "src/a.py", "line": 3, "symbol": "f", "language": "python"},
        )
    )
    body = json.loads(client.get(ADDRESS).content)
    assert body == {
        "entries": [
            {
                "id": "0000000000000001",
                "title": "ValueError: bad",
                "repository": "o/n",
                "kind": "error",
                "exception_type": "ValueError",
                "code": None,
                "path": "src/a.py",
                "line": 3,
                "symbol": "f",
                "module": "src",
                "language": "python",
                "explained": True,
                "reviewed": False,
                "removed": False,
                "stale": False,
                "modified": "2026-09-01T12:00:00+00:00",
                "html_url": "https://errors.example/errors/0000000000000001/",
                "url": "https://errors.example/api/errors/0000000000000001",
            }
        ],
        "next": None,
        "next_cursor": None,
    }


def test_titles_are_cut(client, put):
    put(entry(1, exception_type="E", message="x" * 5_000), entry(2, message="y" * 300), entry(3, message=""))
    titles = [item["title"] for item in json.loads(client.get(ADDRESS).content)["entries"]]
    assert titles == ["E: " + "x" * 296 + "…", "y" * 300, "Error"]


def test_pages_lead_to_each_other_and_keep_the_filters(client, put):
    put(*(entry(n, source={"path": f"src/{n}.py"}) for n in range(5)), entry(5))
    response = client.get(ADDRESS, {"limit": 2, "path": "src/*", "is": ["facts-only", "current"]})
    pages = []
    while True:
        body = json.loads(response.content)
        pages.append([int(item["id"], 16) for item in body["entries"]])
        if body["next"] is None:
            assert "Link" not in response
            break
        assert response["Link"] == f'<{body["next"]}>; rel="next"'
        assert "is=facts-only&is=current" in body["next"]
        response = client.get(body["next"].removeprefix("https://errors.example"))
    assert pages == [[0, 1], [2, 3], [4]]


def test_entries_that_come_meanwhile_neither_repeat_nor_hide_others(client, put):
    put(entry(1), entry(2), entry(3))
    first = json.loads(client.get(ADDRESS, {"limit": 2}).content)
    put(entry(1, state="withdrawn"), entry(4))
    assert found(client, limit=2, cursor=first["next_cursor"]) == [3, 4]


def test_the_tag_stays_until_the_list_changes(client, put):
    put(entry(1))
    before = client.get(ADDRESS)
    assert client.get(ADDRESS, headers={"if-none-match": before["ETag"]}).status_code == 304
    put(entry(2))
    assert client.get(ADDRESS, headers={"if-none-match": before["ETag"]}).status_code == 200
    assert "Last-Modified" not in before


def test_head_has_the_headers_of_get(client, several):
    got, headed = client.get(ADDRESS), client.head(ADDRESS)
    assert (headed.status_code, headed.content) == (200, b"")
    assert dict(headed.items()) == dict(got.items())


@pytest.mark.parametrize("count", [1, 60])
def test_asks_the_base_once(client, put, count, django_assert_num_queries):
    put(*(entry(n, repository=f"o/n{n}") for n in range(count)))
    with django_assert_num_queries(1):
        assert len(found(client, limit=100)) == count


@pytest.mark.parametrize(
    ("parameters", "parameter", "expected", "shown"),
    [
        ({"limit": "0"}, "limit", "at least 1", '"0"'),
        ({"limit": "101"}, "limit", "at most 100", '"101"'),
        ({"limit": "-1"}, "limit", "at least 1", '"-1"'),
        ({"limit": "ten"}, "limit", "a whole number", '"ten"'),
        ({"limit": "1.5"}, "limit", "a whole number", '"1.5"'),
        ({"limit": ""}, "limit", "a whole number", '""'),
        ({"limit": "9" * 30}, "limit", "at most 100", f'"{"9" * 30}"'),
        ({"kind": "exception"}, "kind", "'error', 'assertion', 'warning' or 'log'", '"exception"'),
        (
            {"is": ["reviewed", "good"]},
            "is",
            "'reviewed', 'unreviewed', 'explained', 'facts-only', 'removed', 'current' or 'stale'",
            '"good"',
        ),
        ({"code": ""}, "code", "some text", '""'),
        ({"path": "a\x00b"}, "path", "text without NUL characters", '"a\\u0000b"'),
        ({"path": "*" * 9}, "path", "at most 8 wildcards", '"*********"'),
        ({"repository": "no/where"}, "repository", "a repository of /api/repositories", '"no/where"'),
        ({"exception_type": "*" * 9}, "exception_type", "at most 8 wildcards", '"*********"'),
        ({"repository": "x" * 601}, "repository", "at most 600 characters", '"' + "x" * 58 + "…"),
        ({"cursor": "nonsense"}, "cursor", "a cursor that an answer has stated as `next_cursor`", '"nonsense"'),
    ],
)
def test_says_which_parameter_is_wrong(client, db, parameters, parameter, expected, shown):
    body = problem(client.get(ADDRESS, parameters), 422, "wrong-parameters")
    assert body["errors"] == [{"parameter": parameter, "expected": expected, "found": shown}]
    assert body["detail"] == f"{parameter}: expected {expected}, found {shown}"


def test_a_repository_that_only_a_draft_names_is_not_told(client, put):
    put(entry(1, repository="not/yet", state="draft"), entry(2, repository="long/gone", state="withdrawn"))
    body = problem(client.get(ADDRESS, {"repository": "not/yet"}), 422, "wrong-parameters")
    assert body["errors"][0]["parameter"] == "repository"
    assert found(client, repository="long/gone") == []


@pytest.mark.parametrize(
    ("parameter", "filter_name", "values"),
    [
        ("exception_type", "type", ["ValueError", "VALUEERROR", "*Error", "Value"]),
        ("path", "path", ["src", "conn.py", "src/*.py", "deep", "on.py", "SRC/aXb/", "a_b"]),
        ("language", "lang", ["python", "PYTHON", "pyth"]),
        ("code", "code", ["E0277", "e0277", "E02"]),
    ],
)
def test_parameters_compare_as_the_filters_of_the_search_do(client, several, parameter, filter_name, values):
    for value in values:
        hits = json.loads(client.get("/api/search", {"q": f"{filter_name}:{value}", "limit": 100}).content)["results"]
        assert found(client, **{parameter: value}) == sorted(int(hit["id"], 16) for hit in hits), value


def test_says_all_that_is_wrong(client, db):
    body = problem(client.get(ADDRESS, {"limit": "x", "kind": "y"}), 422, "wrong-parameters")
    assert [error["parameter"] for error in body["errors"]] == ["limit", "kind"]


def test_a_parameter_that_nobody_knows_is_wrong(client, db):
    body = problem(client.get(ADDRESS, {"repo": "sglang"}), 422, "wrong-parameters")
    assert body["errors"][0]["parameter"] == "repo"
    assert "repository" in body["errors"][0]["expected"]


def forged(value: object, **options) -> str:
    return Signer(sep=".", **options).sign_object(value)


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        ".",
        "x.y",
        "\x00",
        "\n",
        "é.é",
        "١٢٣",
        urlsafe_b64encode(b"1").decode(),
        "MQ." + "A" * 43,
        forged(1),
        forged(1, salt="errorkb.api.Repository.key"),
        forged(1, salt="errorkb.api.ErrorEntry.pk", key="another"),
        "a" * 1_000,
    ],
)
def test_a_cursor_that_nobody_has_stated_is_wrong(client, db, cursor):
    assert (
        problem(client.get(ADDRESS, {"cursor": cursor}), 422, "wrong-parameters")["errors"][0]["parameter"] == "cursor"
    )


@pytest.mark.parametrize(
    "query",
    [
        "limit=" + "9" * 5_000,
        "cursor=" + "a" * 1_000_000,
        "path=" + "%2A%3F" * 300,
        "exception_type=%00",
        "repository=%FF%FE",
        "module=%ED%A0%80",
        "a=1&" * 1_000,
        "%00=1",
        "x" * 100_000,
        "is=" + "reviewed&is=" * 500,
    ],
)
def test_a_hostile_query_string_is_at_most_a_problem(client, db, query):
    response = client.get(f"{ADDRESS}?{query}")
    assert response.status_code in (200, 400, 422)
    assert response.status_code == 200 or response["Content-Type"] == "application/problem+json"
    assert len(response.content) < 5_000
