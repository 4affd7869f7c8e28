"""A template that stands in a text is the message there, or only has words in common with another one."""

import pytest

from errorkb.core.match_keys import template_keys, text_windows
from errorkb.core.message_bounds import (
    goes_on,
    has_more_blanks,
    is_apart,
    is_below_slot,
    is_cut_at_line,
    is_left_out,
    leading_signs,
    stands_at_words,
)
from errorkb.core.skeletons import Skeleton, make_skeleton
from errorkb.core.template_fits import Fit, best_fit


def stands(template: str, *lines: str) -> tuple[Fit, Skeleton]:
    """Return where a template stands on lines, by either of its keys."""
    skeleton = make_skeleton(lines)
    windows = text_windows(skeleton)
    key = next(key for key in template_keys(template) if key in windows.found)
    fit = best_fit(template, skeleton, key, windows.places([key])[key])
    assert fit is not None
    return fit, skeleton


AT_WORDS = [
    ("Failed to bind queue {0}: {1}", "Failed to bind queue a: 3", True),
    ("Failed to bind queue {0}: {1}", "Failed to bind queues for a: 3", False),
    ("Could not find {0} with {1}!", "Could not find it, notwithstanding that!", False),
    ("Head is deprecated since version {0}", "`subHead is deprecated since version 4", False),
    ("the {n}th argument is missing", "the 4th argument is missing", True),
    ("模型 {a} 的形状不匹配，期望 {b}", "错误：模型 bert 的形状不匹配，期望 2", True),
]


@pytest.mark.parametrize(("template", "line", "expected"), AT_WORDS)
def test_literal_words_are_not_parts_of_longer_ones(template, line, expected):
    assert stands_at_words(*stands(template, line)) is expected


APART = [
    ("The model {0} is not registered", "NotRegistered: The model a is not registered", True, True),
    ("The model {0} is not registered", "NotRegistered: The model a is not registered.", False, True),
    ("The model {0} is not registered.", "NotRegistered: The model a is not registered", False, True),
    ("step_index should not be None", "ValueError: _step_index should not be None", False, False),
    ("_step_index should not be None", "ValueError: step_index should not be None", False, False),
    ("flags are not allowed in recv", "ValueError: flags are not allowed in recv_into", False, False),
    ("upload_info is improperly formatted", "ValueError: upload_info is improperly formatted:", False, False),
    ("Unknown backend", "it says 'Unknown backend', and stops", True, True),
    ("`{a}` needs the `backend`", "`x` needs the backend", False, True),
    ("“{a}” value must be a “float”", '"x" value must be a "float"', True, True),
]


@pytest.mark.parametrize(("template", "line", "strictly", "loosely"), APART)
def test_signs_at_the_ends_are_those_of_the_template(template, line, strictly, loosely):
    fit, skeleton = stands(template, line)
    assert is_apart(fit, skeleton) is strictly
    assert is_apart(fit, skeleton, is_strict=False) is loosely


GOES_ON = [
    ("The input size is not aligned.", "The input size is not aligned.", False),
    ("The input size is not aligned.", "The input size is not aligned. This may be the parallel size.", True),
    ("The input size is not aligned", "It says 'The input size is not aligned' since noon", False),
    ("The input size is not aligned", "The input size is not aligned (request 7)", False),
    ("The input size is not aligned", "The input size is not aligned [in app.py:33]", False),
    ("The input size is not aligned", "The input size is not aligned request=7 user=a", False),
    ("Unknown backend for shape {a} mismatched", "Unknown backend for shape 3 mismatched `value`", True),
    ("image size ({h}*{w}) differs from ({a}*{b}).", "image size (1*2) differs from (3*4). You should resize it", True),
    ("image size ({h}*{w}) differs from ({a}*{b}).", "image size (1*2) differs from (3*4).", False),
    ("no such file in directory {dir}.", "no such file in directory /v1.2/a.b.", False),
    ("The input size is not aligned.", "启动就报错：The input size is not aligned.，请问怎么解决？", False),
    ("The input size is not aligned", "报 The input size is not aligned 这个错误", False),
    ("The input size is not aligned", "The input size is not aligned to 8，请问怎么解决？", True),
    ("got unexpected keyword argument '{key}'", "got unexpected keyword argument 'foo'，请问怎么解决？", False),
    ("got unexpected keyword argument '{key}'", "got unexpected keyword argument 'foo' (retry in 5s)", False),
    ("got unexpected keyword argument '{key}'", "got unexpected keyword argument 'foo' of type int", True),
    ("模型 {a} 的形状不匹配", "模型 bert 的形状不匹配，期望 2", True),
    ("no such file in directory {dir}.", "no such file in directory /v1.2/a.b. Please save it.", True),
]


@pytest.mark.parametrize(("template", "line", "expected"), GOES_ON)
def test_a_message_goes_on_behind_its_template(template, line, expected):
    assert goes_on(*stands(template, line)) is expected


def test_a_run_of_blanks_makes_another_message():
    template = "{x} has to be a multiple of the number of heads"
    assert has_more_blanks(*stands(template, template.replace("multiple of", "multiple of      ")))
    assert not has_more_blanks(*stands(template, template))
    assert not has_more_blanks(*stands(template.replace("of the", "of   the"), template))


def test_a_message_is_cut_where_its_template_begins_another_line():
    template = "Tokens not accepted: {token}\nAccepted tokens: {tokens}"
    assert is_cut_at_line(stands(template, "Tokens not accepted: 3")[0])
    assert not is_cut_at_line(stands(template.replace("\n", ". "), "Tokens not accepted: 3")[0])
    assert is_cut_at_line(
        stands("Decoding is out of memory today.\nTry to allocate {0} tokens", "Decoding is out of memory today.")[0]
    )


def test_a_slot_may_stand_on_a_line_above():
    assert is_below_slot(stands("{0}\n\nFor further information visit {1}", "For further information visit a")[0])
    assert not is_below_slot(stands("{0} For further information visit {1}", "b For further information visit a")[0])


def test_signs_before_the_first_words_are_the_templates():
    assert leading_signs(stands("`_root` cannot be applied", "`_root` cannot be applied")[0]) == "`_"
    assert leading_signs(stands("`{x}` cannot be applied", "`a` cannot be applied")[0]) == ""


SENTENCES = (
    "Estimator does not accept missing values encoded natively. ",
    "Alternatively preprocess the data with an imputer transformer in a pipeline, or drop what is missing. ",
    "See the documentation of the imputer for estimators that handle such values.",
)
LEFT_OUT = {
    "a sentence in the middle": (SENTENCES[0] + SENTENCES[2], True),
    "a sentence in the middle, and the end": (SENTENCES[0] + SENTENCES[2][:-8], True),
    "the end": (SENTENCES[0] + SENTENCES[1][:40], False),
    "a sentence, and another stands there": (
        SENTENCES[0] + "Please install the development version of the library instead, or wait. " + SENTENCES[2], False,
    ),
    "the beginning": (SENTENCES[1] + SENTENCES[2], False),
    "one word for another": ("".join(SENTENCES).replace("natively", "as blanks"), False),
    "the end, and another stands there": (SENTENCES[0] + "Please install the development version.", False),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_tells_what_was_left_out_from_what_was_replaced(text, expected):
    fit, skeleton = stands("".join(SENTENCES), text)
    assert fit.share < 1
    assert is_left_out(fit, skeleton) is expected
