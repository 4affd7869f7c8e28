"""Tests of errors put together: repeats counted once, roles in chains, lines that only tell again."""

import pytest

from errorkb.core.tracebacks import read_paste
from tests.core.tracebacks.told import told

TRACEBACK = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\nValueError: no row 17\n'
ELSEWHERE = TRACEBACK.replace("a.py", "b.py")
LINK = "\nThe above exception was the direct cause of the following exception:\n\n"

PASTES = {
    "lines alike but for digits": ("ValueError: no row 7\n\nValueError: no row 123\n", ["only ×2 ValueError: no row 7"]),
    "one traceback again": (TRACEBACK + "\n" + TRACEBACK, ["only ×2 ValueError: no row 17 [1] a.py:1 f | g()"]),
    "one text at two places": (
        TRACEBACK + "\n" + ELSEWHERE,
        ["only ValueError: no row 17 [1] a.py:1 f | g()", "only ValueError: no row 17 [1] b.py:1 f | g()"],
    ),
    "named just before its traceback": (
        "failed: ValueError('no row 17')\n" + TRACEBACK,
        ["only ValueError: no row 17 [1] a.py:1 f | g()"],
    ),
    "named long before its traceback": (
        "failed: ValueError('no row 17')\n" + "\n" * 9 + TRACEBACK,
        ["only ×2 ValueError: no row 17 [1] a.py:1 f | g()"],
    ),
    "quoted by a record behind": (
        TRACEBACK.replace("17", "17 in the table") + "2026-11-03 08:10:22 ERROR x: gave up: no row 17 in the table\n",
        ["only ValueError: no row 17 in the table [1] a.py:1 f | g()"],
    ),
    "cut in a summary": (
        TRACEBACK + "\nFAILED a.py::test_f - ValueError: no r...\n",
        ["only ValueError: no row 17 [1] a.py:1 f | g()"],
    ),
    "a chain": (
        TRACEBACK + LINK + ELSEWHERE.replace("ValueError", "KeyError"),
        ["root ValueError: no row 17 [1] a.py:1 f | g()", "consequence KeyError: no row 17 [1] b.py:1 f | g()"],
    ),
    "two chains": (
        (TRACEBACK + LINK + ELSEWHERE.replace("ValueError", "KeyError") + "\n") * 2,
        ["root ×2 ValueError: no row 17 [1] a.py:1 f | g()", "consequence ×2 KeyError: no row 17 [1] b.py:1 f | g()"],
    ),
    "a chain whose end is cut": (TRACEBACK + LINK + "Traceback (most", ["only ValueError: no row 17 [1] a.py:1 f | g()"]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "errors"), PASTES.values(), ids=PASTES.keys())
def test_tells_once_of(text: str, errors: list[str]) -> None:
    assert [told(error) for error in read_paste(text).occurrences] == errors


def test_errors_of_one_chain_share_its_number() -> None:
    other = TRACEBACK.replace("row 17", "such thing")
    occurrences = read_paste(TRACEBACK + LINK + ELSEWHERE + "\nand then\n\n" + other).occurrences
    first, second, third = (error.chain for error in occurrences)
    assert first == second != third


def test_counts_all_lines_of_a_long_log_that_are_alike() -> None:
    text = "2026-11-03 08:10:22 ERROR shop: no row 17 in the table\n" * 3_000
    assert [told(error) for error in read_paste(text).occurrences] == ["only ×3000 ?: no row 17 in the table"]
