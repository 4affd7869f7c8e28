"""Bench: real throw sites as `scan_source PATH --output ndjson` writes them, taken apart for recombination."""

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errorkb.core.message_templates import canonical_template

SNIPPET_LINES = 6

_WORD_IN_NAME = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class RealSite:
    """What is used of a real throw site; `template` is empty where it has no text."""

    kind: str
    exception_type: str
    template: str
    path: str
    symbol: str
    snippet: str
    conditions: tuple[str, ...]


@dataclass(frozen=True)
class Material:
    """All real sites, and the parts of their names that new names are made of."""

    sites: tuple[RealSite, ...]
    texts: tuple[RealSite, ...]
    folders: tuple[str, ...]
    stems: tuple[str, ...]
    classes: tuple[str, ...]
    functions: tuple[str, ...]
    words: tuple[str, ...]


def read_material(folder: Path) -> Material:
    """Read every `*.ndjson` and `*.ndjson.gz` of a folder, in the order of their names."""
    return make_material(_site(document) for path in sorted(folder.glob("*.ndjson*")) for document in documents(path))


def documents(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the documents of one file."""
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        yield from map(json.loads, lines)


def make_material(sites: Iterable[RealSite]) -> Material:
    """Take sites apart. Raises ValueError where there are none with text."""
    kept = tuple(sites)
    texts = tuple(site for site in kept if site.template)
    if not texts:
        raise ValueError("no throw site with text: give a folder with what scan_source wrote")
    parts = [site.path.split("/") for site in kept]
    names = [site.symbol.split(".") for site in kept if site.symbol]
    functions = _distinct(name[-1] for name in names)
    return Material(
        sites=kept,
        texts=texts,
        folders=_distinct(folder for path in parts for folder in path[1:-1]) or ("core",),
        stems=_distinct(path[-1].removesuffix(".py") for path in parts),
        classes=_distinct(name[-2] for name in names if len(name) > 1) or ("Client",),
        functions=functions or ("run",),
        words=_distinct(word.lower() for name in functions for word in name_words(name)) or ("value",),
    )


def name_words(name: str) -> list[str]:
    """Return the words of an identifier: `_load_HTTPHeaders2` gives load, HTTP, Headers, 2."""
    return _WORD_IN_NAME.findall(name)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, names)))


def _site(document: dict[str, Any]) -> RealSite:
    source = document.get("source") or {}
    code = (source.get("snippet") or {}).get("code") or ""
    template = canonical_template(
        document["message"], template=document.get("template"), placeholders=document.get("placeholders")
    )
    return RealSite(
        kind=document.get("kind") or "error",
        exception_type=document.get("exception_type") or "",
        template=template,
        path=source.get("path") or "module.py",
        symbol=source.get("symbol") or "",
        snippet="\n".join(code.splitlines()[:SNIPPET_LINES]),
        conditions=tuple(document.get("conditions") or ()),
    )
