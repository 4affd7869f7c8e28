"""Core, rendering: what may stand inside a paragraph — code, emphasis, links — read in one pass.

The `markdown` package's own inline patterns are not used: they mark what they have found with characters that the
text may contain as well, start again at every bracket (quadratic on `[[[[`), and decode entities. The grammar follows
CommonMark 0.31 (https://spec.commonmark.org/0.31.2/#inlines), except that text which looks like code stays as it
was written: underscores and tags are never syntax, asterisks seldom (see `emphasis`), a backslash only escapes what
could be syntax, and a link that may not be followed is shown in full.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from html import escape

from errorkb.core.rendering.emphasis import StarRun, pair_stars, read_star_run
from errorkb.core.rendering.links import link_address, trim_bare_address

_TOKEN = re.compile(
    r"""
      \\(?P<escaped>[`*_\[\]<>]|!(?=\[))
    | ^\\(?P<bullet>[-+\#]) | ^(?P<number>[0-9]{1,9})\\(?=[.)][ ])
    | (?P<ticks>`+)
    | (?P<stars>\*+)
    | (?P<opening>!?\[)
    | (?P<closing>\])
    | <(?P<angled>(?:https?://|mailto:)[^\s<>]+)>
    | (?<![A-Za-z0-9])(?P<bare>https?://[^\s<>"`\\^{|}\[\]\u2010-\u27bf\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef]+)
    | (?<=[ ]{2})(?P<break>\n)
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_TICKS = re.compile("`+")
# Parentheses in an address may nest once. The quantifiers are possessive: a failure costs one look, not many.
_ADDRESS_PART = r"(?: [^\s()<>\\] | \\\S )*+"
_LINK_TAIL = re.compile(
    rf"""\(\s*+
    (?: <(?P<angled>[^<>\n]*)> | (?P<plain>{_ADDRESS_PART} (?: \({_ADDRESS_PART}\) {_ADDRESS_PART} )*+) )
    (?: \s++ (?: "(?P<double>[^"]*+)" | '(?P<single>[^']*+)' ) )? \s*+ \)""",
    re.VERBOSE,
)


class _Reader:
    """Reads one text from left to right into pieces of HTML; links and emphasis are settled at their end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.stars: list[StarRun] = []
        self.brackets: list[int] = []  # pieces that may open a link
        self.addresses: list[int] = []  # pieces that are a bare address, which is no link inside another
        self.ticks: dict[int, list[int]] = {}  # where the runs of backticks stand, by length; filled when needed

    def read(self) -> str:
        position = 0
        while match := _TOKEN.search(self.text, position):
            self.pieces.append(escape(self.text[position : match.start()], quote=False))
            position = _READ[str(match.lastgroup)](self, match)
        self.pieces.append(escape(self.text[position:], quote=False))
        pair_stars(self.stars, self.pieces)
        return "".join(self.pieces)

    def read_literal(self, match: re.Match[str]) -> int:
        """Add the character after a backslash, which is thereby no syntax."""
        self.pieces.append(escape(match[str(match.lastgroup)], quote=False))
        return match.end()

    def read_break(self, match: re.Match[str]) -> int:
        self.pieces.append("<br>\n")
        return match.end()

    def read_code(self, match: re.Match[str]) -> int:
        closing = self._closing_ticks(match)
        if closing is None:
            self.pieces.append(match[0])
            return match.end()
        code = self.text[match.end() : closing].replace("\n", " ")
        if len(code) > 2 and code[0] == code[-1] == " " and code.strip(" "):
            code = code[1:-1]
        self.pieces.append(f"<code>{escape(code, quote=False)}</code>")
        return closing + len(match[0])

    def _closing_ticks(self, match: re.Match[str]) -> int | None:
        """Return where the next run of as many backticks starts."""
        if not self.ticks:
            self.ticks = defaultdict(list)
            for run in _TICKS.finditer(self.text):
                self.ticks[len(run[0])].append(run.start())
        starts = self.ticks[len(match[0])]
        place = bisect_left(starts, match.end())
        return starts[place] if place < len(starts) else None

    def read_stars(self, match: re.Match[str]) -> int:
        self.stars.append(read_star_run(self.text, match.start(), match.end(), len(self.pieces)))
        self.pieces.append(match[0])
        return match.end()

    def read_address(self, match: re.Match[str]) -> int:
        """Add a link to an address that stands for itself, bare or in angle brackets."""
        angled = match.lastgroup == "angled"
        shown = match["angled"] if angled else trim_bare_address(match["bare"])
        url = link_address(shown)
        if url is None:
            self.pieces.append(escape(match[0], quote=False))
            return match.end()
        self.addresses.append(len(self.pieces))
        self.pieces.append(_link(url, escape(shown, quote=False)))
        return match.end() if angled else match.start() + len(shown)

    def read_opening(self, match: re.Match[str]) -> int:
        self.brackets.append(len(self.pieces))
        self.pieces.append(match[0])
        return match.end()

    def read_closing(self, match: re.Match[str]) -> int:
        """Make a link of all since the bracket that opened last, if an address that may be followed comes next."""
        opening = self.brackets.pop() if self.brackets else None
        tail = _LINK_TAIL.match(self.text, match.end()) if opening is not None else None
        url = link_address(tail["angled"] or tail["plain"] or "") if tail else None
        if opening is None or tail is None or url is None:
            self.pieces.append("]")
            return match.end()
        self._close_link(opening, url, tail["double"] or tail["single"] or "")
        return tail.end()

    def _close_link(self, opening: int, url: str, title: str) -> None:
        """Replace the pieces since `opening` by one link; images are links as well, for nothing is loaded."""
        self._settle(opening)
        label = "".join(self.pieces[opening + 1 :])
        del self.pieces[opening:]
        self.pieces.append(_link(url, label if label.strip() else escape(url, quote=False), title))
        self.brackets.clear()  # a link holds no link

    def _settle(self, opening: int) -> None:
        """Pair the asterisks since `opening` among themselves, and make addresses there mere text."""
        first = len(self.stars)
        while first and self.stars[first - 1].piece > opening:
            first -= 1
        pair_stars(self.stars[first:], self.pieces)
        del self.stars[first:]
        while self.addresses and self.addresses[-1] > opening:
            piece = self.addresses.pop()
            self.pieces[piece] = self.pieces[piece].removesuffix("</a>").partition(">")[2]


_READ: dict[str, Callable[[_Reader, re.Match[str]], int]] = {
    "escaped": _Reader.read_literal,
    "bullet": _Reader.read_literal,
    "number": _Reader.read_literal,
    "break": _Reader.read_break,
    "ticks": _Reader.read_code,
    "stars": _Reader.read_stars,
    "angled": _Reader.read_address,
    "bare": _Reader.read_address,
    "opening": _Reader.read_opening,
    "closing": _Reader.read_closing,
}


def _link(url: str, label: str, title: str = "") -> str:
    shown_title = f' title="{escape(title)}"' if title else ""
    return f'<a href="{escape(url)}"{shown_title}>{label}</a>'


def render_spans(text: str) -> str:
    """Return `text`, the content of a paragraph, heading, item or cell, as HTML that is still to be sanitized.

    The text content of the result is `text` without its syntax: backticks of code, asterisks of emphasis, brackets
    and addresses of links, backslashes of escapes. The work is linear in the length of `text`.
    """
    return _Reader(text).read()
