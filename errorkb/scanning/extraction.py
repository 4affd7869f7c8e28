"""Scanning: one file at a time, from its content to what its language finds in it; what a worker does, and keeps."""

import io
import pickle
from dataclasses import dataclass
from typing import Any, NamedTuple

from errorkb.scanning.classifying import is_generated
from errorkb.scanning.languages import language_of
from errorkb.scanning.sites import FileFacts
from errorkb.scanning.trees import passed_over

_OWN = "errorkb.scanning."


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
    return pickle.dumps(_extract(job), protocol=pickle.HIGHEST_PROTOCOL)


def unpack(packed: bytes) -> Extracted | None:
    """Return what was packed; None for anything else, and for classes that are not of this floor."""
    try:
        found = _Unpickler(io.BytesIO(packed)).load()
    except Exception:
        return None
    return found if isinstance(found, Extracted) else None


class _Unpickler(pickle.Unpickler):
    """A pickle can call whatever it names; this one names nothing but classes of this floor."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith(_OWN) and "." not in name else None
        if not isinstance(found, type) or not found.__module__.startswith(_OWN):
            raise pickle.UnpicklingError(f"{module}.{name} is not to be loaded")
        return found


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
