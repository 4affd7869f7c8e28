"""Admin, forms: the shape of a document as leaves, parts and rows, read from its pydantic model."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from errorkb.admin.forms.labels import IN_ROWS, READ_ONLY
from errorkb.core.documents import Document, ReleaseRange, Solution

# The leaf of a part that stands for the whole of it where a document has a text in the part's place.
TEXT = "text"
NAMED = "named"


@dataclass(frozen=True)
class Leaf:
    """A field with one value, or with a list of short texts.

    `place` is its dotted name from the root, such as `solutions[].code`; `annotation` is `str`, `int`, `bool`, a
    Literal, `list[str]`, or `str | list[str]`.
    """

    name: str
    place: str
    annotation: Any
    required: bool = False
    read_only: bool = False


@dataclass(frozen=True)
class Part:
    """An object; `bare` names the leaf that holds the value where a document has something else than an object.

    `exclusive` says that the bare leaf cannot stand beside the others.
    """

    name: str
    place: str
    members: tuple["Member", ...]
    bare: str = ""
    exclusive: bool = False

    @property
    def cost(self) -> int:
        """Return how many controls a form of this part has, its rows left out."""
        return sum(member.cost if isinstance(member, Part) else isinstance(member, Leaf) for member in self.members)


@dataclass(frozen=True)
class Rows:
    """A list of objects, or of texts that take several lines."""

    name: str
    place: str
    item: Part


Member = Leaf | Part | Rows

_RANGE = frozenset({str, ReleaseRange, list[str]})
_SOLUTION = frozenset({str, Solution})


@cache
def document_shape(model: type[Document], *, is_new: bool = False) -> Part:
    """Return the shape of a document; once it is stored, some of its fields cannot change."""
    read_only = frozenset({"schema_version"}) if is_new else READ_ONLY[model.NAME]
    return Part("", "", tuple(_members(model, "", read_only=read_only)))


def _members(model: type[BaseModel], place: str, *, read_only: frozenset[str] = frozenset()) -> Iterator[Member]:
    for name, field in model.model_fields.items():
        key = field.alias or name
        member = _member(key, f"{place}.{key}".removeprefix("."), field)
        if isinstance(member, Leaf) and key in read_only:
            member = Leaf(key, member.place, member.annotation, member.required, read_only=True)
        yield member


def _member(name: str, place: str, field: FieldInfo) -> Member:
    annotation = _plain(field.annotation)
    if annotation == _RANGE:
        named = Leaf(NAMED, f"{place}.{NAMED}", str | list[str])
        return Part(name, place, (named, *_members(ReleaseRange, place)), bare=NAMED, exclusive=True)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return Part(name, place, tuple(_members(annotation, place)))
    if get_origin(annotation) is list and (annotation != list[str] or place in IN_ROWS):
        return Rows(name, place, _item(get_args(annotation)[0], f"{place}[]"))
    return Leaf(name, place, annotation, field.is_required())


def _item(annotation: Any, place: str) -> Part:
    if annotation is str:
        return Part("", place, (Leaf(TEXT, f"{place}.{TEXT}", str, required=True),), bare=TEXT)
    if annotation == _SOLUTION:
        return Part("", place, tuple(_members(Solution, place)), bare=TEXT)
    return Part("", place, tuple(_members(annotation, place)))


def _plain(annotation: Any) -> Any:
    """Return an annotation without what it is annotated with and without None; a union of more as a frozenset."""
    origin, arms = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _plain(arms[0])
    if origin in (Union, UnionType):
        kept = {_plain(arm) for arm in arms if arm is not type(None)}
        return kept.pop() if len(kept) == 1 else frozenset(kept)
    if origin is list:
        return list[_plain(arms[0])]  # type: ignore[misc]
    return annotation


def is_choice(annotation: Any) -> bool:
    """Say whether a leaf takes one of a few words."""
    return get_origin(annotation) is Literal
