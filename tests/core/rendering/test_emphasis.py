import pytest

from errorkb.core.rendering.emphasis import MAX_WAITING, pair_stars, read_star_run


@pytest.mark.parametrize(
    ("text", "opens", "closes"),
    [
        ("*a", True, False),
        ("a*", False, True),
        (" * ", False, False),
        ("(*a", True, False),
        ("a*)", False, True),
        ("a*b", False, False),
        ("1*2", False, False),
        ("_*a", False, False),
        (")*a", False, False),
        (".*a", False, False),
        ("/*a", False, False),
        ("a/*", False, False),
        ("(*)", False, False),
        ("'*'", False, False),
        ("*.py", False, False),
        ("**.env", True, False),
        ("a*.so", False, False),
        ("a*.", False, True),
        ("a*, b", False, True),
        ("中*文", True, True),
        ("中**文", True, True),
        ("****a", False, False),
        ("*", False, False),
    ],
)
def test_neighbours_decide_what_asterisks_do(text: str, opens: bool, closes: bool) -> None:
    run = read_star_run(text, text.index("*"), text.rindex("*") + 1, 0)
    assert (run.opens, run.closes) == (opens, closes)


def test_only_the_latest_openers_wait() -> None:
    texts = ["*"] * (MAX_WAITING + 2) + ["*"] * (MAX_WAITING + 2)
    half = len(texts) // 2
    runs = [
        read_star_run("*a" if place < half else "a*", place >= half, 1 + (place >= half), place)
        for place in range(len(texts))
    ]
    pair_stars(runs, texts)
    assert texts == ["*"] * 2 + ["<em>"] * MAX_WAITING + ["</em>"] * MAX_WAITING + ["*"] * 2
