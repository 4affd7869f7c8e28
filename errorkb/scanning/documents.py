"""Scanning: the entry document that a scan makes for a throw site: facts only, words are for people and models."""

from dataclasses import dataclass, replace
from typing import Any

from errorkb.core.documents import SCHEMA_VERSION
from errorkb.core.message_templates import TemplateError, canonical_template
from errorkb.scanning.languages import language_of
from errorkb.scanning.sites import ThrowSite, Wording
from errorkb.scanning.trees import Tree

# What documents hold of each: errorkb/core/fields.py.
_LONGEST = {"exception_type": 300, "code": 300, "symbol": 600}


@dataclass(frozen=True)
class ScanFacts:
    """What all sites of a scan have in common; what is not known is empty.

    `commit` and `release` are the pin, `path_prefix` stands before paths, `date` (ISO 8601) is when the scan was made.
    """

    repository: str
    commit: str = ""
    release: str = ""
    path_prefix: str = ""
    package: str = ""
    license: str = ""
    date: str = ""


def facts_of(tree: Tree, *, repository: str = "", license: str = "", date: str = "") -> ScanFacts:
    """Return what a tree knows of itself; repository and licence, where given, in place of its own."""
    return ScanFacts(
        repository=repository or tree.origin.repository,
        commit=tree.pin.commit,
        release=tree.pin.release,
        path_prefix=tree.origin.path_prefix or "",
        package=tree.origin.package,
        license=license or tree.origin.license,
        date=date,
    )


def bounded(site: ThrowSite) -> ThrowSite:
    """Return a site whose names are no longer than documents, and the columns of a database, have them."""
    cut = {name: getattr(site, name)[:most] for name, most in _LONGEST.items()}
    return site if all(getattr(site, name) == value for name, value in cut.items()) else replace(site, **cut)


def site_document(site: ThrowSite, facts: ScanFacts) -> dict[str, Any]:
    """Return the entry document of a bounded site: fields that have a value, in the order of the schema.

    The first wording is the message; all are in `wordings` where there are several. What JSON text cannot hold (NUL,
    lone surrogates) is written as Python source writes it.
    """
    first = site.wordings[0] if site.wordings else Wording("", None, "")
    document = {
        "schema_version": SCHEMA_VERSION,
        "repository": facts.repository,
        "message": first.message,
        "kind": site.kind,
        "exception_type": site.exception_type,
        "code": site.code,
        **_style(first),
        "wordings": [_wording(wording) for wording in site.wordings] if len(site.wordings) > 1 else [],
        "source": _source(site, facts),
        "conditions": _conditions(site),
        "analysis": _filled({"method": "scanner", "commit": facts.commit, "date": facts.date}),
    }
    return {name: _clean(value) for name, value in document.items() if name == "message" or value not in ("", [], {})}


def _style(wording: Wording) -> dict[str, str]:
    """Return what says how to read a message: its placeholder style, and its template where that differs."""
    style: dict[str, str] = {"placeholders": wording.placeholders} if wording.placeholders else {}
    try:
        follows = canonical_template(wording.message, template=None, placeholders=wording.placeholders)
    except TemplateError:
        return {"template": wording.template}
    return style if follows == wording.template else {**style, "template": wording.template}


def _wording(wording: Wording) -> dict[str, str]:
    return {"message": wording.message, "template": wording.template}


def _source(site: ThrowSite, facts: ScanFacts) -> dict[str, Any]:
    language = language_of(site.path)
    snippet = {"start_line": site.snippet_start, "code": site.snippet}
    return _filled(
        {
            "path": facts.path_prefix + site.path,
            "line": site.line,
            "end_line": site.end_line,
            "symbol": site.symbol,
            "commit": facts.commit,
            "release": facts.release,
            "language": language.name if language else "",
            "package": facts.package,
            "license": facts.license,
            "snippet": snippet if site.snippet else None,
        }
    )


def _conditions(site: ThrowSite) -> list[str]:
    """Return the ways to the site, and the signature of the function that they begin in."""
    fence = "``" if "`" in site.signature else "`"
    return [*site.conditions, *([f"Signature: {fence}{site.signature}{fence}"] if site.signature else [])]


def _filled(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in ("", None)}


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _clean(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    if not isinstance(value, str) or (value.isascii() and "\0" not in value):
        return value
    return value.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")
