"""How the tests use the admin: pages read and forms filled in and sent as a browser without scripts does."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.test import Client


class _FormParser(HTMLParser):
    """Collects what a browser would send of the forms of a page, by the form's id."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: dict[str, list[tuple[str, str]]] = {}
        self.form = ""
        self.select = ""
        self.chosen: str | None = None
        self.options: list[str] = []
        self.area: str | None = None
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs) -> None:
        values = {name: value if value is not None else "" for name, value in attrs}
        if tag == "form":
            self.form = values.get("id") or values.get("class", "")
            self.forms[self.form] = []
        elif tag == "input" and values.get("name"):
            self._input(values)
        elif tag == "textarea":
            self.area, self.text = values["name"], ""
        elif tag == "select":
            self.select, self.options, self.chosen = values["name"], [], None
        elif tag == "option":
            self.options.append(values.get("value", ""))
            self.chosen = values.get("value", "") if "selected" in values else self.chosen

    def _input(self, values) -> None:
        kind = values.get("type", "text")
        if kind in ("submit", "button") or (kind == "checkbox" and "checked" not in values):
            return
        value = values.get("value", "on" if kind == "checkbox" else "")
        self._put(values["name"], value.replace("\n", "").replace("\r", "") if kind == "text" else value)

    def handle_endtag(self, tag) -> None:
        if tag == "textarea" and self.area is not None:
            text = self.text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\n")
            self._put(self.area, text.replace("\n", "\r\n"))
            self.area = None
        elif tag == "select":
            self._put(self.select, self.options[0] if self.chosen is None else self.chosen)
        elif tag == "form":
            self.form = ""

    def handle_data(self, data) -> None:
        if self.area is not None:
            self.text += data

    def _put(self, name, value) -> None:
        if self.form:
            self.forms[self.form].append((name, value))


@dataclass
class FilledForm:
    """A form of a page: its fields as the browser got them, to be changed and sent."""

    client: Client
    address: str
    fields: dict[str, str]
    html: str = field(repr=False)

    def fill(self, **values: str) -> "FilledForm":
        """Type into boxes; `doc__solutions__0__text` is `doc-solutions-0-text`. They must be there."""
        named = {name.replace("__", "-"): value for name, value in values.items()}
        assert not set(named) - set(self.fields), set(named) - set(self.fields)
        self.fields |= named
        return self

    def tick(self, *names: str) -> "FilledForm":
        for name in names:
            assert f'name="{name}"' in self.html, name
            self.fields[name] = "on"
        return self

    def send(self, button: str = "_continue"):
        return self.client.post(self.address, self.fields | {button: ""})


def opened_form(client: Client, address: str, form: str = "document-form") -> FilledForm:
    """Open the page of a form."""
    response = client.get(address)
    assert response.status_code == 200, response.status_code
    return form_of(client, address, response, form)


def form_of(client: Client, address: str, response, form: str = "document-form") -> FilledForm:
    """Return the form of a page that was answered."""
    html = response.content.decode()
    return FilledForm(client, address, dict(_FormParser(html).forms[form]), html)
