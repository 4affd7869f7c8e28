"""How the tests read a page: as a browser does, by its text, links, anchors and attributes."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"br", "circle", "hr", "input", "link", "meta", "path"})


@dataclass
class Element:
    """An element that was opened: its tag, its attributes, and the text inside it."""

    tag: str
    attributes: dict[str, str]
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


class Page(HTMLParser):
    """A parsed page. `broken` says what was closed without being open, or was left open."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.elements: list[Element] = []
        self.broken: list[str] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        self.broken += [element.tag for element in self._open]

    def handle_starttag(self, tag: str, attrs) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open[-1].tag != tag:
            self.broken.append(f"/{tag}")
            return
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.parts.append(data)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if element.tag == tag and all(element.attributes.get(name) == value for name, value in wanted.items())
        ]

    def one(self, tag: str, **attributes: str) -> Element:
        found = self.all(tag, **attributes)
        assert len(found) == 1, f"{len(found)} of <{tag} {attributes}>"
        return found[0]

    def by_id(self, value: str) -> Element:
        return next(element for element in self.elements if element.attributes.get("id") == value)

    @property
    def text(self) -> str:
        """Return what can be read in the page's body, white space folded."""
        body = self.one("body")
        return " ".join(body.text.split())

    @property
    def text_as_shown(self) -> str:
        """Return what can be read in the page's body, white space as it is."""
        return self.one("body").text

    @property
    def links(self) -> dict[str, str]:
        """Return the address of each link by its text."""
        return {" ".join(link.text.split()): link.attributes.get("href", "") for link in self.all("a")}

    @property
    def ids(self) -> list[str]:
        return [element.attributes["id"] for element in self.elements if "id" in element.attributes]
