"""Scans for tests: sites as a scanner would find them, stored through the one write path."""

from datetime import UTC, datetime, timedelta

from errorkb.ingest.scanned import ScanFacts, ScannedSite
from errorkb.ingest.scans.storing import store_scan
from errorkb.ingest.states import WriteContext
from errorkb.models import Scan
from errorkb.scanning.documents import ScanFacts as DocumentFacts
from errorkb.scanning.documents import site_document
from errorkb.scanning.sites import ThrowSite, Wording

SCANNED_AT = datetime(2026, 9, 2, 12, tzinfo=UTC)


def throw(text: str = "bad %s", line: int = 10, path: str = "a.py", symbol: str = "f", **fields) -> ThrowSite:
    """Return a site whose snippet has a line before the throwing one and a line behind it."""
    wordings = (Wording(text, "percent", text.replace("%s", "{0}")),) if text else ()
    values = {
        "kind": "error",
        "exception_type": "ValueError",
        "wordings": wordings,
        "text": "full" if text else "none",
        "path": path,
        "line": line,
        "end_line": line,
        "symbol": symbol,
        "code": "",
        "conditions": (f"In `{symbol}`, when `x is None`", "when not (`a` or `b`)"),
        "signature": f"def {symbol}(x)",
        "snippet_start": line - 1,
        "snippet": f"if x is None:\n    raise ValueError({text!r} % x)\nreturn {line}",
    }
    return ThrowSite(**(values | fields))


def store(
    release: str,
    *sites: ThrowSite,
    repository: str = "o/n",
    commit: str = "",
    version: str = "",
    remove: bool = False,
) -> dict[str, int]:
    """Store a scan of a repository that found these sites, an hour after the one before; return what became of them."""
    now = SCANNED_AT + timedelta(hours=Scan.objects.count())
    facts = DocumentFacts(repository, commit=commit, release=release)
    scanned = [ScannedSite(site, site_document(site, facts)) for site in sites]
    report = store_scan(
        ScanFacts(repository, release=release, commit=commit, version=version),
        scanned,
        WriteContext(clock=lambda: now),
        allow_removals=remove,
    )
    assert report.refused == []
    return dict(report.counts)
