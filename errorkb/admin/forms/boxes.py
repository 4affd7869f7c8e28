"""Admin, forms: the boxes of leaves as HTML, made without templates: a document may have two thousand of them."""

from typing import Any

from django import forms
from django.forms.renderers import BaseRenderer
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

Attributes = dict[str, Any] | None


class LineBox(forms.TextInput):
    """A text on one line."""

    def render(
        self, name: str, value: Any, attrs: Attributes = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        shown = {"type": "text", "name": name, "value": "" if value is None else str(value)}
        return format_html("<input{}>", flatatt(shown | self.build_attrs(self.attrs, attrs)))


class TextBox(forms.Textarea):
    """A text on several lines; browsers drop the line break that it begins with."""

    def __init__(self, attrs: Attributes = None) -> None:
        super().__init__(attrs)
        self.attrs.pop("cols", None)

    def render(
        self, name: str, value: Any, attrs: Attributes = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        shown = flatatt({"name": name} | self.build_attrs(self.attrs, attrs))
        return format_html("<textarea{}>\n{}</textarea>", shown, "" if value is None else str(value))


class ChoiceBox(forms.Select):
    """One of a few words."""

    def render(
        self, name: str, value: Any, attrs: Attributes = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        chosen = "" if value is None else str(value)
        options = ((word, " selected" if word == chosen else "", label) for word, label in self.choices)
        shown = flatatt({"name": name} | self.build_attrs(self.attrs, attrs))
        inner = format_html_join("", '<option value="{}"{}>{}</option>', options)
        return format_html("<select{}>{}</select>", shown, inner)


class PlaceBox(LineBox):
    """The place of a row among the others."""

    def __init__(self, attrs: Attributes = None) -> None:
        super().__init__({"inputmode": "numeric"} | (attrs or {}))


class TickBox(forms.CheckboxInput):
    """Whether a row goes."""

    def render(
        self, name: str, value: Any, attrs: Attributes = None, renderer: BaseRenderer | None = None
    ) -> SafeString:
        shown = {"type": "checkbox", "name": name, "checked": bool(self.check_test(value))}
        return format_html("<input{}>", flatatt(shown | self.build_attrs(self.attrs, attrs)))
