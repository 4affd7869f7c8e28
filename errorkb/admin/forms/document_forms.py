"""Admin, forms: the form of one document: its parts, why it is changed, and which state was read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from errorkb.admin.forms.budgets import Budget
from errorkb.admin.forms.labels import MARKDOWN, SECTIONS
from errorkb.admin.forms.part_forms import PartForm, RowForms
from errorkb.admin.forms.shapes import document_shape
from errorkb.admin.forms.shown_members import Shown, ShownLeaf, shown_member
from errorkb.core.documents import Document
from errorkb.core.problems import Problem

PREFIX = "doc"
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+)\]")
# Some checks of a whole document begin with the field that they are about.
_NAMED_PROBLEM = re.compile(r"(?P<place>[a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)*): (?P<text>.+)", re.DOTALL)


class SaveForm(forms.Form):
    """Why a document is changed, which state of it was read, and which newer one has been seen since."""

    reason = forms.CharField(
        label="Why do you change this?",
        max_length=2_000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "Why do you change this?"}),
        error_messages={"required": "Say why you change this; it is kept with the change."},
    )
    read_hash = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    seen_hash = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


@dataclass(frozen=True)
class ShownSection:
    """A part of the page: its heading, and what stands below it."""

    title: str
    anchor: str
    members: list[Shown]

    @property
    def is_titled_by_its_list(self) -> bool:
        """Say whether the section is one list, whose name the heading has already."""
        return len(self.members) == 1


@dataclass(frozen=True)
class Fault:
    """Something that was refused: what it stands in, where on the page that is, and what is wrong."""

    label: str
    anchor: str
    text: str

    @property
    def field(self) -> str:
        """Return the top-level field of the document that it is in."""
        return self.anchor.split("-")[1]


class DocumentForm:
    """The form of a document of one kind, opened on `base`; bound where there is `data`.

    A document without a hash is a new one. Why it is changed is asked only where it `is_saved`.
    """

    def __init__(
        self,
        model: type[Document],
        base: dict[str, Any],
        base_hash: str,
        data: QueryDict | None = None,
        *,
        editable: bool = True,
        is_saved: bool = False,
    ) -> None:
        self.base = base
        self._sections = SECTIONS[model.NAME]
        shape = document_shape(model, is_new=not base_hash)
        self.part = PartForm(data, shape=shape, base=base, budget=Budget(editable=editable), prefix=PREFIX)
        self.save = SaveForm(data) if is_saved else SaveForm(initial=_typed(data) or {"read_hash": base_hash})
        self.problems: list[str] = []

    def sections(self) -> Iterator[ShownSection]:
        """Yield the page's sections."""
        members = {member.name: member for member in self.part.shape.members}
        for section in self._sections:
            shown = [shown_member(self.part, members[name]) for name in section.fields if name in members]
            yield ShownSection(section.title, section.anchor, shown)

    def built(self) -> dict[str, Any]:
        """Return the document that the form now says; call after `part.is_valid()`."""
        built: dict[str, Any] = self.part.built()
        return built

    def add_blank_rows(self) -> None:
        """Let every list end with a blank row again."""
        for rows in list(_lists(self.part)):
            rows.add_blank()

    def place(self, problems: Iterable[Problem]) -> None:
        """Show what is wrong with the document at the fields where it is wrong, else on top."""
        for problem in problems:
            self._place(_about_a_field(problem))

    def texts_in_markdown(self) -> Iterator[tuple[str, str, str]]:
        """Yield label, box and text of everything that is read as Markdown, as it now stands in the form."""
        for form in _forms(self.part):
            for member in (*form.shown(), *form.folded()):
                if isinstance(member, ShownLeaf) and member.leaf.place in MARKDOWN and member.box.value():
                    yield _whole_label(member.box.html_name), member.box.id_for_label, str(member.box.value())

    def faults(self) -> Iterator[Fault]:
        """Yield what was refused, in the page's order."""
        fields = [name for section in self._sections for name in section.fields]
        yield from sorted(_faults(self.part), key=lambda fault: fields.index(fault.field))
        for text in self.save.errors.get("reason", []):
            yield Fault("Reason", self.save["reason"].id_for_label, str(text))

    def has_errors(self) -> bool:
        """Say whether anything was refused."""
        return bool(self.problems) or any(True for _ in self.faults())

    def _place(self, problem: Problem) -> None:
        form: PartForm | RowForms = self.part
        for step in _steps(problem.path):
            if isinstance(form, PartForm) and step in form.fields:
                form.add_error(str(step), problem.text)
                return
            inner = _inner(form, step)
            if inner is None:
                self._refuse(form, str(problem))
                return
            form = inner
        self._refuse(form, problem.text)

    def _refuse(self, form: PartForm | RowForms, text: str) -> None:
        """Say what is wrong with an object or a list as a whole; of the whole document, on top."""
        if form is self.part:
            self.problems.append(text)
        elif isinstance(form, PartForm):
            form.add_error(None, text)
        else:
            form.non_form_errors().append(text)


def _typed(data: QueryDict | None) -> dict[str, str]:
    return {name: data.get(name, "") for name in SaveForm.base_fields} if data is not None else {}


def _whole_label(name: str) -> str:
    """Return what a box is called by itself: `doc-solutions-0-text` gives `Solutions 1 text`."""
    words = (str(int(step) + 1) if step.isdigit() else step.replace("_", " ") for step in name.split("-")[1:])
    return " ".join(words).capitalize()


def _steps(path: str) -> Iterator[str | int]:
    """Yield the steps of a JSON path as far as they are plain: `$.solutions[2].text` gives solutions, 2, text."""
    for match in _STEP.finditer(path):
        yield match["name"] or int(match["index"])


def _about_a_field(problem: Problem) -> Problem:
    named = _NAMED_PROBLEM.fullmatch(problem.text) if problem.path == "$" else None
    return Problem(f"$.{named['place']}", named["text"]) if named else problem


def _inner(form: PartForm | RowForms, step: str | int) -> PartForm | RowForms | None:
    """Return the form of a step further inside, None where there is none."""
    if isinstance(form, RowForms):
        return form.row_at(step) if isinstance(step, int) else None
    return form.children.get(str(step))


def _forms(form: PartForm) -> Iterator[PartForm]:
    yield form
    for child in form.children.values():
        for inner in child.rows if isinstance(child, RowForms) else [child]:
            yield from _forms(inner)


def _faults(form: PartForm) -> Iterator[Fault]:
    """Yield what is wrong in a form and in those inside it, at the box, or else at the object or the list."""
    for name, texts in form.errors.items():
        place = str(form.add_prefix(name)) if name in form.fields else str(form.prefix)
        anchor = form[name].id_for_label if name in form.fields else place
        yield Fault(_whole_label(place), anchor, " ".join(map(str, texts)))
    for child in form.children.values():
        if isinstance(child, PartForm):
            yield from _faults(child)
            continue
        place = str(child.prefix)
        for text in child.non_form_errors():
            yield Fault(_whole_label(place), place, str(text))
        for row in child.rows:
            yield from _faults(row)


def _lists(form: PartForm) -> Iterator[RowForms]:
    for inner in _forms(form):
        yield from (child for child in inner.children.values() if isinstance(child, RowForms))
