"""Core, pull request reports: the document while it is being gathered from a report's sections."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

SCHEMA_VERSION = "1.0"


@dataclass(slots=True)
class Prose:
    """Pieces of Markdown in order, each once."""

    pieces: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, piece: str, *, gap: bool = True) -> None:
        """Append a piece, behind a blank line if `gap` is true, unless it is empty or there already."""
        if not piece or piece in self.seen:
            return
        self.seen.add(piece)
        separator = ("\n\n" if gap else "\n") if self.pieces else ""
        self.pieces.append(separator + piece)

    def text(self) -> str:
        return "".join(self.pieces)


@dataclass(slots=True)
class Distinct:
    """JSON values in order, each once."""

    values: list[object] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, value: object) -> None:
        key = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
        if key not in self.seen:
            self.seen.add(key)
            self.values.append(value)


class Draft:
    """What has been read so far, by the document's field names; each part grows in the report's order."""

    def __init__(self) -> None:
        self.facts: dict[str, object] = {}
        # The implementation, and whether a heading gathers what follows it into one step.
        self.steps: list[Prose] = []
        self.grouped = False
        self._prose: dict[str, Prose] = {}
        self._lists: dict[str, Distinct] = {}

    def prose(self, name: str) -> Prose:
        return self._prose.setdefault(name, Prose())

    def list(self, name: str) -> Distinct:
        return self._lists.setdefault(name, Distinct())

    def keep(self, heading: str, body: str) -> None:
        """Keep a part of the report that the form has no field for."""
        if heading or body:
            self.list("sections").add({"heading": heading, "body": body})

    def document(self, *, url: str | None, language: str | None) -> dict[str, object]:
        """Return the pull request document; what the report does not state is absent."""
        facts = self.facts
        report = {
            "source_url": facts.get("source_url"),
            "language": language,
            **self._words(),
        }
        document = {
            "repository": facts["repository"],
            "number": facts["number"],
            "title": facts.get("title"),
            "url": url,
            **{name: facts.get(name) for name in ("merged_at", "author", "merged_by", "merge_commit", "labels")},
            "introduced_by": facts.get("introduced_by"),
            "fixes": self.list("fixes").values,
            "report": _stated(report),
            "related": self.list("related").values,
        }
        return {"schema_version": SCHEMA_VERSION, **_stated(document)}

    def _words(self) -> dict[str, object]:
        steps = Distinct()
        for step in self.steps:
            steps.add(step.text())
        discussion = {"summary": self.prose("discussion").text(), "topics": self.list("topics").values}
        return {
            "summary": self.prose("summary").text(),
            "recommendation": self.prose("recommendation").text(),
            "motivation": self.prose("motivation").text(),
            "implementation": steps.values,
            **{name: self.list(name).values for name in ("key_files", "key_symbols", "snippets")},
            "discussion": _stated(discussion),
            "risk": self.prose("risk").text(),
            "impact": self.prose("impact").text(),
            "risk_flags": self.list("risk_flags").values,
            "sections": self.list("sections").values,
        }


def _stated(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value}
