"""Slots get the values that a text has, through all that wrapping, quoting and Markdown do to it."""

import pytest

from errorkb.core.fit_texts import read_fit
from errorkb.core.skeletons import Place, make_skeleton
from errorkb.core.template_fits import best_fit
from tests.core.fitting import fitted

VALUES = [
    ("Unknown option '{name}'", "ValueError: Unknown option 'a b'", {"name": "a b"}),
    ("Unknown option {name!r}", "Unknown option 'a b'", {"name!r": "'a b'"}),
    ("{name} is not a valid {kind}.", "'x.y' is not a valid colour.", {"name": "'x.y'", "kind": "colour"}),
    ("got ({a}, {b}) expected int instead", "got (3, (4, 5)) expected int instead", {"a": "3", "b": "(4, 5)"}),
    ("failed to read {a}{b} from disk", "failed to read xy from disk", {"a": "xy", "b": ""}),
    ("failed to read {a} {b} from disk", "failed to read x y from disk", {"a": "x", "b": "y"}),
    ("cannot convert {x} to {x} here", "cannot convert 1 to 1 here", {"x": "1"}),
    ("cannot convert {x} to {x} here", "cannot convert 1 to 2 here", {"x": "1", "x_2": "2"}),
    ("{n}th argument of {f} missing", "INFO 4th argument of g missing", {"n": "INFO 4", "f": "g"}),
    ("模型 {a} 的形状不匹配，期望 {b}", "错误：模型 bert 的形状不匹配，期望 (1, 2)", {"a": "bert", "b": "(1, 2)"}),
    ("value {{x}} must exceed {0}", "value {x} must exceed 7", {"0": "7"}),
]  # fmt: skip


@pytest.mark.parametrize(("template", "text", "values"), VALUES)
def test_slots_have_the_values_of_the_text(template, text, values):
    fit, found = fitted(template, *text.splitlines())
    assert (fit.share, found.is_exact) == (1.0, True)
    assert found.slots == values


TEMPLATE = "Model class {name} doesn't declare an explicit app_label in {where}."


@pytest.mark.parametrize(
    ("lines", "is_exact"),
    [
        (["Model class A doesn't declare an explicit app_label in B."], True),
        (["Model class A doesn't declare an expli", "cit app_label in B."], True),
        (["Model class A doesn’t declare an explicit app_label in B."], False),
        (["Model class A doesn't declare an explicit applabel in B."], False),
        (["model class A doesn't declare an explicit app_label in B."], False),
        (["Model class A doesn't declare anexplicit app_label in B."], True),
    ],
)
def test_a_garbled_message_is_found_and_not_called_exact(lines, is_exact):
    fit, found = fitted(TEMPLATE, *lines)
    assert (fit.share, found.is_exact, found.slots) == (1.0, is_exact, {"name": "A", "where": "B"})


def test_places_are_in_the_lines_that_were_given():
    _, found = fitted("no such table: {name}", "Traceback", "E: no such table: users")
    assert (found.start, found.end) == (Place(1, 3), Place(1, 16))


def test_a_short_literal_is_not_taken_from_within_a_word():
    _, found = fitted("shape mismatch: {a} x {b}", "shape mismatch: box x 3")
    assert found.slots == {"a": "box", "b": "3"}


def test_a_value_ends_with_its_line():
    _, found = fitted("cannot open file {path}", "cannot open file /a b.txt", "next line")
    assert found.slots == {"path": "/a b.txt"}


def test_a_value_at_the_start_begins_where_the_message_does():
    skeleton = make_skeleton(["ValueError: 'x.y' is not a valid colour"])
    fit = best_fit("{name} is not a valid {kind}", skeleton, "isnotava", [12])
    assert fit is not None
    assert read_fit(fit, skeleton).slots["name"] == "ValueError: 'x.y'"
    assert read_fit(fit, skeleton, begin=len("ValueError")).slots["name"] == "'x.y'"


def test_a_value_may_reach_to_the_end_of_a_message_of_several_lines():
    skeleton = make_skeleton(["E: cannot open file a", "b", "INFO next"])
    fit = best_fit("cannot open file {path}", skeleton, "cannotopenfi", [1])
    assert fit is not None
    assert read_fit(fit, skeleton, end=skeleton.line_start(2)).slots == {"path": "a\nb"}


def test_signs_without_words_do_not_make_a_value_long():
    fit, found = fitted("begin of message {x} end of message", f"begin of message {'-' * 1_000_000} end of message")
    assert fit.share == 1.0
    assert len(found.slots["x"]) <= 8_000


PLAUSIBLE = [
    (["no backend for {device}: {name}", "no backend for a: b", "next line"], True),
    (["no backend for {device}: {name}", "no backend for a", "- b: c"], False),
    (["cannot open file {path}", "cannot open file a", "this line belongs to nobody, and it is long"], True),
    (["cannot open file {path}", "cannot open file a. Please save one to a folder first"], False),
    (["cannot open file: {reason}", "cannot open file: it is gone. Please save one to a folder first"], True),
    (["begin of {x} then the end of it", "begin of a then the end of it"], True),
    (["begin of {x} then the end of it", "begin of one thing that goes on and on for long then the end of it"], False),
]


@pytest.mark.parametrize(("texts", "expected"), PLAUSIBLE)
def test_tells_values_from_the_rest_of_another_message(texts, expected):
    template, *lines = texts
    skeleton = make_skeleton(lines)
    fit, _ = fitted(template, *lines)
    assert read_fit(fit, skeleton, end=len(skeleton.letters)).is_plausible is expected


@pytest.mark.parametrize(
    ("line", "expected"), [("specify main input_ids or rest", True), ("specify input_ids or rest", False)]
)
def test_says_whether_slots_between_words_are_filled(line, expected):
    assert fitted("specify {0} input_ids or {1}", line)[1].is_filled is expected


def test_an_empty_slot_at_the_end_says_nothing():
    assert fitted("capture of the graph failed: {0}", "capture of the graph failed:")[1].is_filled
