"""Admin, forms: one form field for each kind of leaf; what a browser does to line breaks is no change."""

from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

from django import forms

from errorkb.admin.forms.boxes import ChoiceBox, LineBox, TextBox
from errorkb.admin.forms.labels import CODE, LONG, MARKDOWN, NOTES, label_of
from errorkb.admin.forms.shapes import Leaf

NOT_STATED = "not stated"
_TRUTHS = {"true": True, "false": False}
_LINE_LENGTH = 80
_MOST_LINES = 24


def unix_lines(text: str) -> str:
    """Return a text with line breaks of one kind: browsers send their own."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class TextField(forms.CharField):
    """A text, verbatim: not stripped; `empty_value` is what an emptied text becomes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(strip=False, required=False, **options)

    def to_python(self, value: Any) -> str:
        return unix_lines(value or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data is not None and unix_lines(data) != unix_lines(initial or "")


class LinesField(TextField):
    """A list of texts, one a line; blank lines and blanks around a line do not count."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return _lines_of(value)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), data)

    def holds(self, value: Any) -> bool:
        """Say whether a value comes out of the box as it went in; texts of several lines would not."""
        texts = value if isinstance(value, list) else [value] if value else []
        return _lines_of(self.prepare_value(value)) == texts

    def validate(self, value: Any) -> None:
        return

    def run_validators(self, value: Any) -> None:
        return


class NamesField(LinesField):
    """A text on one line, or a list of texts, one a line."""

    def to_python(self, value: Any) -> Any:
        lines = _lines_of(value)
        return lines[0] if len(lines) == 1 else lines


def _lines_of(text: str | None) -> list[str]:
    return [line.strip() for line in unix_lines(text or "").split("\n") if line.strip()]


class NumberField(forms.IntegerField):
    """A whole number."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data is not None and super().has_changed(initial, data)


class WordField(forms.ChoiceField):
    """One of a few words, or none."""

    widget = ChoiceBox

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, **options)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return data is not None and super().has_changed(self.prepare_value(initial), data)


class TruthField(WordField):
    """Yes, no, or not stated."""

    def prepare_value(self, value: Any) -> Any:
        return next((word for word, truth in _TRUTHS.items() if truth is value), value)

    def clean(self, value: Any) -> Any:
        return _TRUTHS.get(super().clean(value))


def leaf_field(leaf: Leaf, value: Any) -> forms.Field:
    """Return the form field of a leaf; `value` is what the document has, None where it has nothing."""
    kind = get_origin(leaf.annotation) or leaf.annotation
    return _FIELDS[kind](leaf, value)


def _options(leaf: Leaf) -> dict[str, Any]:
    return {"label": label_of(leaf.place), "help_text": NOTES.get(leaf.place, "")}


def _text(leaf: Leaf, value: str | None) -> forms.Field:
    return TextField(widget=_text_widget(leaf, value or ""), **_options(leaf))


def _text_widget(leaf: Leaf, value: str) -> forms.Widget:
    """Return a box of several lines where the text needs it: one of one line would lose line breaks."""
    if leaf.place in CODE:
        return _lines_widget(value, least=4, **{"class": "code", "spellcheck": "false"})
    if leaf.place in MARKDOWN:
        return _lines_widget(value, least=3, **{"data-markdown": ""})
    if leaf.place in LONG or "\n" in value or "\r" in value:
        return _lines_widget(value, least=1)
    return LineBox()


def _lines_widget(value: str, *, least: int, **attributes: str) -> forms.Widget:
    lines = sum(1 + len(line) // _LINE_LENGTH for line in value[: _MOST_LINES * _LINE_LENGTH].split("\n"))
    return TextBox({"rows": min(max(lines, least), _MOST_LINES), **attributes})


def _lines(field: type[LinesField]) -> Callable[[Leaf, Any], forms.Field]:
    def make(leaf: Leaf, value: Any) -> forms.Field:
        shown = "\n".join(value) if isinstance(value, list) else value or ""
        return field(widget=_lines_widget(shown, least=2), **_options(leaf))

    return make


def _number(leaf: Leaf, _value: int | None) -> forms.Field:
    return NumberField(widget=LineBox({"inputmode": "numeric", "class": "number"}), **_options(leaf))


def _choice(leaf: Leaf, _value: Any) -> forms.Field:
    words = [(word, word.replace("_", " ")) for word in get_args(leaf.annotation)]
    return WordField(choices=[("", NOT_STATED), *words], **_options(leaf))


def _truth(leaf: Leaf, _value: bool | None) -> forms.Field:
    return TruthField(choices=[("", NOT_STATED), ("true", "yes"), ("false", "no")], **_options(leaf))


# One form field for each kind of annotation that leaves have.
_FIELDS: dict[Any, Callable[[Leaf, Any], forms.Field]] = {
    str: _text,
    int: _number,
    bool: _truth,
    get_origin(Literal[""]): _choice,
    list: _lines(LinesField),
    get_origin(str | list[str]): _lines(NamesField),
}
