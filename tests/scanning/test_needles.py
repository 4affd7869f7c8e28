"""The piece of a throw site's source by which commits are searched."""

import pytest

from errorkb.scanning.needles import SitePiece, SiteSource, piece_of, site_source


@pytest.mark.parametrize(
    ("lines", "templates", "piece"),
    [
        (['raise ValueError("no room for it")'], ["no room for it"], SitePiece("no room for it", is_text=True)),
        (
            [
                "raise X(",
                '    "Ascend PD transfer does not support HiSparse "',
                '    "destination device KV indices"',
                ")",
            ],
            ["Ascend PD transfer does not support HiSparse destination device KV indices"],
            SitePiece("Ascend PD transfer does not support HiSparse", is_text=True),
        ),
        (['raise X(f"no {thing!r} in the {box}")'], ["no {thing} in the {box}"], SitePiece("in the", is_text=True)),
        (["raise X(message)"], ["text from elsewhere, {0}"], SitePiece("text from elsewhere,", is_text=True)),
        (["    raise KeyError(name)"], [], SitePiece("raise KeyError(name)", is_text=False)),
        (["raise X"], [], None),
        (['raise X("no")'], ["no"], None),
    ],
)
def test_takes_the_longest_piece_that_stands_in_the_source(lines, templates, piece):
    assert piece_of(SiteSource(tuple(lines), tuple(templates))) == piece


def test_takes_a_piece_that_the_other_wording_lacks():
    old = SiteSource(('raise X("the key is not there at all")',), ("the key is not there at all",))
    new = SiteSource(('raise X("the key is not there at all, " "sorry")',), ("the key is not there at all, sorry",))
    assert piece_of(new, unlike=old).text == "the key is not there at all,"
    assert piece_of(old, unlike=new) is None or not piece_of(old, unlike=new).is_text


def test_cuts_a_sites_lines_out_of_its_snippet():
    source = site_source("a\nb\nc\nd", 10, 11, 12, ["", "t"])
    assert source == SiteSource(("b", "c"), ("t",))
