import pytest

from errorkb.admin.differences_in_words import Piece, place_in_words, shown_differences
from errorkb.core.differences import ABSENT, Difference, differences


def pieces(old, new):
    (shown,) = shown_differences([Difference("$.x", old, new)])
    return shown.old.pieces, shown.new.pieces


@pytest.mark.parametrize(
    ("old", "new", "old_pieces", "new_pieces"),
    [
        ("a b c", "a x c", [("a ", False), ("b", True), (" c", False)], [("a ", False), ("x", True), (" c", False)]),
        ("ab", "abc", [("ab", False)], [("ab", False), ("c", True)]),
        ("aa", "aaa", [("aa", False)], [("aa", False), ("a", True)]),
        ("abc", "c", [("ab", True), ("c", False)], [("c", False)]),
        (True, False, [("yes", False)], [("no", False)]),
        (ABSENT, None, [("not there", False)], [("null: stated as unknown", False)]),
        ("", [], [("empty", False)], [("no rows", False)]),
        (1, 2, [("1", True)], [("2", True)]),
        (
            ABSENT,
            {"text": "t", "evidence": [{"url": "u"}]},
            [("not there", False)],
            [("text: t\nevidence[0].url: u", True)],
        ),
        (ABSENT, ["a", "b"], [("not there", False)], [("a\nb", True)]),
    ],
)
def test_values_are_words_and_what_changed_is_marked(old, new, old_pieces, new_pieces):
    shown_old, shown_new = pieces(old, new)
    assert list(shown_old) == [Piece(text, is_changed=changed) for text, changed in old_pieces]
    assert list(shown_new) == [Piece(text, is_changed=changed) for text, changed in new_pieces]


def test_long_texts_are_shown_around_what_changed():
    text = "x" * 1_000_000
    old, new = pieces(text + "a" + text, text + "b" + text)
    assert [len(piece.text) for piece in old] == [161, 1, 161]
    assert (new[0].text[0], new[2].text[-1]) == ("…", "…")


def test_hostile_values_are_shown_in_a_bounded_number_of_characters():
    values = [
        {"a": "x" * 8_000_000},
        {"a": "y" * 8_000_000},
        {"a": [["x"] * 100] * 5_000},
        {"a": {str(n): n for n in range(99_999)}},
    ]
    for old, new in zip(values, values[1:] + values[:1], strict=True):
        shown = shown_differences(differences(old, new))
        assert sum(len(piece.text) for item in shown for piece in (*item.old.pieces, *item.new.pieces)) < 20_000


def test_places_lose_their_root():
    assert [place_in_words(path) for path in ("$.a[1].b", "$")] == ["a[1].b", "the document"]
