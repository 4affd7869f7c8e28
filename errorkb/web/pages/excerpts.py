"""Web pages: the excerpt of source around a throw site, line numbers and code as two columns of one table."""

from collections.abc import Iterable

from pydantic import BaseModel

from errorkb.core.documents import Snippet, Source
from errorkb.core.rendering import SnippetLine, render_snippet, unfold_code


class Excerpt(BaseModel):
    """Two columns of HTML, joined here rather than in a template: a snippet may have a hundred thousand lines."""

    numbers: str
    listing: str
    line_count: int
    near_count: int


def render_excerpt(source: Source, snippet: Snippet) -> Excerpt:
    """Return a snippet's lines with the throwing ones marked; lines far from them get the class `far`."""
    rendered = render_snippet(
        unfold_code(snippet.code),
        start_line=snippet.start_line,
        line=source.line,
        end_line=source.end_line,
        language=source.language,
    )
    lines = rendered.lines
    return Excerpt(
        numbers="".join(map(_number, lines)),
        listing="".join(map(_code, lines)),
        line_count=len(lines),
        near_count=sum(line.near for line in lines),
    )


def _number(line: SnippetLine) -> str:
    return f'<a id="L{line.number}" href="#L{line.number}"{_classes(line)}>{line.number}\n</a>'


def _code(line: SnippetLine) -> str:
    return f'<span{_classes(line, "line")} data-line="{line.number}">{line.html}\n</span>'


def _classes(line: SnippetLine, *always: str) -> str:
    names: Iterable[str] = (*always, *(["thrown"] if line.marked else []), *([] if line.near else ["far"]))
    joined = " ".join(names)
    return f' class="{joined}"' if joined else ""
