"""Core, rendering: make characters that nobody sees visible and harmless in finished HTML."""

import re
import unicodedata
from html import escape

# What HTML cannot hold: NUL is dropped by browsers, a lone surrogate cannot be encoded at all.
_UNREPRESENTABLE = re.compile("[\x00\ud800-\udfff]")

_C0_NAMES = (
    "NULL",
    "START OF HEADING",
    "START OF TEXT",
    "END OF TEXT",
    "END OF TRANSMISSION",
    "ENQUIRY",
    "ACKNOWLEDGE",
    "ALERT",
    "BACKSPACE",
    "CHARACTER TABULATION",
    "LINE FEED",
    "LINE TABULATION",
    "FORM FEED",
    "CARRIAGE RETURN",
    "SHIFT OUT",
    "SHIFT IN",
    "DATA LINK ESCAPE",
    "DEVICE CONTROL ONE",
    "DEVICE CONTROL TWO",
    "DEVICE CONTROL THREE",
    "DEVICE CONTROL FOUR",
    "NEGATIVE ACKNOWLEDGE",
    "SYNCHRONOUS IDLE",
    "END OF TRANSMISSION BLOCK",
    "CANCEL",
    "END OF MEDIUM",
    "SUBSTITUTE",
    "ESCAPE",
    "INFORMATION SEPARATOR FOUR",
    "INFORMATION SEPARATOR THREE",
    "INFORMATION SEPARATOR TWO",
    "INFORMATION SEPARATOR ONE",
)

_EXPOSED_RANGES = (
    (0x01, 0x08),  # C0 without tab and newline
    (0x0B, 0x0C),
    (0x0E, 0x1F),  # … and without carriage return
    (0x7F, 0x9F),  # DELETE and C1
    (0x061C, 0x061C),  # ARABIC LETTER MARK
    (0x180E, 0x180E),  # MONGOLIAN VOWEL SEPARATOR
    (0x200E, 0x200F),  # LEFT-TO-RIGHT MARK, RIGHT-TO-LEFT MARK
    (0x202A, 0x202E),  # bidirectional embeddings and overrides
    (0x2061, 0x2064),  # invisible operators
    (0x2066, 0x206F),  # bidirectional isolates, deprecated format characters
    (0xFFF9, 0xFFFB),  # interlinear annotation
    (0x1D173, 0x1D17A),  # musical format characters
    (0xE0001, 0xE007F),  # tags, in which whole sentences can hide
)

EXPOSED_CHARACTERS = frozenset(chr(code) for first, last in _EXPOSED_RANGES for code in range(first, last + 1))
"""Every character that `expose_controls` marks."""

MAX_NAMED = 10_000
"""How many marks in one text carry a title; if there are more, none does, or a hostile text would grow sixtyfold."""

_FIND_CONTROL = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _EXPOSED_RANGES) + "]")
# The quantifiers are possessive: a tag that is never closed must not be tried twice.
_TAG = re.compile(r'(<[^<>"]*+(?:"[^"]*+"[^<>"]*+)*+>)')


def _name(character: str) -> str:
    """Return the Unicode name of `character`; `unicodedata` has none for C0 and C1."""
    code = ord(character)
    known = _C0_NAMES[code] if code < len(_C0_NAMES) else "DELETE" if code == 0x7F else "CONTROL CHARACTER"
    return unicodedata.name(character, known)


def _mark(character: str, *, named: bool) -> str:
    title = f' title="U+{ord(character):04X} {_name(character)}"' if named else ""
    return f'<bdi class="ctrl"{title}>{character}</bdi>'


def expose_controls(html: str) -> str:
    """Wrap each invisible control character in the text of `html` so that it is seen and does no harm.

    Bidirectional controls, C0 and C1 controls except tab, newline and carriage return, and other invisible format
    characters each stand in a `<bdi class="ctrl" title="U+202E RIGHT-TO-LEFT OVERRIDE">` of their own afterwards: an
    isolate, so that the text around it keeps its order (Unicode Standard Annex 9,
    https://www.unicode.org/reports/tr9/). The characters stay in the text. Zero-width joiners and spaces are left
    alone, and so is what stands inside tags.

    `html` is well-formed HTML whose attributes are double-quoted; the work is linear in its length.
    """
    if not _FIND_CONTROL.search(html):
        return html
    present = EXPOSED_CHARACTERS.intersection(html)
    named = sum(map(html.count, present)) <= MAX_NAMED
    marks = {ord(character): _mark(character, named=named) for character in present}
    parts = _TAG.split(html)  # text and tags by turns
    parts[::2] = [text.translate(marks) for text in parts[::2]]
    return "".join(parts)


def replace_unrepresentable(text: str) -> str:
    """Return `text` with U+FFFD for every NUL and lone surrogate, which no HTML page can hold."""
    return _UNREPRESENTABLE.sub("\ufffd", text)


def escape_text(text: str) -> str:
    """Return `text` as the content of an element: escaped, quotes left as they are, controls not yet exposed."""
    return escape(replace_unrepresentable(text), quote=False)


def render_plain(text: str) -> str:
    """Return `text` as HTML without any markup of its own: escaped, invisible controls exposed."""
    return expose_controls(escape_text(text))
