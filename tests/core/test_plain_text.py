"""Core, rendering: prose without its Markdown."""

from time import process_time

import pytest

from errorkb.core.rendering import plain_text


@pytest.mark.parametrize(
    ("prose", "expected"),
    [
        ("Pass `x=1`, **not** *y*", "Pass x=1, not y"),
        ("see [the page](https://example.org/a) <https://example.org/b>", "see the page https://example.org/b"),
        ("- one\n* two\n  + three\n12. four", "one\ntwo\nthree\nfour"),
        ("## Why\n> because\n---\nso", "Why\nbecause\n\nso"),
        ("```python\nx = 1\n```\nend", "\nx = 1\n\nend"),
        ("`a<b>` & <c> &lt; 2 * 3 -1 *.py", "a<b> & <c> &lt; 2 * 3 -1 *.py"),
        (r"\*args and snake_case_name", "*args and snake_case_name"),
        ("- 修复 `接口`", "修复 接口"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_prose_as_plain_text(prose: str, expected: str) -> None:
    assert plain_text(prose) == expected


@pytest.mark.parametrize("piece", ["`", "- ", ">", "\n- ", "[", " ", "~", "*", "[x](", "1. "])
def test_megabytes_take_a_moment(piece: str) -> None:
    began = process_time()
    plain_text(piece * (1 << 18))
    assert process_time() - began < 5
