"""Tests of match on errors that are provoked by really calling libraries: each finds its own throw site, first."""

import traceback
from collections.abc import Callable

import pytest

from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions
from tests.provoked import (
    click_errors,
    django_errors,
    networkx_errors,
    pydantic_errors,
    requests_errors,
    sqlalchemy_errors,
)
from tests.provoked.rows import Row
from tests.provoked.strangers import STRANGERS

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scanned")]

_MODULES = (django_errors, requests_errors, click_errors, pydantic_errors, sqlalchemy_errors, networkx_errors)
_ROWS = [
    pytest.param(row, id=f"{module.__name__.rpartition('.')[2]}-{row.name}")
    for module in _MODULES
    for row in module.ROWS
]


@pytest.mark.parametrize("row", _ROWS)
def test_finds_the_throw_site_first_and_with_confidence(row: Row) -> None:
    result = match(row.traceback(), MatchOptions())
    assert result.matches, "nothing was found"
    first = result.matches[0]
    assert (first.entry.path, first.entry.symbol) == (row.path, row.symbol), [told.text for told in first.reasons]
    assert first.confident, [told.text for told in first.reasons]


@pytest.mark.parametrize("call", STRANGERS, ids=lambda call: call.__name__)
def test_is_quiet_about_errors_of_others(call: Callable[[], object]) -> None:
    with pytest.raises(BaseException) as raised:
        call()
    text = "".join(traceback.format_exception(raised.value))
    loud = [found.entry.title for found in match(text, MatchOptions()).matches if found.confident]
    assert loud == []
