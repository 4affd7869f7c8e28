"""Scanning: one file at a time, from its content to what its language finds in it; what a worker does, and keeps."""

import io
import pickle
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeVar

from errorkb.scanning.classifying import is_generated
from errorkb.scanning.languages import language_of
from errorkb.scanning.sites import FileFacts, ScanProblem, ThrowSite, Wording
from errorkb.scanning.trees import passed_over

_OWN = "errorkb.scanning."
T = TypeVar("T")


class Job(NamedTuple):
    """A file to look into: the key of its facts, its path, its content."""

    key: str
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a file holds, and whether it says that a program has written it."""

    facts: FileFacts
    generated: bool


def extract(job: Job) -> bytes:
    """Return a file's Extracted, packed. Never raises: a file that its language fails on has that as its problem."""
    return pack(_extract(job))


def pack(found: object) -> bytes:
    """Return dataclasses and named tuples of this floor, and what Python has built in, as bytes."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _AS_CALLS
    pickler.dump(found)
    return buffer.getvalue()


def unpack(packed: bytes, wanted: type[T]) -> T | None:
    """Return what was packed if it is of a type; None for anything else, and for classes that are not of this floor."""
    try:
        found = _Unpickler(io.BytesIO(packed)).load()
    except Exception:
        return None
    return found if isinstance(found, wanted) else None


class _Unpickler(pickle.Unpickler):
    """A pickle can call whatever it names; this one names nothing but plain classes of this floor."""

    _known: ClassVar[dict[tuple[str, str], Any]] = {}

    def find_class(self, module: str, name: str) -> Any:
        known = self._known.get((module, name))
        return known or self._known.setdefault((module, name), self._checked(module, name))

    def _checked(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith(_OWN) and "." not in name else None
        is_plain = isinstance(found, type) and (is_dataclass(found) or issubclass(found, tuple))
        if not is_plain or not found.__module__.startswith(_OWN):
            raise pickle.UnpicklingError(f"{module}.{name} is not to be loaded")
        return found


def _as_call(kind: type[Any]) -> Callable[[Any], Any]:
    """Return what packs a dataclass as a call of it, which is read twice as fast as its fields one by one."""
    values = attrgetter(*(field.name for field in fields(kind)))
    return lambda instance: (kind, values(instance))


_AS_CALLS: dict[type, Callable[[Any], Any]] = {
    kind: _as_call(kind) for kind in (ThrowSite, Wording, ScanProblem, FileFacts, Extracted)
}


def _extract(job: Job) -> Extracted:
    lines = job.content.count(b"\n") + (not job.content.endswith(b"\n") and job.content != b"")
    facts = FileFacts(job.path, lines)
    language = language_of(job.path)
    try:
        if language is not None and language.may_hold_site(job.content):
            facts = language.extract(job.content, job.path)
    except (Exception, RecursionError, MemoryError) as error:
        problem = passed_over(job.path, f"reading it failed ({type(error).__name__})")
        facts = FileFacts(job.path, lines, problem=problem)
    return Extracted(facts, is_generated(job.content))
