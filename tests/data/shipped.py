"""Tests of the shipped data: the files of data/, read once, and what a message says beside its slots."""

import json
import re
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[2] / "data"
SEED = "sglang-ascend-hisparse-device-indices"

_SLOTS = {
    "percent": re.compile(r"%(?:\((?P<name>\w+)\))?[drs]"),
    "brace": re.compile(r"\{(?P<name>\w*)\}"),
    "fstring": re.compile(r"\{(?P<name>[\w.]+)(?:![rs])?\}"),
}


def documents(folder: str) -> dict[str, dict[str, Any]]:
    """Return the documents of a folder of data/, by the names of their files without `.json`."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((DATA / folder).glob("*.json"))}


ENTRIES = documents("entries")
WRITTEN_HERE = {slug: entry for slug, entry in ENTRIES.items() if slug != SEED}
REPOSITORIES = {document["name"]: document for document in documents("repositories").values()}


def title_of(entry: dict[str, Any]) -> str:
    """Return exception type and message, or type and place where there is no message."""
    if entry["message"]:
        return f"{entry['exception_type']}: {entry['message']}"
    return f"{entry['exception_type']} in {entry['source']['symbol']}"


def wordings_of(entry: dict[str, Any]) -> list[str]:
    """Return every message that the entry knows, its own first."""
    others = [wording["message"] for wording in entry.get("wordings", [])]
    return list(dict.fromkeys([entry["message"], *others]))


def slot_names(message: str, placeholders: str | None) -> list[str]:
    """Return the slots of a message: `Model %s of %(app)s` has `0` and `app`."""
    names: list[str] = []
    unnamed = 0
    for found in _SLOTS[placeholders].finditer(message) if placeholders else ():
        names.append(found["name"] or str(unnamed))
        unnamed += not found["name"]
    return list(dict.fromkeys(names))


def says(message: str, placeholders: str | None, text: str) -> bool:
    """Tell whether `text` is the message word for word, with anything in its slots."""
    literals = [message]
    if placeholders:
        pattern = _SLOTS[placeholders]
        literals = re.split(re.sub(r"\?P<\w+>", "?:", pattern.pattern), message)
    return re.fullmatch(".*".join(map(re.escape, literals)), text, re.DOTALL) is not None
