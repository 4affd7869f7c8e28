import pytest

from errorkb.core.documents import Snippet
from errorkb.core.source_checks import CutSnippet, cut_snippet
from errorkb.core.source_checks.snippets import check_snippet

TEN = tuple(f"line {n}" for n in range(1, 11))
FORTY = tuple(f"line {n}" for n in range(1, 41))


@pytest.mark.parametrize(
    ("lines", "first", "last", "start", "end"),
    [
        (FORTY, 20, 20, 8, 32),
        (FORTY, 20, 23, 8, 35),
        (FORTY, 5, 5, 1, 17),
        (FORTY, 38, 40, 26, 40),
        (TEN, 5, 5, 1, 10),
        (TEN, 10, 10, 1, 10),
    ],
)
def test_takes_twelve_neighbours_and_stops_at_the_ends_of_the_file(lines, first, last, start, end):
    expected = "\n".join(f"line {n}" for n in range(start, end + 1))
    assert cut_snippet(lines, first=first, last=last) == CutSnippet(start, expected)


def test_cuts_a_statement_of_many_lines_at_its_sixtieth():
    lines = tuple(map(str, range(1, 1001)))
    cut = cut_snippet(lines, first=100, last=900)
    assert cut is not None
    assert (cut.start_line, cut.code.split("\n")[0], cut.code.split("\n")[-1]) == (88, "88", "171")


def test_takes_fewer_neighbours_where_lines_are_long_and_none_where_the_line_itself_is():
    long = ("y" * 2_000,) * 10 + ("raise",) + ("y" * 2_000,) * 10
    assert cut_snippet(long, first=11, last=11) == CutSnippet(8, "\n".join(long[7:14]))
    minified = ("y" * 100_000, "raise", "y" * 100_000)
    assert cut_snippet(minified, first=2, last=2) == CutSnippet(2, "raise")
    assert cut_snippet(minified, first=1, last=1) is None


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (3, "line 3\nline 4"),
        (3, "line 3\nline 4\n"),
        (3, "line 3\r\nline 4"),
        (3, "\tline   3\n    line 4  "),
        # the last line is cut
        (3, "line 3\nli"),
        (3, "line 3\n"),
        # lines are left out
        (3, "line 3\n...\nline 9"),
        # on one line, as some exports write it
        (3, "line 3\\nline 4\\nline 5"),
        (3, "line 3\\nline"),
        (9, "line 9\nline 10\n\n"),
        (3, ""),
    ],
)
def test_agrees_with_its_file(start, code):
    assert check_snippet(Snippet(start_line=start, code=code), TEN) == ""


def test_tells_an_escape_in_the_source_from_a_line_that_ends():
    source = ('print("a\\n")', "x = 1")
    assert check_snippet(Snippet(start_line=1, code='print("a\\n")'), source) == ""
    assert check_snippet(Snippet(start_line=1, code='print("a\\n")\\nx = 1'), source) == ""
    assert check_snippet(Snippet(start_line=1, code='print("a\\n")\nx = 1'), source) == ""


@pytest.mark.parametrize(
    ("start", "code", "told"),
    [
        (3, "line 3\nother", "the snippet's line 4 reads `other`, the source `line 4`"),
        (
            3,
            "line 3\nother\nand\nline 6",
            "the snippet's line 4 reads `other`, the source `line 4`; 1 more of its lines differ",
        ),
        (10, "line 10\nline 11", "the snippet's line 11 reads `line 11`, the source ends at line 10"),
        (900, "no such", "the snippet's line 900 reads `no such`, the source ends at line 10"),
        (3, "line 5\nline 6", "the snippet starts at line 5 in the source, not at line 3"),
        (900, "line 1\nline 2", "the snippet starts at line 1 in the source, not at line 900"),
        (3, "line 3\\nother", "the snippet's line 4 reads `other`, the source `line 4`"),
        (3, "x" * 100, f"the snippet's line 3 reads `{'x' * 79}…`, the source `line 3`"),
    ],
)
def test_says_where_it_first_differs(start, code, told):
    assert check_snippet(Snippet(start_line=start, code=code), TEN) == told
