"""Reads rendered HTML as a browser would, for the tests of rendering."""

import re
from html.parser import HTMLParser

ALLOWED_TAGS = frozenset(
    {"p", "br", "hr", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th"}
    | {"td", "pre", "code", "span", "em", "strong", "a", "bdi"}
)
ALLOWED_ATTRIBUTES = {
    "a": {"href", "title", "rel"},
    "ol": {"start"},
    "pre": {"class"},
    "span": {"class"},
    "bdi": {"class", "title"},
}
_VOID = {"br", "hr"}
_ADDRESS = re.compile(r"(https?://|mailto:)", re.IGNORECASE)


class Page(HTMLParser):
    """The text, the tags with their attributes, and what is wrong with a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.faults: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.faults.extend(f"<{tag}> stays open" for tag in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.tags.append((tag, attributes))
        if tag not in ALLOWED_TAGS or not attributes.keys() <= ALLOWED_ATTRIBUTES.get(tag, set()):
            self.faults.append(f"<{tag} {attributes}>")
        if tag == "a" and not _ADDRESS.match(attributes.get("href", "")):
            self.faults.append(f"link to {attributes.get('href')!r}")
        if tag == "a" and "a" in self._open:
            self.faults.append("link in a link")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.faults.append(f"comment {data!r}")

    def handle_decl(self, decl: str) -> None:
        self.faults.append(f"declaration {decl!r}")

    def handle_pi(self, data: str) -> None:
        self.faults.append(f"instruction {data!r}")

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def everything(self) -> str:
        """The text and every attribute's value: all that a reader can get at."""
        return "\n".join([self.text, *(value for _, attributes in self.tags for value in attributes.values())])


def text_of(html: str) -> str:
    return Page(html).text


def faults_of(html: str) -> list[str]:
    return Page(html).faults
