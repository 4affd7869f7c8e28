"""Web pages: the excerpt of source around a throw site, line numbers and code as two columns of one table."""

from collections.abc import Iterable

from pydantic import BaseModel

from errorkb.core.documents import Snippet, Source
from errorkb.core.rendering import SnippetLine, render_snippet, unfold_code
from errorkb.models import Sighting

# What line numbers are anchored by: an entry's page may have a second excerpt, of the release its words are about.
LINE_ANCHOR = "L"
EARLIER_LINE_ANCHOR = "W"


class Excerpt(BaseModel):
    """Two columns of HTML, joined here rather than in a template: a snippet may have a hundred thousand lines."""

    numbers: str
    listing: str
    line_count: int
    near_count: int


def render_excerpt(source: Source, snippet: Snippet, *, anchor: str = LINE_ANCHOR) -> Excerpt:
    """Return a document's snippet with the throwing lines marked; lines far from them get the class `far`."""
    code = unfold_code(snippet.code)
    return _excerpt(code, snippet.start_line, (source.line, source.end_line), source.language, anchor)


def render_sighting(sighting: Sighting, language: str) -> Excerpt | None:
    """Return the lines that a scan saw, as `render_excerpt` does; None where it kept none."""
    if not sighting.snippet:
        return None
    code, start = sighting.snippet["code"], sighting.snippet["start_line"]
    return _excerpt(code, start, (sighting.line, sighting.end_line), language, LINE_ANCHOR)


def _excerpt(
    code: str, start_line: int, marked: tuple[int | None, int | None], language: str | None, anchor: str
) -> Excerpt:
    rendered = render_snippet(code, start_line=start_line, line=marked[0], end_line=marked[1], language=language)
    lines = rendered.lines
    return Excerpt(
        numbers="".join(_number(line, anchor) for line in lines),
        listing="".join(map(_code, lines)),
        line_count=len(lines),
        near_count=sum(line.near for line in lines),
    )


def _number(line: SnippetLine, anchor: str) -> str:
    name = f"{anchor}{line.number}"
    return f'<a id="{name}" href="#{name}"{_classes(line)}>{line.number}\n</a>'


def _code(line: SnippetLine) -> str:
    return f'<span{_classes(line, "line")} data-line="{line.number}">{line.html}\n</span>'


def _classes(line: SnippetLine, *always: str) -> str:
    names: Iterable[str] = (*always, *(["thrown"] if line.marked else []), *([] if line.near else ["far"]))
    joined = " ".join(names)
    return f' class="{joined}"' if joined else ""
