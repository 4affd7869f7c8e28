"""Core, rendering: an excerpt of source as numbered lines, the throwing one marked and its neighbours told apart."""

from dataclasses import dataclass

from errorkb.core.rendering.code import finish_code, run_html
from errorkb.core.rendering.controls import replace_unrepresentable
from errorkb.core.rendering.highlighting import highlight

CONTEXT = 4
"""How many lines around the marked ones are near."""

MAX_LINES = 10_000
"""How many lines are told apart; all that follow belong to the last."""


@dataclass(frozen=True)
class SnippetLine:
    """One line: its number in the file, its HTML, whether it is the place of the error, whether it is close by."""

    number: int
    html: str
    marked: bool
    near: bool


@dataclass(frozen=True)
class Snippet:
    """The lines of an excerpt; `has_far` says that some of them are not near."""

    lines: tuple[SnippetLine, ...]
    has_far: bool


def _line_htmls(code: str, language: str | None) -> list[str]:
    """Return the HTML of each line: a run that spans lines is closed at each end and opened again."""
    lines: list[list[str]] = [[]]
    for name, text in highlight(replace_unrepresentable(code), language):
        first, *others = text.split("\n", MAX_LINES - len(lines))
        lines[-1].append(run_html(name, first))
        lines.extend([run_html(name, part)] for part in others)
    return [finish_code("".join(parts)) for parts in lines]


def _marked_range(start: int, count: int, line: int | None, end_line: int | None) -> range:
    """Return the numbers from `line` to `end_line` that lie inside the snippet."""
    if line is None:
        return range(0)
    last = max(line, end_line or line)
    return range(max(line, start), min(last, start + count - 1) + 1)


def render_snippet(
    code: str,
    *,
    start_line: int,
    line: int | None,
    end_line: int | None,
    language: str | None,
    context: int = CONTEXT,
) -> Snippet:
    r"""Return `code`, whose first line has the number `start_line`, as lines of HTML.

    Lines from `line` to `end_line` (`line` alone if there is none) are marked; those within `context` lines of a
    marked one are near. Where nothing is marked, or the whole has at most 2 * `context` + 1 lines, all are near. Each
    line's HTML stands for itself, and the text contents joined by "\n" are `code`. After MAX_LINES, no more are told
    apart.
    """
    htmls = _line_htmls(code, language)
    marked = _marked_range(start_line, len(htmls), line, end_line)
    numbers = range(start_line, start_line + len(htmls))
    near = range(marked.start - context, marked.stop + context)
    if not marked or len(htmls) <= 2 * context + 1:
        near = numbers
    lines = tuple(
        SnippetLine(number=number, html=html, marked=number in marked, near=number in near)
        for number, html in zip(numbers, htmls, strict=True)
    )
    return Snippet(lines=lines, has_far=not all(each.near for each in lines))
