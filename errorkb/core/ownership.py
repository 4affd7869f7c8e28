"""Core: who owns a field of a document, and what becomes of a document when somebody else brings another state.

A field is a top-level key. A person may change any; a file, tool or model changes a field only if nobody wrote it or
it wrote the stored value itself, else the stored value stays and a conflict is reported. A document that a scan made
gives way as a whole to the first one that somebody brings: what scans saw is kept beside it. Identity (`id`,
`aliases`) is settled before documents are merged, and never in conflict.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from errorkb.core.differences import ABSENT, json_equal
from errorkb.core.writers import PERSON, SCAN, kind_of

# The key of `owners` that stands for every field of the document without one of its own.
EVERYBODY_ELSE = ""

_NEVER_IN_CONFLICT = frozenset({"id", "aliases", "schema_version"})

Document = dict[str, Any]


@dataclass(frozen=True)
class Conflict:
    """A field kept as it was: the stored value and its owner, and the value that was offered instead."""

    field: str
    stored: Any
    offered: Any
    owner: str


@dataclass(frozen=True)
class Merge:
    """The outcome: the document, its owners, and what could not be changed."""

    document: Document
    owners: dict[str, str]
    conflicts: tuple[Conflict, ...]
    changed: bool


def merge(stored: Document, owners: Mapping[str, str], offered: Document, writer: str, *, force: bool = False) -> Merge:
    """Return what `stored` becomes when `writer` offers `offered`, a whole document.

    `writer` is `kind:name` (`person:ada`, `file:/data/x.json`, `scan:1.2`). A field that is missing from `offered` is
    removed only if the writer owns it, or is a person. `force` lets any writer change what it brings. Any writer
    raises the schema version, so that the fields which come with it can be kept.
    """
    if is_a_scans(owners) and kind_of(writer) != SCAN:
        return Merge(dict(offered), {EVERYBODY_ELSE: writer}, (), not json_equal(stored, offered))
    document, owned = dict(stored), dict(owners)
    conflicts = []
    for field in _fields(stored, offered):
        old, new = stored.get(field, ABSENT), _offer(field, stored, offered)
        if json_equal(old, new):
            continue
        owner = owner_of(field, stored, owners)
        if new is ABSENT and not _may_remove(writer, owner):
            continue
        if not (force or field == "schema_version" or may_write(writer, owner)):
            if field not in _NEVER_IN_CONFLICT:
                conflicts.append(Conflict(field, old, new, owner or ""))
            continue
        _put(document, field, new)
        owned[field] = writer
        if new is ABSENT and kind_of(writer) != PERSON:
            del owned[field]
    changed = not json_equal(stored, document)
    return Merge(document, _compact(document, owned), tuple(conflicts), changed)


def is_a_scans(owners: Mapping[str, str]) -> bool:
    """Say whether a scan made the whole document, and nobody has written in it since."""
    return bool(owners) and all(kind_of(owner) == SCAN for owner in owners.values())


def owner_of(field: str, document: Document, owners: Mapping[str, str]) -> str | None:
    """Return who wrote a field (or removed it), None where nobody did."""
    default = owners.get(EVERYBODY_ELSE) if field in document else None
    return owners.get(field, default)


def may_write(writer: str, owner: str | None) -> bool:
    """Say whether a writer may change a field of this owner without force."""
    return owner in (None, writer) or kind_of(writer) == PERSON or kind_of(owner or "") == SCAN


def _fields(stored: Document, offered: Document) -> list[str]:
    return list(dict.fromkeys([*stored, *offered]))


def _offer(field: str, stored: Document, offered: Document) -> Any:
    """Return the value on offer; a schema version is never lowered, an id is never taken away or replaced."""
    new = offered.get(field, ABSENT)
    old = stored.get(field, ABSENT)
    if field == "id" and old is not ABSENT:
        return old
    if field == "schema_version" and isinstance(old, str) and isinstance(new, str):
        return max(old, new, key=lambda version: [int(part) for part in version.split(".")])
    return new


def _may_remove(writer: str, owner: str | None) -> bool:
    return owner == writer or kind_of(writer) == PERSON


def _put(document: Document, field: str, value: Any) -> None:
    if value is ABSENT:
        document.pop(field, None)
    else:
        document[field] = value


def _compact(document: Document, owners: dict[str, str]) -> dict[str, str]:
    """Drop owners that say no more than the default does; a field that a person removed keeps its owner."""
    default = owners.get(EVERYBODY_ELSE)
    return {
        field: owner
        for field, owner in owners.items()
        if field == EVERYBODY_ELSE or owner != default or field not in document
    }
