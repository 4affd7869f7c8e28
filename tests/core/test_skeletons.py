"""Skeletons: words joined in small letters, and the way back to lines and columns."""

import pytest

from errorkb.core.skeletons import Place, letters_of, make_skeleton, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Can't load `my_model`", ["Can", "t", "load", "my", "model"]),
        ("foo\\_bar 0x1F", ["foo", "bar", "0x1F"]),
        ("naïve Größe", ["naïve", "Größe"]),
        ("模型name不匹配", ["模", "型", "name", "不", "匹", "配"]),
        ("--- \t\n", []),
    ],
)
def test_words_are_runs_of_letters_and_digits(text, words):
    assert words_of(text) == words


def test_letters_are_joined_in_lower_case():
    assert letters_of("Capture CUDA_graph: Größe") == "capturecudagraphgröße"


def test_letters_that_lower_case_would_double_keep_every_offset():
    assert letters_of("İX") == "İx"


def test_line_breaks_within_words_leave_letters_as_they_are():
    whole = make_skeleton(["ValueError: no explicit app_label"])
    wrapped = make_skeleton(["ValueErr", "or: no expli", "cit app", "label"])
    assert wrapped.letters == whole.letters == "valueerrornoexplicitapplabel"


def test_an_offset_leads_back_to_line_and_column():
    skeleton = make_skeleton(["a  bc", "", "(def) g"])
    assert skeleton.letters == "abcdefg"
    places = [skeleton.place_of(offset) for offset in range(7)]
    expected = [(0, 0), (0, 3), (0, 4), (2, 1), (2, 2), (2, 3), (2, 6)]
    assert [(place.line, place.column) for place in places] == expected
    assert skeleton.end_of(3) == Place(0, 5)
    assert skeleton.between(Place(0, 3), Place(2, 4), 100) == "bc\n\n(def"
    assert skeleton.between(Place(0, 3), Place(2, 4), 4) == "bc\n"


def test_words_start_and_end_where_the_text_has_them():
    skeleton = make_skeleton(["ab cd", "e"])
    assert [skeleton.starts_word(offset) for offset in range(5)] == [True, False, True, False, True]
    assert [skeleton.ends_word(offset) for offset in (1, 2, 4, 5)] == [False, True, True, True]


def test_folding_keeps_the_first_of_lines_that_differ_in_digits_only():
    skeleton = make_skeleton(["step 1 of 9", "done", "step 2 of 9", "step 10 of 9"], fold=True)
    assert list(skeleton.numbers) == [0, 1, 3]
    assert skeleton.letters == "step1of9donestep10of9"
    assert skeleton.line_start(2) == skeleton.letters.index("step10")


def test_a_line_longer_than_a_block_is_read_whole():
    line = "abcdefg " * 10_000
    skeleton = make_skeleton([line])
    assert skeleton.letters == "abcdefg" * 10_000
    assert skeleton.place_of(7 * 9_999) == Place(0, 8 * 9_999)
    assert len(skeleton.word_starts) == 10_000


def test_a_text_without_words_has_an_empty_skeleton():
    skeleton = make_skeleton(["---", ""])
    assert (skeleton.letters, list(skeleton.word_starts)) == ("", [])
