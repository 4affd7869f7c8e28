"""Tests of match on provoked errors: errors of somebody's own code, and of Python and C below libraries."""

import asyncio
import json
import warnings
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import networkx as nx
import requests
from django.template import Context, Template
from pydantic import BaseModel
from sqlalchemy.engine import make_url

STRANGERS: list[Callable[[], object]] = []


def stranger(call: Callable[[], object]) -> Callable[[], object]:
    """Add the decorated function: what it raises is no entry's error."""
    STRANGERS.append(call)
    return call


@stranger
def key_that_a_dictionary_lacks() -> None:
    {"depth": 1}["colour"]


@stranger
def attribute_of_nothing() -> None:
    shelf = None
    shelf.depth  # type: ignore[attr-defined]  # noqa: B018


@stranger
def division_by_zero() -> None:
    1 / 0  # noqa: B018


@stranger
def word_for_a_number() -> None:
    int("three")


@stranger
def index_behind_the_end() -> None:
    [1, 2][7]


@stranger
def argument_that_nobody_takes() -> None:
    (lambda depth: depth)(colour="red")  # type: ignore[call-arg]


@stranger
def file_that_is_missing() -> None:
    Path("/no/such/shelf.json").read_text("utf-8")


@stranger
def module_that_is_missing() -> None:
    import_module("shelves.models")


@stranger
def json_with_a_comma_too_many() -> None:
    json.loads('{"a": 1,}')


@stranger
def words_of_ones_own() -> None:
    raise RuntimeError("the shelf fell down at noon")


@stranger
def type_of_ones_own() -> None:
    class ShelfError(Exception):
        pass

    raise ShelfError("no such book")


@stranger
def assertion_without_words() -> None:
    depth = 3
    assert depth == 4


@stranger
def several_own_errors() -> None:
    raise ExceptionGroup("two shelves", [KeyError("a"), ValueError("b")])


@stranger
def own_error_from_own_error() -> None:
    try:
        {}["shelf"]
    except KeyError as error:
        raise LookupError("there is no shelf") from error


@stranger
def own_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.warn("the paint is old", stacklevel=1)


@stranger
def task_that_takes_too_long() -> None:
    async def wait() -> None:
        await asyncio.wait_for(asyncio.sleep(1), 0.001)

    asyncio.run(wait())


@stranger
def number_that_is_none() -> None:
    Decimal("three")


@stranger
def date_of_no_calendar() -> None:
    date(2026, 13, 1)


@stranger
def recursion_without_end() -> None:
    def again() -> None:
        again()

    again()


@stranger
def own_error_below_a_template() -> None:
    def shelf() -> str:
        raise ZeroDivisionError("no books per shelf")

    Template("{{ shelf }}").render(Context({"shelf": shelf}))


@stranger
def own_error_below_a_library() -> None:
    def weight(*_: object) -> float:
        raise KeyError("weight_in_kg")

    nx.dijkstra_path(nx.path_graph(3), 0, 2, weight=weight)


@stranger
def number_of_python_below_a_library() -> None:
    make_url("sqlite://host").set(port="shelf")  # type: ignore[arg-type]


@stranger
def validation_in_compiled_code() -> None:
    class Shelf(BaseModel):
        depth: int

    Shelf(depth="deep")


@stranger
def hook_of_ones_own() -> None:
    def check(*_: object, **__: object) -> None:
        raise PermissionError("not your shelf")

    response = requests.Response()
    requests.hooks.dispatch_hook("response", {"response": [check]}, response)
