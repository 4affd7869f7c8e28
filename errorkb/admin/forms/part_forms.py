"""Admin, forms: an object of a document as a Django form, a list of objects as a formset, each within the other.

A form knows the value that it was opened on. What is not touched comes out of it verbatim: null and absent, texts that
stand for objects, fields that this version does not know, the order of keys.
"""

from collections.abc import Iterator
from typing import Any, cast

from django import forms
from django.forms.formsets import DELETION_FIELD_NAME, ORDERING_FIELD_NAME, BaseFormSet
from django.http import QueryDict

from errorkb.admin.forms.boxes import PlaceBox, TickBox
from errorkb.admin.forms.budgets import MOST_ADDED, Budget
from errorkb.admin.forms.fields import LinesField, leaf_field
from errorkb.admin.forms.labels import FOLDED, NOTES, article_of, label_of, singular_of
from errorkb.admin.forms.shapes import Leaf, Member, Part, Rows
from errorkb.admin.forms.shown_members import Kept, Shown, item_in_words, shown_members
from errorkb.core.differences import ABSENT

MOST_REST_SHOWN = 100
# A bound of Django's own; the budget's are lower.
MOST_ASKED = 10_000
_ROW_FIELDS = frozenset({ORDERING_FIELD_NAME, DELETION_FIELD_NAME})
_ONE_OF_BOTH = "Give either this or the others below, not both."


class PartForm(forms.Form):
    """One object of a document, with forms for the objects and lists inside it."""

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        shape: Part,
        base: Any,
        budget: Budget,
        **options: Any,
    ) -> None:
        self.shape, self.base = shape, base
        self.opened = _opened(shape, base)
        self._folded = FOLDED.get(shape.place, frozenset())
        self.kept: dict[str, Kept] = {}
        self.children: dict[str, PartForm | RowForms] = {}
        super().__init__(data, initial=self.opened, **options)
        for member in shape.members:
            self._add(member, budget)

    def _add(self, member: Member, budget: Budget) -> None:
        value = self.opened.get(member.name)
        if isinstance(member, Leaf):
            self._add_leaf(member, value, budget)
            return
        data = cast("QueryDict | None", self.data if self.is_bound else None)
        base, prefix = self.opened.get(member.name, ABSENT), self.add_prefix(member.name)
        if isinstance(member, Part):
            child: PartForm | RowForms = PartForm(data, shape=member, base=base, budget=budget, prefix=prefix)
        else:
            child = RowForms(data, shape=member, base=base, budget=budget, prefix=prefix)
        self.children[member.name] = child

    def _add_leaf(self, leaf: Leaf, value: Any, budget: Budget) -> None:
        field = leaf_field(leaf, value)
        if leaf.read_only or not budget.editable:
            self.kept[leaf.name] = Kept(leaf, value)
        elif not budget.takes(value):
            self.kept[leaf.name] = Kept(leaf, value, "Too long to be edited here; it stays as it is.")
        elif isinstance(field, LinesField) and not field.holds(value):
            self.kept[leaf.name] = Kept(leaf, value, "Some of these have several lines; they stay as they are.")
        else:
            self.fields[leaf.name] = field

    def clean(self) -> dict[str, Any]:
        """Refuse a text in the place of an object together with the object's fields."""
        if self.shape.exclusive and {self.shape.bare} < self._stated():
            self.add_error(self.shape.bare, _ONE_OF_BOTH)
        return self.cleaned_data

    def is_valid(self) -> bool:
        return all([super().is_valid(), *(child.is_valid() for child in self.children.values())])

    def touched(self) -> bool:
        """Say whether anything in here is not as it was."""
        if set(self.changed_data) - _ROW_FIELDS:
            return True
        return any(child.touched() for child in self.children.values())

    def built(self) -> Any:
        """Return the value that the form now says, ABSENT for none; call after `is_valid`."""
        if not self.touched():
            return self.base
        made = dict(self.opened)
        for member in self.shape.members:
            value = self._built(member)
            if value is ABSENT:
                made.pop(member.name, None)
            else:
                made[member.name] = value
        return self._closed(made)

    def shown(self) -> Iterator[Shown]:
        """Yield what the templates show first, in the document's order."""
        return shown_members(self, lambda name: name not in self._folded)

    def folded(self) -> list[Shown]:
        """Return what the templates show folded up."""
        return list(shown_members(self, self._folded.__contains__))

    def folded_labels(self) -> str:
        """Return what is folded up, in words."""
        return ", ".join(label_of(f"{self.shape.place}.{name}").lower() for name in sorted(self._folded))

    def is_folded(self) -> bool:
        """Say whether nothing is stated of what is folded up."""
        stated = set(self.opened) | set(self.errors) | set(self.changed_data)
        children = (child for name, child in self.children.items() if name in self._folded)
        return not stated & self._folded and not any(child.touched() for child in children)

    def is_blank(self) -> bool:
        """Say whether nothing is stated, and nothing was typed."""
        return not self.opened and not self.touched() and not self.errors

    @property
    def is_new(self) -> bool:
        """Say whether this is a row that the document does not have yet."""
        return self.empty_permitted

    def unknown_fields(self) -> list[str]:
        """Return the names of fields that a later version of the document has; they are kept."""
        return [name for name in self.opened if name not in {member.name for member in self.shape.members}]

    def _built(self, member: Member) -> Any:
        if member.name in self.children:
            return self.children[member.name].built()
        if member.name not in self.changed_data:
            return self.opened.get(member.name, ABSENT)
        value = self.cleaned_data[member.name]
        if value in (None, "", []) and member.place != "message":
            return ABSENT
        return value

    def _stated(self) -> set[str]:
        return {name for name, value in self.cleaned_data.items() if value not in (None, "", [])} - _ROW_FIELDS

    def _closed(self, made: dict[str, Any]) -> Any:
        if not made:
            return ABSENT
        if self.shape.bare and not isinstance(self.base, dict) and set(made) == {self.shape.bare}:
            return made[self.shape.bare]
        return made


class RowForms(BaseFormSet):
    """A list of a document: a form a row, one blank row more, and the rows that no form has."""

    # Django's formset factory would set these; the base class has no defaults.
    form, renderer = PartForm, None
    ordering_widget, deletion_widget = PlaceBox, TickBox
    extra = 1
    can_order = can_delete = can_delete_extra = True
    min_num, max_num, absolute_max = 0, MOST_ASKED, MOST_ASKED
    validate_min, validate_max, edit_only = False, True, False

    def __init__(
        self, data: QueryDict | None, *, shape: Rows, base: Any, budget: Budget, prefix: str, **options: Any
    ) -> None:
        self.shape, self.base, self.budget = shape, base, budget
        items = base if isinstance(base, list) else []
        taken = budget.take_rows(items, shape.item.cost)
        self.items, self.rest = items[:taken], items[taken:]
        super().__init__(data, prefix=prefix, **options)
        self._asked = super().total_form_count() - taken if self.is_bound else self.extra
        self._added = budget.take_added(self._asked) if self.is_bound else self.extra
        self._built_from: list[PartForm] | None = None
        # Made now, since what the budget gives to each depends on the order.
        self.rows: list[PartForm] = list(self.forms)

    def initial_form_count(self) -> int:
        return len(self.items)

    def total_form_count(self) -> int:
        return len(self.items) + (self._added if self.budget.editable else 0)

    def clean(self) -> None:
        """Refuse more rows than one form may add, rather than lose them."""
        if self._asked > self._added:
            raise forms.ValidationError(f"More than {MOST_ADDED:,} rows were added at once; the last are left out.")

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        if index is None or index >= len(self.items):
            return self._new_row()
        return self._new_row() | {"base": self.items[index]}

    def add_blank(self) -> None:
        """Add a blank row where none is left: the page is shown again, and there is something to add."""
        if self.rows and self._is_blank(self.rows[-1]):
            return
        index = len(self.rows)
        data = cast("QueryDict | None", self.data if self.is_bound else None)
        prefix = self.add_prefix(index)
        form = PartForm(data, prefix=prefix, empty_permitted=True, use_required_attribute=False, **self._new_row())
        self.add_fields(form, index)
        self.rows.append(form)

    def touched(self) -> bool:
        """Say whether a row is not as it was, or not where it was."""
        return any(form.touched() or set(form.changed_data) & _ROW_FIELDS for form in self._meant())

    def built(self) -> Any:
        """Return the list that the rows now say, ABSENT where all were taken away."""
        if not self.touched():
            return self.base
        kept = [form for form in self._meant() if not form.cleaned_data.get(DELETION_FIELD_NAME)]
        kept.sort(key=self._position)
        made = [(form, form.built()) for form in kept]
        self._built_from = [form for form, value in made if value is not ABSENT]
        values = [value for _, value in made if value is not ABSENT]
        return [*values, *self.rest] or ABSENT

    def row_at(self, index: int) -> PartForm | None:
        """Return the row that an item of the built list comes from."""
        rows = self.rows[: len(self.items)] if self._built_from is None else self._built_from
        return rows[index] if index < len(rows) else None

    def rest_in_words(self) -> list[str]:
        """Return the first of the rows that no form has, a line each."""
        return [item_in_words(item) for item in self.rest[:MOST_REST_SHOWN]]

    @property
    def label(self) -> str:
        return label_of(self.shape.place)

    @property
    def note(self) -> str:
        return NOTES.get(self.shape.place, "")

    @property
    def singular(self) -> str:
        return singular_of(self.shape.place, {member.name for member in self.shape.item.members})

    @property
    def article(self) -> str:
        return article_of(self.singular)

    def _new_row(self) -> dict[str, Any]:
        return {"shape": self.shape.item, "base": ABSENT, "budget": self.budget}

    def _meant(self) -> list[PartForm]:
        """Return the rows that count: those that were there, and new ones with something in them."""
        return [form for n, form in enumerate(self.rows) if n < len(self.items) or form.touched()]

    def _is_blank(self, form: PartForm) -> bool:
        return form.is_new and not form.touched()

    def _position(self, form: PartForm) -> tuple[bool, int]:
        order = form.cleaned_data.get(ORDERING_FIELD_NAME)
        return order is None, order or 0


def _opened(shape: Part, base: Any) -> dict[str, Any]:
    """Return the object that a form is opened on: the document's, or one with its bare value in its place."""
    if isinstance(base, dict):
        return base
    return {shape.bare: base} if shape.bare and base is not ABSENT and base is not None else {}
