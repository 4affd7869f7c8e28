import pytest

from errorkb.core.site_matching import Evidence, MatchedSite, match_sites

LONG = "the transfer of {0} is not supported here"


def sites(side: str, *rows: tuple) -> list[MatchedSite]:
    """Return sites from rows of (path, line, symbol, template[, type])."""
    return [
        MatchedSite(f"{side}{n}", "error", (rest or ["ValueError"])[0], template, symbol, path, line)
        for n, (path, line, symbol, template, *rest) in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("new", "known", "pairs"),
    [
        ([("a.py", 10, "f", "bad {0}")], [("a.py", 10, "f", "bad {0}")], [(0, 0, Evidence.SAME)]),
        ([("a.py", 99, "f", "bad {0}")], [("a.py", 10, "f", "bad {0}")], [(0, 0, Evidence.SAME)]),
        ([("b/a.py", 10, "f", "x")], [("c/a.py", 10, "f", "x")], [(0, 0, Evidence.MOVED_FILE)]),
        ([("b.py", 10, "C.f", "x")], [("a.py", 10, "C.f", "x")], [(0, 0, Evidence.MOVED_FILE)]),
        ([("a.py", 10, "g", "x")], [("a.py", 10, "f", "x")], [(0, 0, Evidence.RENAMED)]),
        ([("a.py", 10, "f", "new")], [("a.py", 10, "f", "old")], [(0, 0, Evidence.REWORDED)]),
        ([("a.py", 10, "f", "x", "KeyError")], [("a.py", 10, "f", "x")], []),
        ([("b.py", 10, "g", LONG)], [("a.py", 10, "f", LONG)], [(0, 0, Evidence.MOVED)]),
        ([("b.py", 10, "g", "short text")], [("a.py", 10, "f", "short text")], []),
        # a text that stands twice somewhere tells nothing by itself
        ([("b.py", 10, "g", LONG), ("c.py", 1, "h", LONG)], [("a.py", 10, "f", LONG)], []),
        # twins keep their order
        (
            [("a.py", 18, "f", "x"), ("a.py", 28, "f", "x")],
            [("a.py", 10, "f", "x"), ("a.py", 20, "f", "x")],
            [(0, 0, Evidence.SAME), (1, 1, Evidence.SAME)],
        ),
        # one of two twins is gone: the nearer one stays
        ([("a.py", 21, "f", "x")], [("a.py", 10, "f", "x"), ("a.py", 20, "f", "x")], [(0, 1, Evidence.SAME)]),
        # one twin more: the known ones are found again, the other is new
        (
            [("a.py", 10, "f", "x"), ("a.py", 15, "f", "x"), ("a.py", 25, "f", "x")],
            [("a.py", 10, "f", "x"), ("a.py", 20, "f", "x")],
            [(0, 0, Evidence.SAME), (1, 1, Evidence.SAME)],
        ),
        # two reworded in one function meet by their words
        (
            [("a.py", 10, "f", "cannot open file {0} now"), ("a.py", 20, "f", "cannot close file {0} now")],
            [("a.py", 10, "f", "cannot close file {0}"), ("a.py", 20, "f", "cannot open file {0}")],
            [(0, 1, Evidence.REWORDED), (1, 0, Evidence.REWORDED)],
        ),
        # twins that were reworded alike keep their order, however far they moved
        (
            [("a.py", 330, "f", "self loops are bad"), ("a.py", 340, "f", "self loops are bad")],
            [("a.py", 286, "f", "self links are bad"), ("a.py", 296, "f", "self links are bad")],
            [(0, 0, Evidence.REWORDED), (1, 1, Evidence.REWORDED)],
        ),
        # of two leftovers that share no words, none is the other
        (
            [("a.py", 10, "f", "one two"), ("a.py", 20, "f", "three four")],
            [("a.py", 10, "f", "five six"), ("a.py", 20, "f", "seven eight")],
            [],
        ),
        # sites without text are told by function and order
        (
            [("a.py", 11, "f", "", "AssertionError"), ("a.py", 12, "f", "", "AssertionError")],
            [("a.py", 1, "f", "", "AssertionError"), ("a.py", 2, "f", "", "AssertionError")],
            [(0, 0, Evidence.SAME), (1, 1, Evidence.SAME)],
        ),
    ],
)
def test_meets_each_site_again(new, known, pairs):
    found = match_sites(sites("n", *new), sites("k", *known))
    assert sorted((pair.new.key, pair.known.key, pair.evidence) for pair in found) == sorted(
        (f"n{n}", f"k{m}", why) for n, m, why in pairs
    )


def test_many_equal_sites_and_many_reworded_ones_end():
    new = [("a.py", n, "f", f"{n} new words") for n in range(3_000)] + [("b.py", n, "g", "x") for n in range(3_000)]
    known = [("a.py", n, "f", f"{n} old words") for n in range(3_000)] + [("b.py", n, "g", "x") for n in range(2_000)]
    found = match_sites(sites("n", *new), sites("k", *known))
    assert sum(pair.evidence is Evidence.SAME for pair in found) == 2_000
