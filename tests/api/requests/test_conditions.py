"""Preconditions, by the rules of RFC 9110, sections 8.8.2, 13.1 and 13.2.2."""

from datetime import UTC, datetime, timedelta

import pytest
from django.http import HttpHeaders
from django.test import RequestFactory

from errorkb.api.requests.conditions import Validators, judge

CHANGED = datetime(2026, 8, 28, 9, 54, 0, 700_000, tzinfo=UTC)
LATER = CHANGED + timedelta(hours=1)
VALIDATORS = Validators('"abc"', CHANGED)

SAME = "Fri, 28 Aug 2026 09:54:00 GMT"
BEFORE = "Fri, 28 Aug 2026 09:53:59 GMT"
AFTER = "Fri, 28 Aug 2026 10:00:00 GMT"


def headers(**values: str) -> HttpHeaders:
    named = {f"HTTP_{name.upper()}": value for name, value in values.items()}
    return RequestFactory().get("/", **named).headers


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 200),
        ({"if_none_match": '"abc"'}, 304),
        ({"if_none_match": 'W/"abc"'}, 304),
        ({"if_none_match": '"x", "abc"'}, 304),
        ({"if_none_match": '"x","y" ,\t"abc" , "z"'}, 304),
        ({"if_none_match": '"a,b", W/"abc"'}, 304),
        ({"if_none_match": "*"}, 304),
        ({"if_none_match": " * "}, 304),
        ({"if_none_match": '"x"'}, 200),
        ({"if_none_match": "abc"}, 200),
        ({"if_none_match": '"ABC"'}, 200),
        ({"if_none_match": ""}, 200),
        ({"if_none_match": "W/abc"}, 200),
        ({"if_none_match": 'w/"abc"'}, 200),
        ({"if_none_match": '"x, "abc'}, 200),
        ({"if_modified_since": SAME}, 304),
        ({"if_modified_since": AFTER}, 304),
        ({"if_modified_since": BEFORE}, 200),
        ({"if_modified_since": "Friday, 28-Aug-26 09:54:00 GMT"}, 304),
        ({"if_modified_since": "Fri Aug 28 09:54:00 2026"}, 304),
        ({"if_modified_since": "2026-08-28T09:54:00Z"}, 200),
        ({"if_modified_since": "yesterday"}, 200),
        ({"if_modified_since": "Fri, 99 Aug 2026 09:54:00 GMT"}, 200),
        ({"if_none_match": '"x"', "if_modified_since": SAME}, 200),
        ({"if_none_match": "nonsense", "if_modified_since": SAME}, 200),
        ({"if_none_match": '"abc"', "if_modified_since": BEFORE}, 304),
        ({"if_match": '"abc"'}, 200),
        ({"if_match": "*"}, 200),
        ({"if_match": '"x", "abc"'}, 200),
        ({"if_match": '"x"'}, 412),
        ({"if_match": 'W/"abc"'}, 412),
        ({"if_match": ""}, 412),
        ({"if_unmodified_since": SAME}, 200),
        ({"if_unmodified_since": AFTER}, 200),
        ({"if_unmodified_since": BEFORE}, 412),
        ({"if_unmodified_since": "never"}, 200),
        ({"if_match": '"abc"', "if_unmodified_since": BEFORE}, 200),
        ({"if_match": '"abc"', "if_none_match": '"abc"'}, 304),
        ({"if_match": '"x"', "if_none_match": '"abc"'}, 412),
    ],
)
def test_judges_preconditions(given, expected):
    assert judge(headers(**given), VALIDATORS, LATER) == expected


@pytest.mark.parametrize("name", ["if_modified_since", "if_unmodified_since"])
def test_ignores_dates_where_the_answer_has_none(name):
    assert judge(headers(**{name: BEFORE}), Validators('"abc"'), LATER) == 200


@pytest.mark.parametrize("since", [BEFORE, SAME, AFTER])
@pytest.mark.parametrize("elapsed", [timedelta(0), timedelta(milliseconds=299), timedelta(seconds=-5)])
def test_never_trusts_a_date_within_the_second_of_the_change(since, elapsed):
    assert judge(headers(if_modified_since=since), VALIDATORS, CHANGED + elapsed) == 200


@pytest.mark.parametrize(
    ("elapsed", "stated"),
    [
        (timedelta(0), BEFORE),
        (timedelta(milliseconds=299), BEFORE),
        (timedelta(milliseconds=300), SAME),
        (timedelta(hours=1), SAME),
    ],
)
def test_states_the_second_before_within_the_second_of_the_change(elapsed, stated):
    second = VALIDATORS.stated_second(CHANGED + elapsed)
    assert datetime.fromtimestamp(second, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT") == stated


def test_never_states_a_date_that_is_still_to_come():
    now = CHANGED - timedelta(seconds=10)
    assert VALIDATORS.stated_second(now) == int(now.timestamp()) - 1


def test_reads_a_long_list_of_tags_quickly():
    assert judge(headers(if_none_match='"x", ' * 100_000 + '"abc"'), VALIDATORS, LATER) == 304
    assert judge(headers(if_none_match=", \t" * 100_000), VALIDATORS, LATER) == 200
