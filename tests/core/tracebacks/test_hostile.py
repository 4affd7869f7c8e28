"""Tests of reading what nobody pastes in good faith: it never raises, keeps its numbers in range and its bounds."""

import json
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from errorkb.core.tracebacks import Paste, read_paste
from errorkb.core.tracebacks.cleaning import MOST_LINES
from errorkb.core.tracebacks.drafts import MOST_MESSAGE, MOST_MESSAGE_LINES
from errorkb.core.tracebacks.reading import MOST_OCCURRENCES

FRAME = '  File "/a/b.py", line 3, in f\n    g()\n'
TRACEBACK = f"Traceback (most recent call last):\n{FRAME}ValueError: bad thing 17\n"
LINK = "\nDuring handling of the above exception, another exception occurred:\n\n"
PIECES = (
    *("Traceback (most recent call last):\n", FRAME, "ValueError: x\n", "KeyError\n", LINK, "E   ValueError: x\n"),
    *("  + Exception Group Traceback (most recent call last):\n", "  | ", "  +-+---------------- 1 ----------------\n"),
    *("ExceptionGroup: g (2 sub-exceptions)\n", "│ ", "╭─── Traceback (most recent call last) ───╮\n", "❱ 7 │ x\n"),
    *('{"level": "error", "exc_info": "', '\\n', '\\"', '"}', 'msg="', "level=error ", "> ", "```", "| ", "web-1  | "),
    *("2026-11-03 08:10:22,123 ERROR x: ", "(W pid=7) ", "[rank0]: ", "Cell In[1], line 2\n", "----> 1 f()\n"),
    *("/a/b.py:7: ValueError\n", "a.py in f\n", "at line 3\n", "Exception Type: KeyError\n", "Exception Value: \n"),
    *("&lt;", "<br>", "</pre>", "“", "」", "\x1b[31m", "\r", "\x00", "\ud800", "\u2028", "：", "(", "'", "`", "**"),
    *("\n", "\n\n", "    ", "a.b.c", "Error: ", "most recent call first", "[Previous line repeated 3 more times]\n"),
)  # fmt: skip


def check(text: str, paste: Paste) -> None:
    """Hold what is true of each paste."""
    count = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    numbers = [line.number for line in paste.lines]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, min(count, MOST_LINES) + 1))
    for error in paste.occurrences:
        assert 1 <= error.number <= error.last_number <= count
        assert error.role in ("root", "consequence", "only")
        assert error.count >= 1
        assert error.exception_type or error.message or error.frames
        assert len(error.message.split("\n")) <= MOST_MESSAGE_LINES + 60
        assert len(error.message) <= 3 * MOST_MESSAGE
        assert all(1 <= frame.number <= count for frame in error.frames)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
@example("")
@example("\x00")
def test_reads_any_mixture_of_pieces(text: str) -> None:
    check(text, read_paste(text))


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters() | st.sampled_from(string.printable), max_size=300))
def test_reads_any_text(text: str) -> None:
    check(text, read_paste(text))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(TRACEBACK) * 2), st.sampled_from(PIECES))
def test_reads_two_tracebacks_with_anything_between(position: int, piece: str) -> None:
    whole = TRACEBACK + LINK + TRACEBACK
    text = whole[:position] + piece + whole[position:]
    check(text, read_paste(text))


LARGE = 1 << 18
SIGNS = ("(", "{", '"', "'", "`", "\\", "|", "│", "=", ">", "<", "&", "*", "_", "-", ".", ":", "~", "^", "\x1b[", "\r")
RUNS = (
    *SIGNS,
    *('File "', 'File "a", line 1, in f ', '{"msg":', 'ValueError("', "`ValueError: x ", "aError ", "a.", "a.b: "),
    *('a="b" ', "='", "a=' ", '\\"', "\\n", "Error: \\n", "[a]", "(W pid=1) ", "| a ", "<b>", "</b>", "</td><td>", "   "),
    *("In ", "a.py in ", "E   ", "ERROR ", "a==1 ", "a v1.1 ", "Using a 1.1 ", "2026-01-01 10:00:00 ", "Traceback ("),
    *("错误", "「", "(ValueError: x ", "'Error: x ", "above exception (", "The above exception (", "\x00", "\ud800", "❱ 1 "),
)  # fmt: skip


@pytest.mark.parametrize("piece", RUNS)
def test_reads_one_line_of_nothing_but(piece: str) -> None:
    text = piece * (LARGE // len(piece))
    check(text, read_paste(text))


@pytest.mark.parametrize("piece", RUNS)
def test_reads_line_after_line_of(piece: str) -> None:
    text = f"{piece}\n" * 5_000
    check(text, read_paste(text))


@pytest.mark.parametrize(
    "text",
    [
        "a\n" * 1_000_000,
        "\n" * 300_000,
        "ValueError: x\n" * 100_000,
        "".join(f"ValueError: {chr(97 + n % 26) * (n % 97)}\n" for n in range(20_000)),
        f"{'x' * LARGE} ValueError: y",
        json.dumps({"level": "error", "exc_info": TRACEBACK * 5_000}),
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        "".join(f"(W pid={n}) ERROR x\n" for n in range(30_000)),
        "".join(f"{FRAME}Exception Type: E{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}Error\n" for n in range(12_000)),
    ],
    ids=["short lines", "blank lines", "alike", "each another", "one line", "one record", "deep", "streams", "pages"],
)
def test_reads_a_mass_of(text: str) -> None:
    check(text, read_paste(text))


def test_reads_a_chain_of_a_thousand() -> None:
    text = LINK.join(TRACEBACK.replace("b.py", f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}.py") for n in range(1_000))
    occurrences = read_paste(text).occurrences
    assert {error.chain for error in occurrences} == {1}
    assert [error.role for error in occurrences].count("root") == 1


def test_reads_groups_nested_a_hundred_deep() -> None:
    lines = ["  + Exception Group Traceback (most recent call last):"]
    for depth in range(100):
        bar = "  " * (depth + 1)
        lines += [f'{bar}|   File "a{depth}.py", line 1, in f', f"{bar}| ExceptionGroup: g (1 sub-exception)"]
        lines += [f"{bar}+-+---------------- 1 ----------------"]
    lines += ["  " * 101 + "| ValueError: x"]
    occurrences = read_paste("\n".join(lines)).occurrences
    assert [error.role for error in occurrences] == ["consequence"] * 100 + ["root"]


def test_tells_of_so_many_errors_at_most() -> None:
    words = ("".join(chr(97 + n // 26**k % 26) for k in range(4)) for n in range(3_000))
    paste = read_paste("\n\n".join(f"ValueError: {word}" for word in words))
    assert (len(paste.occurrences), paste.is_cut) == (MOST_OCCURRENCES, True)
