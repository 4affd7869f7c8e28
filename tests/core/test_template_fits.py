"""A template is found in a text around its key: whole, cut off, with a sentence left out."""

import pytest

from errorkb.core.match_keys import template_keys
from errorkb.core.skeletons import make_skeleton
from errorkb.core.template_fits import best_fit, fit_template, fit_whole, whole_places
from tests.core.fitting import fitted


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


def test_a_short_literal_that_is_no_word_of_the_text_is_not_there():
    template = "Could not find {0} in the folder {1}, as {2}!"
    fit, _ = fitted(template, "Could not find files in the folder, only checkpoints was seen!")
    assert fit.found == (len("couldnotfind"), len("inthefolder"), 0, 0)


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


@pytest.mark.parametrize(
    ("template", "line", "is_whole"),
    [
        ("Cannot load {a} from the folder {b}", "E: Cannot load x from the folder y", True),
        ("{a} cannot be read from the folder {b}, please", "x cannot be read from the folder y, please", True),
        ("Cannot load {a} from the folder {b}", "Cannot load x from the", False),
        ("Please note: {a} cannot be loaded from the folder", "x cannot be loaded from the folder", False),
        ("Please note: {a} cannot be loaded from the folder", "Please note: cannot be loaded from the folder", True),
        ("cannot be loaded from the folder at all", "cannot be loaded from the folder", False),
    ],
)
def test_finds_whole_templates_cheaply(template, line, is_whole):
    skeleton = make_skeleton([line])
    key = next(filter(skeleton.letters.__contains__, template_keys(template)))
    at = skeleton.letters.index(key)
    fit = fit_whole(template, skeleton, key, at)
    assert (fit is not None) is is_whole
    assert whole_places(template, skeleton, key, [at]) == ([at] if is_whole else [])
    assert fit in (None, fit_template(template, skeleton, key, at))
