"""Hostile reports: the work of parsing them grows no faster than they do."""

import sys
import time
from collections.abc import Callable
from types import FrameType

import pytest

from errorkb.core.pr_reports import parse_report

HEAD = "# PR #5 full report\n\n- Repository: acme/rocket\n\n"

HOSTILE: dict[str, Callable[[int], str]] = {
    "number signs": lambda size: "#" * size,
    "empty headings": lambda size: "#\n" * (size // 2),
    "known headings": lambda size: "# 风险\n" * (size // 5),
    "list items": lambda size: "## Implementation\n" + "- x\n" * (size // 4),
    "list in a list": lambda size: "## Implementation\n" + "- " * (size // 2),
    "one long line": lambda size: "## Motivation\n" + "a: " * (size // 3),
    "blank lines in an item": lambda size: "## Implementation\n- x\n" + "\n" * size,
    "unclosed fences": lambda size: "```x\n" * (size // 5),
    "unclosed fences and headings": lambda size: "```x\n# 风险\n" * (size // 10),
    "fences of falling length": lambda size: "\n".join("`" * n + " x" for n in range(int((2 * size) ** 0.5), 2, -1)),
    "fences indented too far": lambda size: "```\n" + "        ```\n" * (size // 12),
    "backticks": lambda size: "## Implementation\nKey files:\n- " + "` " * (size // 2),
    "open parentheses": lambda size: "## Implementation\nKey files:\n- `a`" + "（" * (size // 3),
    "facts": lambda size: "## Implementation\nKey files:\n- `a`（" + "module a, " * (size // 10) + "）",
    "symbols": lambda size: "## Implementation\nKey files:\n- `a`（symbols a" + ";b" * (size // 2) + "）",
    "flags": lambda size: "## Risk and impact\n- Risk flags: " + "a、" * (size // 4),
    "brackets": lambda size: "## Related pull requests\n- " + "[" * size,
    "links": lambda size: "## Related pull requests\n- " + "[a](b)" * (size // 6),
    "references": lambda size: "## Related pull requests\n- #1" + ", #1" * (size // 4),
    "dotted name": lambda size: "## Motivation\nFixes errors: " + "a.b::C" * (size // 6),
    "spaces": lambda size: "## Motivation\n" + " " * size + "x",
    "dashes": lambda size: "- " + "- " * (size // 2) + "x",
}


def calls_made(text: str) -> int:
    """Return how many calls parsing makes: a measure of work that no other program on the machine disturbs."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        parse_report(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_number_of_calls_grows_no_faster_than_the_report(hostile: Callable[[int], str]) -> None:
    small, large = (calls_made(HEAD + hostile(size)) for size in (8_000, 32_000))

    assert large <= 4.5 * small + 2_000


def seconds(text: str) -> float:
    start = time.process_time()
    parse_report(text)
    return time.process_time() - start


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_time_grows_no_faster_than_the_report(hostile: Callable[[int], str]) -> None:
    """Quadratic work takes 64 times as long for 8 times the text, each time; a busy machine disturbs only some."""
    small, large = HEAD + hostile(20_000), HEAD + hostile(160_000)

    assert any(seconds(large) < 24 * max(seconds(small), 0.001) for _ in range(6))
