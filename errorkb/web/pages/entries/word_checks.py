"""Web pages: names in an entry's words that its source does not have, said where they are read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from errorkb.core.documents import EntryDocument
from errorkb.models import ErrorEntry
from errorkb.web.pages.entries.code import CodeBlock
from errorkb.web.pages.entries.sightings import pin_in_words
from errorkb.web.pages.links import Link
from errorkb.web.pages.texts import joined

ANCHOR = "checks"


@dataclass(frozen=True)
class ShownCheck:
    """The release whose source was looked into, and the names that do not occur in it."""

    release: str
    missing: tuple[str, ...]

    @property
    def phrase(self) -> Link:
        """Return it as a phrase of the line of standing."""
        count = len(self.missing)
        names = "1 name that does" if count == 1 else f"{count} names that do"
        return Link(f"uses {names} not occur in {self.release}", f"#{ANCHOR}")


def shown_check(entry: ErrorEntry) -> ShownCheck | None:
    """Return what is missed in an entry's words; None where nothing is, or nobody has looked."""
    missing = tuple(entry.checked.get("missing") or ())
    return ShownCheck(pin_in_words(entry.checked["release"]), missing) if missing else None


def with_doubts(
    blocks: Iterable[CodeBlock], document: EntryDocument, check: ShownCheck | None
) -> tuple[CodeBlock, ...]:
    """Return blocks of examples, each with what it uses and its source does not have."""
    if check is None:
        return tuple(blocks)
    examples = document.examples or []
    return tuple(_doubted(block, example.code, check) for block, example in zip(blocks, examples, strict=False))


def _doubted(block: CodeBlock, code: str, check: ShownCheck) -> CodeBlock:
    words = set(re.findall(r"\w+", code))
    used = [name for name in check.missing if name.rpartition(".")[2] in words]
    verb = "does" if len(used) == 1 else "do"
    doubt = f"{', '.join(used)} {verb} not occur in {check.release}" if used else ""
    return replace(block, problem=joined((block.problem, doubt), "; "))
