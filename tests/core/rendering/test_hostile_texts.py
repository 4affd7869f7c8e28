"""Texts made to be slow or to break something: each is done in about a second of processor time."""

import time
from collections.abc import Callable

import pytest

from errorkb.core.rendering import (
    expose_controls,
    parse_problem,
    render_code,
    render_inline,
    render_markdown,
    render_plain,
    render_snippet,
    unfold_code,
)
from errorkb.core.rendering.highlighting import MAX_CODE, MAX_LINE
from errorkb.core.rendering.languages import LANGUAGES
from errorkb.core.rendering.markdown_text import MAX_TEXT
from tests.core.rendering.reading import faults_of

SECONDS = 3.0
"""Processor time that one call may take; here the slowest takes a second, most a tenth."""

UNITS = [
    *"[(*_`>!<&|\\~#-+.:'\"\n\t ",
    *("](", "[](", "[]", "![", "![a](", "[a](", '[a](b "', "[a](<", "[a](http://b)", "[http://a](http://b)"),
    *("<a", "<!--", "<![CDATA[", "<?", "&#", "&#x", "&amp;", "</div>", "http://", "https://a.b)", "<http://a"),
    *("*a ", "*a* ", "**a* ", "***a** ", "a* ", "*是", "`` ` ", "``\n", "\\*", "\\|", "[a]: b\n", "a  \n"),
    *("- ", "- - ", "1. ", "1. - ", "> ", "> - ", "- > ", "- a\n", "- a\n\n", "1. a\n   - b\n", "\ta\n", "    a\n"),
    *("```\n", "``` a\n", "~~~\n", "- ```\n", "> ```\n", "# #\n", "#\n", "a\n===\n", "---\n", "* * *\n", ">>> a\n"),
    *("a|b\n-|-\n", "|`", "-|", "| a | b |\n", "a b\n", "\x0b", "\x85", "é", "😀", "\u202e", "a\u202e", "\x02", "\x03"),
    *("\x02klzzwxh:0000\x03", "\x02wzxhzdk:0\x03", "wzxhzdk:0", "\x02amp\x03", "\x0242\x03"),
]
CODE_UNITS = ['"', "'", "`", "{{", "\n ", "/*", "<a ", "${", "a.", "(", "0", "<<A\n"]
PREFIXES = ["- ", "> ", "| a | b |\n|---|---|\n"]
LARGE = 8 * 1024 * 1024


def seconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return time.process_time() - start


@pytest.mark.parametrize("unit", UNITS)
def test_text_within_the_bounds_is_read_in_time(unit: str) -> None:
    text = (unit * MAX_TEXT)[:MAX_TEXT]
    for render in (render_markdown, render_inline):
        assert seconds(lambda render=render: render(text)) < SECONDS
        assert faults_of(render(text[: MAX_TEXT // 16])) == []


@pytest.mark.long
@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("unit", UNITS)
def test_text_within_a_list_a_quote_or_a_table_is_read_in_time(unit: str, prefix: str) -> None:
    text = (prefix + unit * MAX_TEXT)[:MAX_TEXT]
    assert seconds(lambda: render_markdown(text)) < SECONDS


@pytest.mark.parametrize("unit", [*"[(*_`>!<&|\\", "- ", "[a](", "&#", "\x02klzzwxh:0000\x03", "\x02wzxhzdk:0\x03"])
def test_a_hundred_thousand_of_anything_are_shown_in_time(unit: str) -> None:
    text = unit * 100_000
    for render in (render_markdown, render_inline, render_plain, unfold_code):
        assert seconds(lambda render=render: render(text)) < SECONDS
    assert seconds(lambda: render_code(text, "python")) < SECONDS


@pytest.mark.parametrize(
    "unit", ["a b\n\n", "<", *(pytest.param(unit, marks=pytest.mark.long) for unit in ("\n", "\x02a", r"\n"))]
)
def test_a_text_of_eight_mebibytes_is_shown_in_time(unit: str) -> None:
    text = unit * (LARGE // len(unit))
    for render in (render_markdown, render_inline, render_plain, expose_controls, unfold_code):
        assert seconds(lambda render=render: render(text)) < SECONDS
    assert seconds(lambda: render_snippet(text, start_line=1, line=5, end_line=9, language="python")) < SECONDS
    assert parse_problem(text, "python") is None


@pytest.mark.parametrize(
    "text",
    [
        "\n".join("  " * level + "- a" for level in range(150)),
        "\n".join("> " * level + "a" for level in range(150)),
        ("> - " * 400 + "a\n") * 20,
        ("- > " * 400 + "a\n") * 20,
        ("> " * 400 + "- a\n") * 20,
        "\n".join(f"{'   ' * level}{level}. a" for level in range(120)),
        "**a *b " * 2_000 + "c* d** " * 2_000,
        "[" * 5_000 + "a" + "](https://b.c)" * 2_000,
        "> " * 3_000 + "| a |\n" + "> " * 3_000 + "|---|",
    ],
)
def test_deep_nesting_is_flattened(text: str) -> None:
    html = render_markdown(text)
    assert faults_of(html) == []
    assert html.count("a") >= text.count("a")


def test_nesting_does_not_depend_on_the_stack_that_is_left() -> None:
    text = "> " * 6 + "\n".join("  " * level + "- a" for level in range(6))

    def deep(frames: int) -> str:
        return deep(frames - 1) if frames else render_markdown(text)

    assert deep(500) == render_markdown(text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unit", [r"\'", *(pytest.param(unit, marks=pytest.mark.long) for unit in CODE_UNITS)])
def test_code_within_the_bounds_is_coloured_or_given_up_in_time(language: str, unit: str) -> None:
    lines = unit * (MAX_LINE // len(unit)) + "\n"
    code = (lines * (MAX_CODE // len(lines) + 1))[:MAX_CODE]
    assert seconds(lambda: render_code(code, language)) < SECONDS


@pytest.mark.parametrize(
    "code",
    [
        "(" * 60_000,
        "[" * 150 + "a b" + "]" * 150,
        "f(" * 90 + "a b" + ")" * 90,
        "{a:" * 90 + "b c" + "}" * 90,
        "lambda x:" * 6_000,
        "a if b else " * 5_000 + "c",
        "-" * 60_000 + "a",
        "a." * 30_000 + "b",
        "with (" * 60 + "a as b" + "):" * 60,
        "\n".join(" " * level + "if a:" for level in range(300)),
        "if a: pass\n" + "elif a: pass\n" * 4_000 + "else",
        "'''" + "a" * 60_000,
        "f'{" * 100,
    ],
)
def test_hostile_examples_are_parsed_in_time(code: str) -> None:
    assert seconds(lambda: parse_problem(code, "python")) < SECONDS
    assert parse_problem(code, "python") is not None
