"""Core, rendering: untrusted prose and code as HTML that is safe to put on a page, and loses nothing."""

from errorkb.core.rendering.code import render_code
from errorkb.core.rendering.controls import expose_controls, render_plain
from errorkb.core.rendering.folded_code import unfold_code
from errorkb.core.rendering.highlighting import TOKEN_CLASSES
from errorkb.core.rendering.markdown_text import render_inline, render_markdown
from errorkb.core.rendering.parse_problems import parse_problem
from errorkb.core.rendering.plain_text import plain_text
from errorkb.core.rendering.snippets import Snippet, SnippetLine, render_snippet

RENDERER_VERSION = 1
"""Part of every cache key: raise it whenever anything here, or a pin of markdown, Pygments or nh3, changes output."""

__all__ = [
    "RENDERER_VERSION",
    "TOKEN_CLASSES",
    "Snippet",
    "SnippetLine",
    "expose_controls",
    "parse_problem",
    "plain_text",
    "render_code",
    "render_inline",
    "render_markdown",
    "render_plain",
    "render_snippet",
    "unfold_code",
]
