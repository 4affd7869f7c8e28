"""A template is found in a text through all that wrapping, quoting and Markdown do to it; slots get their values."""

import pytest

from errorkb.core.match_keys import template_keys, text_windows
from errorkb.core.skeletons import Place, make_skeleton
from errorkb.core.template_fits import Fit, FitText, best_fit, read_fit


def fitted(template: str, *lines: str, **bounds) -> tuple[Fit, FitText]:
    """Find a template by its key, as match does."""
    skeleton = make_skeleton(lines)
    key = template_keys(template)[0]
    places = text_windows(skeleton).places([key])[key]
    fit = best_fit(template, skeleton, key, places, **bounds)
    assert fit is not None
    return fit, read_fit(fit, skeleton)


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


def test_a_cut_message_fits_in_part():
    fit, _ = fitted(
        "Cannot load the tokenizer {name}. Please install sentencepiece first.", "Cannot load the tokenizer bert"
    )
    assert fit.found == (len("cannotloadthetokenizer"), 0)
    assert fit.share == pytest.approx(22 / 53)


def test_a_sentence_left_out_in_the_middle_is_passed_over():
    whole = (
        "Estimator does not accept missing values encoded natively. Alternatively preprocess the data with an imputer "
        "transformer. See the documentation of impute for estimators that handle such values."
    )
    fit, found = fitted(whole, whole.replace("Alternatively preprocess the data with an imputer transformer. ", ""))
    assert 0.5 < fit.share < 0.8
    assert not found.is_exact


def test_of_several_places_the_one_with_most_of_the_template_is_taken():
    template = "Connection to {host} refused after {n} attempts"
    fit, found = fitted(template, "Connection to nowhere, connection to", "Connection to db:5 refused after 3 attempts")
    assert found.slots == {"host": "db:5", "n": "3"}
    assert fit.share == 1.0


def test_fewer_letters_than_asked_are_no_fit():
    skeleton = make_skeleton(["unknown option"])
    template = "Unknown option {a} for the command {b}, did you mean something else entirely?"
    assert best_fit(template, skeleton, "unknownoptio", [0], least=20) is None
    assert best_fit(template, skeleton, "unknownoptio", [0]) is not None


def test_a_key_of_another_template_is_no_fit():
    assert best_fit("one thing and more", make_skeleton(["another thing"]), "anotherthing", [0]) is None


def test_values_are_bounded():
    filler = "word " * 2_000
    fit, _ = fitted("begin of message {x} end of message", f"begin of message {filler} end of message")
    assert fit.share < 1.0


def test_signs_without_words_do_not_make_a_value_long():
    fit, found = fitted("begin of message {x} end of message", f"begin of message {'-' * 1_000_000} end of message")
    assert fit.share == 1.0
    assert len(found.slots["x"]) <= 8_000
