"""The releases that a base knew when it learnt of releases: those of its scans, and those that documents state."""

import json

from django.db import migrations

from errorkb.core.releases.order import Ordered, in_release_order
from errorkb.core.releases.tags import version_in_tag


def make_releases(apps, editor) -> None:
    for repository in apps.get_model("errorkb", "Repository").objects.all():
        scans = list(apps.get_model("errorkb", "Scan").objects.filter(repository=repository).order_by("pk"))
        document = json.loads(repository.document) if repository.document else {}
        stated = {one["tag"]: one for one in document.get("releases") or []}
        if scans or stated:
            _make(apps, repository, scans, stated, document.get("tag_format") or "")


def _make(apps, repository, scans, stated, tag_format) -> None:
    release_model = apps.get_model("errorkb", "Release")
    rows = {
        tag: release_model(
            repository=repository,
            name=tag,
            tag=tag,
            version=one.get("version") or version_in_tag(tag, tag_format),
            commit=one.get("commit") or "",
            date=one.get("date") or "",
            is_stated=True,
        )
        for tag, one in stated.items()
    }
    for scan in scans:
        name = scan.release or scan.version
        if name and name not in rows:
            version = version_in_tag(name, tag_format if scan.release else "") or scan.version
            rows[name] = release_model(repository=repository, name=name, tag=scan.release, version=version)
        if name:
            rows[name].commit = rows[name].commit or scan.commit
    ranks = _ranks(rows, scans)
    for name, row in rows.items():
        row.rank = ranks[name]
    release_model.objects.bulk_create(rows.values())
    for scan in scans:
        name = scan.release or scan.version
        scan.of_release, scan.rank = rows.get(name), ranks[name or scan.pk]
        scan.save(update_fields=["of_release", "rank"])


def _ranks(rows, scans):
    seen = {scan.release or scan.version: scan for scan in scans}
    releases = [
        Ordered(name, row.version, (), *((seen[name].committed_at, seen[name].at) if name in seen else ()))
        for name, row in rows.items()
    ]
    commits = [
        Ordered(scan.pk, "", (), scan.committed_at, scan.at) for scan in scans if not (scan.release or scan.version)
    ]
    return {key: n for n, key in enumerate(in_release_order([*releases, *commits]), 1)}


class Migration(migrations.Migration):
    dependencies = [("errorkb", "0006_releases")]

    operations = [migrations.RunPython(make_releases, migrations.RunPython.noop)]
