"""Search: which templates a pasted text fits, and by how many words."""

from time import process_time
from typing import Any

import pytest

from errorkb.core.tokens import whole_tokens, word_sequence
from errorkb.search.templates import Pasted, split_title, template_tokens


def pasted(text: str) -> Pasted:
    return Pasted(word_sequence(text), len(whole_tokens(text)))


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"message": "%s has no %s.", "placeholders": "percent"}, ["has no"]),
        ({"message": "a %s b %d%% c", "placeholders": "percent"}, ["a , b , c"]),
        ({"message": "a {x}b c{y} d", "placeholders": "brace"}, ["a , d"]),
        ({"message": "path {x}/config", "placeholders": "brace"}, ["path , config"]),
        ({"message": "a {x} b", "template": "a {x} c"}, ["a , c"]),
        (
            {"message": "a", "wordings": [{"message": "a"}, {"message": "b"}, {"template": "c {x}"}]},
            ["a", "b", "c"],
        ),
        ({"message": "{broken", "placeholders": "brace", "wordings": [{"message": "b"}]}, ["b"]),
        ({"message": "a", "placeholders": "unheard"}, []),
        ({"message": 7, "template": [], "placeholders": {}, "wordings": [1, {"message": None}]}, []),
        ({"message": ""}, []),
        ({"message": "{x}", "placeholders": "brace"}, []),
    ],
)
def test_templates_by_their_literal_parts(document: dict[str, Any], expected: list[str]) -> None:
    assert list(template_tokens(document)) == expected


# Each row: what was pasted, an exception type, a template's literal parts, and how many words of it the text has.
FITS = [
    ("Missing manifest entry for 'a/b.css'", "", "missing manifest entry for", 4),
    ("ValueError: Missing manifest entry for 'x'", "ValueError", "missing manifest entry for", 5),
    ("KeyError: Missing manifest entry for 'x'", "ValueError", "missing manifest entry for", 4),
    ("Missing entry for manifest 'x'", "", "missing manifest entry for", 0),
    ("a manifest entry is missing", "", "missing manifest entry for", 0),
    ("Class a.B doesn't declare a label and isn't here", "", "class , doesn t declare , label", 5),
    ("declare a class, doesn't", "", "class , doesn t declare , label", 0),
    # Few words are enough only where they are much of the text.
    ("No directory at: /srv/www", "", "no directory at", 3),
    ("there is no directory at hand in which one could work for long", "", "no directory at", 0),
    ("Order has no invoice.", "", "has no", 2),
    ("'NoneType' object has no attribute 'x'", "", "has no", 0),
    ("x.RelatedObjectDoesNotExist: Order has no invoice.", "RelatedObjectDoesNotExist", "has no", 3),
    ("kv lost again", "", "lost", 0),
    ("KeyError: x", "KeyError", "lost", 0),
    # Texts that break off.
    (
        "Requested setting X, but settings are not configured.",
        "",
        "requested , but settings are not configured you",
        6,
    ),
    ("The CSS file 'x' references a file which", "", "the , file , references a file which , please check", 6),
    ("could not find it on my desk", "", "could not find the , in", 0),
    ("Can't load tokenizer for 'me/mine'", "", "can t load tokenizer for , if you were trying to load it from", 5),
    ("Can't load tokenizer for the model that I made yesterday", "", "can t load tokenizer for , if you were", 0),
    ("CSRF verification failed", "", "verification failed for , details", 0),
    ("", "", "has no", 0),
]


@pytest.mark.parametrize(("text", "exception_type", "template", "words"), FITS)
def test_a_text_fits_a_template_by_all_its_words_in_order(
    text: str, exception_type: str, template: str, words: int
) -> None:
    _, templates = split_title(f"anything | {template}")
    assert pasted(text).fit(exception_type, templates) == words


def test_the_best_of_several_wordings_counts() -> None:
    _, templates = split_title("x | not found here | kv , not found here at all")
    assert pasted("kv 7 not found here at all").fit("", templates) == 6


def test_a_title_without_templates_fits_nothing() -> None:
    assert split_title("a b") == ("a b", [])
    assert pasted("a b c").fit("KeyError", ()) == 0


@pytest.mark.parametrize(
    "message", ["{x} a " * 60_000, "a" * (8 << 20), "{x}" * 100_000, "{{" * 60_000, "a " * 4_000_000, "{x}a b" * 60_000]
)
def test_long_messages_are_read_and_fitted_in_a_moment(message: str) -> None:
    began = process_time()
    (*texts,) = template_tokens({"message": message, "placeholders": "brace"})
    assert sum(map(len, texts)) < 10_000
    pasted("a b " * 500).fit("KeyError", split_title(" | ".join(["x", *texts]))[1])
    assert process_time() - began < 5
