"""The extractor against 300 sites that a reader labelled; needs the wheels unpacked as the sample's README says."""

import os
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from errorkb.scanning.python import extract, link, may_hold_site
from errorkb.scanning.sites import ThrowSite
from tests.scanning.throw_sites import LabelledSite, load_labelled_sites

SOURCES = Path(os.environ.get("THROW_SITE_SOURCES", "var/throw_site_sources"))

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not SOURCES.is_dir(), reason="THROW_SITE_SOURCES names no folder of unpacked wheels"),
]


@cache
def sites_by_path(release: str) -> dict[str, list[ThrowSite]]:
    root = SOURCES / release
    blobs = ((path.relative_to(root).as_posix(), path.read_bytes()) for path in sorted(root.rglob("*.py")))
    found = defaultdict(list)
    for site in link(extract(blob, path) for path, blob in blobs if may_hold_site(blob)):
        found[site.path].append(site)
    return found


def found_for(label: LabelledSite) -> list[ThrowSite]:
    sites = sites_by_path(label.release)[label.path]
    return [site for site in sites if site.kind == label.kind and label.line <= site.line <= label.end_line]


@pytest.mark.parametrize("held_out", [False, True])
def test_finds_the_sites_that_a_reader_found(held_out):
    labels = load_labelled_sites(held_out=held_out)
    assert sum(bool(found_for(label)) for label in labels) >= 0.98 * len(labels)


@pytest.mark.parametrize("held_out", [False, True])
def test_reads_the_templates_that_a_reader_read(held_out):
    labels = [label for label in load_labelled_sites(held_out=held_out) if label.wordings]
    texts = [[tuple(wording.template for wording in site.wordings) for site in found_for(label)] for label in labels]
    exact = sum(any(map(label.agrees_with, found)) for label, found in zip(labels, texts, strict=True))
    assert exact >= 0.95 * len(labels)
