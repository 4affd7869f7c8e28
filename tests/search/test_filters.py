"""Search: each filter keeps what it says, among entries and pull requests."""

from datetime import UTC, datetime

import pytest

from errorkb.core.queries import FILTERS
from errorkb.models import ErrorEntry, FoundPullRequest, PullRequestJudgement, Scan, Sighting
from errorkb.search.filters import _CONDITIONS
from errorkb.search.narrowing import entries_with
from errorkb.search.terms import implied_tokens
from tests.databases import Filling
from tests.search.bases import Base, titles

pytestmark = pytest.mark.django_db

REVIEWED = {"analysis": {"reviewed": True}}


@pytest.fixture(scope="module")
def mixed(module_base: Filling) -> Base:
    """Five entries, one, two, three, four and five, and the pull request six."""
    base = Base()
    with module_base():
        source = {"path": "srt/ascend/conn.py", "symbol": "AscendKVManager.send_kvcache", "language": "python"}
        base.entry(
            message="one",
            repository="sgl-project/sglang",
            exception_type="NotImplementedError",
            source=source,
            pull_requests=[{"number": 6}],
        )
        base.entry(
            message="two",
            repository="sgl-project/sgl-kernel",
            exception_type="django.core.exceptions.FieldError",
            kind="assertion",
            code="fields.E304",
            source={"path": "django/db/models/base.py", "symbol": "Model.save", "language": "Python"},
            meaning="Explained.",
            **REVIEWED,
        )
        base.entry(
            message="three",
            repository="rust-lang/rust",
            kind="warning",
            code="E0277",
            source={"path": "src/vec_x.rs", "symbol": "std::vec::Vec::push", "language": "rust"},
            solutions=["Do this."],
            pull_requests=[{"number": 6}, {"number": 7, "repository": "acme/tool"}],
            releases={"removed": "2.0"},
        )
        base.entry(message="four", repository="acme/sglang", kind="log", source={"path": "conn.py"})
        base.entry(message="five", repository="acme/tool", exception_type="FieldError", state="draft")
        base.pull_request(repository="sgl-project/sglang", number=6, title="six")
    return base


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "one two three four"),
        ("repo:sgl-project/sglang", "one six"),
        ("repo:SGL-Project/SGLang", "one six"),
        ("repo:sglang", "one four six"),
        ("repo:sgl-project", "one two six"),
        ("repo:sgl", ""),
        ("repo:rust repo:acme/sglang", "three four"),
        ("-repo:sglang", "two three"),
        ("type:NotImplementedError", "one"),
        ("type:notimplementederror", "one"),
        ("type:FieldError", "two"),
        ("type:django.core.exceptions.FieldError", "two"),
        ("type:Error", ""),
        ("type:*Error", "one two"),
        ("-type:FieldError", "one three four six"),
        ("path:conn.py", "one four"),
        ("path:ascend", "one"),
        ("path:srt/ascend/", "one"),
        ("path:srt/ascend/conn.py", "one"),
        ("path:cend/conn.py", ""),
        ("path:*/ascend/*", "one"),
        ("path:*conn.py", "one four"),
        ("path:c?nn.py", "four"),
        ("path:*_x.rs", "three"),
        ("path:src/vec?x*", "three"),
        ("path:%", ""),
        ("path:*%*", ""),
        ("path:*\\*", ""),
        ("kind:error", "one"),
        ("kind:assertion", "two"),
        ("kind:warning kind:log", "three four"),
        ("kind:pull_request", "six"),
        ("-kind:pull_request", "one two three four"),
        ("lang:python", "one two"),
        ("lang:rs", "three"),
        ("code:E0277", "three"),
        ("code:fields.e304", "two"),
        ("code:304", ""),
        ("symbol:AscendKVManager.send_kvcache", "one"),
        ("symbol:send_kvcache", "one"),
        ("symbol:push", "three"),
        ("symbol:Vec::push", "three"),
        ("symbol:kvcache", ""),
        ("symbol:*kvcache", "one"),
        ("is:reviewed", "two"),
        ("is:unreviewed", "one three four"),
        ("is:explained", "two three"),
        ("is:facts-only", "one four"),
        ("is:removed", "three"),
        ("is:current", "one two four"),
        ("is:explained is:unreviewed", "three"),
        ("-is:explained", "one four six"),
        ("is:explained -is:removed", "two"),
        ("module:srt/ascend", "one"),
        ("module:srt", "one"),
        ("module:DJANGO/db module:src", "three two"),
        ("module:ascend", ""),
        ("pr:6", "one six three"),
        ("pr:sgl-project/sglang#6", "one six"),
        ("pr:sglang#6", "one six"),
        ("pr:acme/tool#7", "three"),
        ("pr:8", ""),
        ("-pr:6", "four two"),
        ("pr:6 kind:pull_request", "six"),
        ("repo:sglang kind:error is:facts-only", "one"),
        ("repo:sglang six", "six"),
        ("type:FieldError one", ""),
        ("path:conn.py four", "four"),
        ("path:conn.py -one", "four"),
    ],
)
def test_filter(mixed: Base, query: str, expected: str) -> None:
    assert sorted(titles(query)) == sorted(expected.split())


def test_stale_entries_and_others(mixed: Base) -> None:
    ErrorEntry.objects.filter(message="two").update(stale=True)
    assert titles("is:stale") == ["two"]
    assert sorted(titles("-is:stale kind:assertion kind:log")) == ["four"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("release:v1.2", "one three"),
        ("release:1.2", "one three"),
        ("release:V1.2 repo:rust", "three"),
        ("release:2.0rc1", "two"),
        ("release:v2.0rc1 release:1.2", "one three two"),
        ("-release:1.2 is:current", "four two"),
        ("release:1", ""),
    ],
)
def test_release(mixed: Base, query: str, expected: str) -> None:
    seen = {"one": ("v1.2", ""), "three": ("1.2", ""), "two": ("", "2.0rc1")}
    for message, (release, version) in seen.items():
        entry = ErrorEntry.objects.get(message=message)
        at = datetime(2026, 1, 1, tzinfo=UTC)
        scan = Scan.objects.create(repository=entry.repository, release=release, version=version, at=at)
        Sighting.objects.create(entry=entry, scan=scan, path="a.py", line=1, end_line=1)
    assert sorted(titles(query)) == expected.split()


def test_every_filter_that_queries_know_has_its_condition() -> None:
    assert set(_CONDITIONS) == set(FILTERS)


def test_a_repository_is_found_by_its_former_name(mixed: Base) -> None:
    mixed.repository(name="sgl-project/sglang", aliases=["old/name"])
    assert sorted(titles("repo:old/name")) == ["one", "six"]


def test_a_former_name_in_a_document_hides_nothing(base: Base) -> None:
    base.entry(message="same one", repository="old/name")
    base.repository(name="new/name", aliases=["old/name"])
    base.entry(message="same two", repository="new/name")
    for query in ("repo:new/name same", "repo:old/name same", "repo:new/name", "repo:new/name sort:newest"):
        assert sorted(titles(query)) == ["same one", "same two"], query


def test_a_rejected_pull_request_is_none(mixed: Base) -> None:
    entry = ErrorEntry.objects.get(message="four")
    link = {"entry": entry, "repository": entry.repository, "number": 9}
    FoundPullRequest.objects.create(**link, role="introduced", origin="git")
    assert titles("pr:9") == ["four"]
    PullRequestJudgement.objects.create(**link, verdict="rejected", person="x", at=datetime(2026, 1, 1, tzinfo=UTC))
    assert titles("pr:9") == []


@pytest.mark.parametrize(
    ("pattern", "tokens"),
    [
        ("django/db/*", ("django", "db")),
        ("*/models/*.py", ("models", "py")),
        ("*odels/base.py", ("base", "py")),
        ("src/vec?x*", ("src",)),
        ("*.2", ()),
        ("conn.py", ("conn", "py")),
        ("*", ()),
    ],
)
def test_what_a_pattern_has_whole_is_looked_up(pattern: str, tokens: tuple[str, ...]) -> None:
    assert implied_tokens("path", pattern) == tokens


@pytest.mark.parametrize("most", [0, 5_000])
@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("path", "conn.py", "four one"),
        ("path", "*/ascend/*", "one"),
        ("path", "*conn.py", "four one"),
        ("module", "django", "two"),
        ("symbol", "push", "three"),
        ("type", "FieldError", "two"),
        ("code", "E0277", "three"),
        ("lang", "python", "one two"),
    ],
)
def test_lists_are_narrowed_alike_by_words_and_by_reading_all(
    mixed: Base, monkeypatch: pytest.MonkeyPatch, most: int, name: str, value: str, expected: str
) -> None:
    monkeypatch.setattr("errorkb.search.narrowing._MOST_HELD", most)
    found = entries_with(ErrorEntry.objects.public(), name, value)
    assert sorted(found.values_list("message", flat=True)) == expected.split()
