"""Search: what the box suggests, against what is in a small base, and at what cost."""

import pytest

from errorkb.search.suggestions import suggestions_for
from tests.search.bases import Base

FIELD_ERROR = "django.core.exceptions.FieldError"


@pytest.fixture
def named(base: Base) -> Base:
    base.entry(message="the flux is gone", exception_type="KeyError", source={"path": "a.py", "symbol": "Model.save"})
    base.entry(
        message="The flux is back", exception_type="KeyError", source={"path": "b.py", "symbol": "Model.save_all"}
    )
    base.entry(message="field clash", exception_type=FIELD_ERROR, code="fields.E304", repository="django/django")
    base.entry(message="100%_done", exception_type="KernelError", code="E0277", source={"symbol": "a\\b.saved"})
    base.entry(message="the flux twice", repository="o/one")
    base.entry(message="the flux twice", repository="o/two")
    base.entry(message="", exception_type="SaveError", source={"path": "c.py", "symbol": "savepoint"})
    base.entry(message="the flux unseen", exception_type="KeyDraftError", state="draft", repository="hidden/draft")
    return base


def suggested(typed: str, **options: int) -> list[str]:
    return [f"{one.kind}: {one.text}" for one in suggestions_for(typed, **options)]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("ke", ["type: KeyError", "type: KernelError"]),
        ("KEYE", ["type: KeyError"]),
        ("fielder", ["type: FieldError"]),
        ("django.core.exceptions.FieldE", ["type: FieldError"]),
        ("keyd", []),
        ("save", ["type: SaveError", "symbol: save", "symbol: saved", "symbol: savepoint", "symbol: save_all"]),
        ("Model.save_", ["symbol: save_all"]),
        ("E02", ["code: E0277"]),
        ("fields.e3", ["code: fields.E304"]),
        ("dja", ["repository: django/django"]),
        ("hid", []),
        ("the fl", ["title: the flux twice", "title: KeyError: The flux is back", "title: KeyError: the flux is gone"]),
        ("KeyError: the flux", ["title: KeyError: The flux is back", "title: KeyError: the flux is gone"]),
        ("FieldError: fie", [f"title: {FIELD_ERROR}: field clash"]),
        ("SaveError: the flux", []),
        ("%Error: the flux", []),
        ("100%", ["title: KernelError: 100%_done"]),
        ("100_", []),
        ("type:k", ["type: KeyError", "type: KernelError"]),
        ("symbol:sav", ["symbol: save", "symbol: saved", "symbol: savepoint", "symbol: save_all"]),
        ("code:", []),
        ("is:rev", []),
        ("k", []),
        ("ke ", []),
        ("", []),
        ("x" * 201, []),
        ("'; DROP TABLE x; --", []),
        ("\x00ke\ud800", ["type: KeyError", "type: KernelError"]),
        ("\U0010ffff\U0010ffff", []),
    ],
)
def test_suggests_what_begins_as_typed(named: Base, typed: str, expected: list[str]) -> None:
    assert sorted(suggested(typed)) == sorted(expected)


def test_the_exact_name_comes_first_then_frequent_ones(named: Base) -> None:
    assert suggested("symbol:save")[0] == "symbol: save"
    assert suggested("type:ke") == ["type: KeyError", "type: KernelError"]


@pytest.mark.parametrize(
    ("typed", "query"),
    [
        ("ke", "type:KeyError"),
        ("flux repo:x type:ke", "flux repo:x type:KeyError"),
        ("is:explained fields.e", "is:explained code:fields.E304"),
        ("repo:dja", "repo:django/django"),
        ("FieldError: fie", f"{FIELD_ERROR}: field clash"),
    ],
)
def test_says_what_the_box_would_hold(named: Base, typed: str, query: str) -> None:
    assert suggestions_for(typed)[0].query == query


def test_a_title_leads_to_its_entry_where_only_one_has_it(named: Base) -> None:
    entries = {one.text: one.entry for one in suggestions_for("the fl")}
    assert entries["the flux twice"] is None
    found = entries["KeyError: the flux is gone"]
    assert found is not None and found.message == "the flux is gone"


def test_gives_each_kind_its_share(named: Base) -> None:
    assert len(suggested("sav", limit=3)) == 3


@pytest.mark.parametrize("typed", ["ke", "the flux", "FieldError: fie", "x y z"])
def test_asks_a_few_questions(named: Base, typed: str, django_assert_max_num_queries) -> None:
    with django_assert_max_num_queries(6):
        suggestions_for(typed)
