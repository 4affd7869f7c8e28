"""Ingest: the risk flags and modules of reports as rows, by which lists of pull requests are filtered.

They follow from a report's document. Every write of one calls `sync_traits` in its own transaction.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from errorkb.core.identity import module_of
from errorkb.models import PullRequest, ReportTrait
from errorkb.models.chunks import in_chunks

# So many flags, and so many modules, of one report are kept; a longer value is left out.
MOST_TRAITS = 100
MOST_LENGTH = 300

Trait = tuple[str, str]


def sync_traits(reports: Sequence[PullRequest]) -> None:
    """Make flags and modules follow from reports, loaded with their documents."""
    wanted = {row.pk: _wanted(row) for row in reports}
    stored = _stored(list(wanted))
    changed = [pk for pk, traits in wanted.items() if stored[pk] != traits]
    ReportTrait.objects.filter(pull_request__in=changed).delete()
    ReportTrait.objects.bulk_create(
        ReportTrait(pull_request_id=pk, kind=kind, value=value) for pk in changed for kind, value in wanted[pk]
    )


def stray_traits(reports: Sequence[PullRequest]) -> set[int]:
    """Return the keys of those of the reports whose stored flags and modules do not follow from their documents."""
    stored = _stored([row.pk for row in reports])
    return {row.pk for row in reports if stored[row.pk] != _wanted(row)}


def _stored(reports: Sequence[int]) -> dict[int, list[Trait]]:
    found: dict[int, list[Trait]] = defaultdict(list)
    for chunk in in_chunks(reports):
        rows = ReportTrait.objects.filter(pull_request__in=chunk).order_by("pk")
        for pk, kind, value in rows.values_list("pull_request", "kind", "value"):
            found[pk].append((kind, value))
    return found


def _wanted(row: PullRequest) -> list[Trait]:
    report = row.as_document().get("report") or {}
    kinds = ((ReportTrait.Kind.FLAG, _flags(report)), (ReportTrait.Kind.MODULE, _modules(report)))
    return [(kind.value, value) for kind, values in kinds for value in islice(_each_once(values), MOST_TRAITS)]


def _each_once(values: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for value in values:
        value = value.strip()
        if value and len(value) <= MOST_LENGTH and value not in seen:
            seen.add(value)
            yield value


def _flags(report: dict[str, Any]) -> Iterator[str]:
    yield from report.get("risk_flags") or []


def _modules(report: dict[str, Any]) -> Iterator[str]:
    """Yield the modules that a report names, and the folders of its key files."""
    files = report.get("key_files") or []
    yield from (file["module"] for file in files if file.get("module"))
    yield from (module_of(file["path"]) for file in files)
