"""Ingest: an entry beside its source: the snippet that its document leaves out, and what does not agree."""

from dataclasses import dataclass, replace
from typing import Any

from errorkb.core.documents import EntryDocument
from errorkb.core.source_checks import check_source, cut_snippet
from errorkb.ingest.sources.trees import RepositoryFacts, SourceTree


@dataclass(frozen=True)
class Filled:
    """What the source adds to a document: a snippet {start_line, code, origin} or None, and what disagrees with it."""

    snippet: dict[str, Any] | None
    disagreements: tuple[str, ...]


NOTHING = Filled(None, ())


def examine(document: EntryDocument, facts: RepositoryFacts, tree: SourceTree) -> Filled:
    """Return what the file at the entry's pin says, where `tree` has it.

    A snippet is cut only where the document has none and its line may be the throw: neighbours of a wrong line would
    show a wrong line as the one that throws.
    """
    source = document.source
    if source is None or source.path is None:
        return NOTHING
    own = replace(facts, package=source.package or facts.package)
    file = tree.read(own, source.path, commit=source.commit, release=source.release)
    if file is None:
        return NOTHING
    findings = check_source(document, file.lines, origin=file.origin)
    if source.snippet is not None or findings.statement is None:
        return Filled(None, findings.disagreements)
    first, last = findings.statement
    cut = cut_snippet(file.lines, first=first, last=last)
    snippet = {"start_line": cut.start_line, "code": cut.code, "origin": file.origin} if cut else None
    return Filled(snippet, findings.disagreements)
