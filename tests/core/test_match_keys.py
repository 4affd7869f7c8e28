"""Keys of templates are windows that a text with the message has as well, whatever its values."""

import pytest

from errorkb.core.match_keys import LENGTHS, MOST_WINDOWS, is_strong, template_keys, text_windows, type_key
from errorkb.core.skeletons import make_skeleton


def windows(*lines: str) -> set[str]:
    return set(text_windows(make_skeleton(lines)).found)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Model class {0} has no explicit app_label", "Model class <class 'a.B'> has no expli\ncit app_label"),
        ("{n}th argument of {name} is missing", "4th argument of f is missing"),
        ("failed to open {path}GB volume", "failed to open 3GB volume"),
        ("{{}} is not a valid {kind} of thing", "{} is not a valid sort of thing"),
        ("模型 {name} 的形状不匹配", "错误：模型 bert 的形状不匹配"),
        ("Bad value\nfor the option {x}", "bad VALUE for the option 3"),
    ],
)  # fmt: skip
def test_a_message_has_the_keys_of_its_template(template, text):
    found = windows(*text.splitlines())
    key, check_key = template_keys(template)
    assert key in found
    assert check_key in found or not check_key


@pytest.mark.parametrize(
    "template",
    ["", "{0}", "{a}{b}{c}", "bad {0}", "{0}: {1}", "%s", "12345678901234567890", "{x}glued", "{" * 50, "{}" * 50],
)
def test_templates_with_too_little_text_have_no_key(template):
    assert template_keys(template) == ("", "")


def test_no_key_starts_with_a_word_that_a_value_may_be_glued_to():
    assert template_keys("{size}gigabytes of memory") == ("ofmemory", "")


def test_the_two_keys_do_not_overlap():
    assert template_keys("quantization unsupported") == ("quantization", "unsuppor")


def test_the_key_is_from_the_first_half_and_the_check_key_from_the_second():
    template = "Tokenizer vocabulary missing entirely; {x} please reinstall quantization kernels"
    key, check_key = template_keys(template)
    letters = "tokenizervocabularymissingentirelypleasereinstallquantizationkernels"
    assert letters.index(key) + len(key) <= len(letters) // 2 <= letters.index(check_key)


def test_the_rarest_words_are_the_key():
    assert template_keys("this is not the same as it should be: quantization")[0] != "thisisnotthe"


def test_windows_start_at_words_that_begin_with_a_letter():
    found = windows("2026 error: connection refused by peer")
    assert "errorconnect" in found
    assert "errorcon" in found
    assert not any(window.startswith(("2026", "rror")) for window in found)


def test_places_are_told_in_order():
    text = text_windows(make_skeleton(["connection refused", "connection refused"]))
    assert text.places(["connecti"]) == {"connecti": [0, 17]}


def test_more_windows_than_the_bound_are_cut():
    text = text_windows(make_skeleton([" ".join(f"w{n:x}" for n in range(MOST_WINDOWS + 60_000))]))
    assert text.is_cut
    assert len(text.found) <= MOST_WINDOWS + 50_000


def test_long_windows_are_strong():
    assert is_strong("x" * LENGTHS[0])
    assert not is_strong("x" * LENGTHS[1])
    assert is_strong("的形状不匹配")


@pytest.mark.parametrize(
    ("exception_type", "key"),
    [
        ("aiohttp.client_exceptions.ContentTypeError", "ContentTypeError"),
        ("My_Error", "MyError"),
        ("ValueError", ""),
        ("builtins.KeyError", ""),
        ("", ""),
    ],
)
def test_types_have_their_last_name_as_key_unless_python_has_them(exception_type, key):
    assert type_key(exception_type) == key
