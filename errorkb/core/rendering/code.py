"""Core, rendering: code for the inside of `<pre><code>`, nothing stripped, nothing added."""

from html import escape

from errorkb.core.rendering.controls import expose_controls, replace_unrepresentable
from errorkb.core.rendering.highlighting import highlight


def run_html(name: str, text: str) -> str:
    """Return one run of `highlight` as HTML, controls not yet exposed."""
    shown = escape(text, quote=False)
    return f'<span class="{name}">{shown}</span>' if name and text else shown


def code_html(code: str, language: str | None) -> str:
    """Return `code` highlighted, controls not yet exposed."""
    return "".join(run_html(name, text) for name, text in highlight(replace_unrepresentable(code), language))


def finish_code(html: str) -> str:
    """Expose the controls in highlighted code; a carriage return is spelled out, or a browser would change it."""
    return expose_controls(html.replace("\r", "&#13;"))


def render_code(code: str, language: str | None) -> str:
    """Return `code` as HTML for the inside of `<pre><code>`, highlighted if `language` is known.

    The text content equals `code` exactly, blank lines and spaces at either end included (NUL and lone surrogates,
    which HTML cannot hold, become U+FFFD). The only markup is `<span class=…>` with a class of TOKEN_CLASSES, and
    the marks of `expose_controls`; the bounds are those of `highlight`.
    """
    return finish_code(code_html(code, language))
