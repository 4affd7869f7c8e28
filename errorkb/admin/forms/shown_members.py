"""Admin, forms: the members of a form as templates show them; each kind names its template."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from django.forms import BoundField
from django.forms.formsets import BaseFormSet

from errorkb.admin.forms.boxes import TextBox
from errorkb.admin.forms.labels import CODE, MARKDOWN, NOTES, ROOMY, label_of
from errorkb.admin.forms.shapes import Leaf, Member, Part
from errorkb.core.rendering.controls import EXPOSED_CHARACTERS

MOST_SHOWN = 20_000
SHORT = 60
_WORDS = {True: "yes", False: "no", None: "not stated"}


@dataclass(frozen=True)
class Kept:
    """A field that the form does not take: it stays as it is; `reason` says why in a sentence."""

    template: ClassVar[str] = "admin/errorkb/_kept.html"
    leaf: Leaf
    value: Any
    reason: str = ""

    @property
    def label(self) -> str:
        return label_of(self.leaf.place)

    @property
    def text(self) -> str:
        """Return the value to be read, cut where it is very long."""
        return self._whole()[:MOST_SHOWN]

    @property
    def left_out(self) -> int:
        """Return how many characters are not shown."""
        return max(0, len(self._whole()) - MOST_SHOWN)

    @property
    def is_short(self) -> bool:
        return len(self.text) < SHORT and "\n" not in self.text

    @property
    def is_empty(self) -> bool:
        return self.value in (None, "", [])

    @property
    def is_code(self) -> bool:
        return self.leaf.place in CODE

    def _whole(self) -> str:
        if isinstance(self.value, list):
            return "\n".join(self.value)
        return self.value if isinstance(self.value, str) else _in_words(self.value)


@dataclass(frozen=True)
class ShownLeaf:
    """A box to write in, or a choice."""

    template: ClassVar[str] = "admin/errorkb/_leaf.html"
    leaf: Leaf
    box: BoundField

    @property
    def is_markdown(self) -> bool:
        return self.leaf.place in MARKDOWN

    @property
    def is_wide(self) -> bool:
        return isinstance(self.box.field.widget, TextBox)

    @property
    def is_roomy(self) -> bool:
        return self.leaf.name in ROOMY

    @property
    def invisible(self) -> str:
        """Return which invisible characters the text holds, which no box shows: `U+202E`."""
        value = self.box.value()
        if not isinstance(value, str) or value.isascii():
            return ""
        return ", ".join(f"U+{ord(found):04X}" for found in sorted(EXPOSED_CHARACTERS & set(value)))


class MembersForm(Protocol):
    """A form of an object: its boxes by name, the fields that it does not take, the forms inside it."""

    @property
    def shape(self) -> Part: ...

    @property
    def kept(self) -> Mapping[str, Kept]: ...

    @property
    def children(self) -> Mapping[str, Any]: ...

    def __getitem__(self, name: str, /) -> BoundField: ...


@dataclass(frozen=True)
class ShownPart:
    """An object inside another, with what is wrong with it as a whole."""

    template: ClassVar[str] = "admin/errorkb/_part.html"
    place: str
    form: MembersForm

    @property
    def label(self) -> str:
        return label_of(self.place)

    @property
    def note(self) -> str:
        return NOTES.get(self.place, "")


@dataclass(frozen=True)
class ShownRows:
    """A list with its rows."""

    template: ClassVar[str] = "admin/errorkb/_rows.html"
    rows: "BaseFormSet[Any]"


Shown = Kept | ShownLeaf | ShownPart | ShownRows


def shown_members(form: MembersForm, is_wanted: Callable[[str], bool]) -> Iterator[Shown]:
    """Yield the members of a form whose names are wanted, in the document's order."""
    for member in form.shape.members:
        if is_wanted(member.name):
            yield shown_member(form, member)


def shown_member(form: MembersForm, member: Member) -> Shown:
    """Return one member of a form as the templates show it."""
    if member.name in form.kept:
        return form.kept[member.name]
    if isinstance(member, Leaf):
        return ShownLeaf(member, form[member.name])
    child = form.children[member.name]
    return ShownPart(member.place, child) if isinstance(member, Part) else ShownRows(child)


def item_in_words(item: Any, *, length: int = 300) -> str:
    """Return an item of a list on one line: `text: Upgrade · kind: upgrade`."""
    fields = item.items() if isinstance(item, dict) else [("", item)]
    words = (f"{name}: {_in_words(value)}".removeprefix(": ") for name, value in fields)
    line = " · ".join(words)
    return line if len(line) <= length else line[: length - 1] + "…"


def _in_words(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, list):
        return f"{len(value):,} rows"
    if isinstance(value, dict):
        return ", ".join(value)[:100]
    return str(value)[:500]
