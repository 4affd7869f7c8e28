"""The labelled throw sites of tests/samples, typed, for tests that compare an extractor with a reader."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

SAMPLE = Path(__file__).parents[1] / "samples" / "throw_sites" / "labels.ndjson"


@dataclass(frozen=True)
class LabelledSite:
    """What a reader knows of one throw site; the README beside the labels says what each field means."""

    package: str
    version: str
    path: str
    line: int
    end_line: int
    kind: Literal["error", "assertion", "warning", "log"]
    exception_type: str | None
    symbol: str
    wordings: tuple[str, ...]
    text_known: Literal["full", "partly", "none"]
    or_wordings: tuple[tuple[str, ...], ...] = ()
    code: str | None = None
    note: str | None = None
    held_out: bool = False

    @property
    def release(self) -> str:
        """Return the name of the folder that holds the unpacked wheel: `django-5.2.8`."""
        return f"{self.package}-{self.version}"

    def agrees_with(self, wordings: tuple[str, ...]) -> bool:
        """Tell whether these are the site's templates, in any order, by one of its readings."""
        return any(sorted(wordings) == sorted(reading) for reading in (self.wordings, *self.or_wordings))


def load_labelled_sites(*, held_out: bool | None = None) -> tuple[LabelledSite, ...]:
    """Return all labelled sites, or only those that are kept aside (True) or open to tuning (False)."""
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    sites = tuple(_labelled_site(json.loads(line)) for line in lines)
    return tuple(site for site in sites if held_out in (None, site.held_out))


def _labelled_site(raw: dict[str, Any]) -> LabelledSite:
    readings = tuple(tuple(reading) for reading in raw.pop("or_wordings", ()))
    return LabelledSite(**{**raw, "wordings": tuple(raw["wordings"]), "or_wordings": readings})
