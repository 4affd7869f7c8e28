"""Real releases, committed one after another and walked through: each error is in the releases whose source says it."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from errorkb.ingest.integrity import find_strays
from errorkb.ingest.scans.scanning import ScanRequest
from errorkb.ingest.walks.walking import walk_releases
from errorkb.models import Sighting
from errorkb.models.sightings import seen
from tests.ingest.test_releases_scanned import unpacked
from tests.repositories import Repository

pytestmark = pytest.mark.long

HISTORIES = {
    "click": ("7.0", "7.1.2", "8.0.0", "8.0.4", "8.1.0", "8.1.3", "8.1.8", "8.2.0", "8.2.1", "8.3.1"),
    "requests": ("2.20.0", "2.22.0", "2.24.0", "2.25.1", "2.26.0", "2.27.1", "2.28.2", "2.31.0", "2.32.0", "2.32.5"),
    "starlette": ("0.20.4", "0.21.0", "0.22.0", "0.26.1", "0.27.0", "0.31.1", "0.36.3", "0.40.0", "0.45.3", "0.47.3"),
}
SHORTEST = 15
# Read in the source: 8.1.8 writes it to the terminal instead of raising it.
NO_LONGER_RAISED = "Couldn't detect Bash version, shell completion is not supported."


def strings(folder: Path, *, raised: bool) -> set[str]:
    """Return the strings in the source below a folder, neighbouring literals joined; only those in raise statements."""
    kind = ast.Raise if raised else ast.Module
    found: set[str] = set()
    for place in folder.rglob("*.py"):
        tops = [node for node in ast.walk(ast.parse(place.read_bytes())) if isinstance(node, kind)]
        inner = (node for top in tops for node in ast.walk(top))
        found |= {node.value for node in inner if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return found


@pytest.mark.parametrize("package", HISTORIES)
def test_each_error_is_in_the_releases_whose_source_raises_it(loader, tmp_path, package):
    shop, said, raised = Repository(tmp_path / package), {}, {}
    for version in HISTORIES[package]:
        folder = unpacked(package, version, tmp_path / version)
        said[version] = strings(folder / package, raised=False)
        raised[version] = strings(folder / package, raised=True)
        shop.git("rm", "-r", "--quiet", "--ignore-unmatch", ".")
        (folder / package).rename(shop.folder / package)
        shop.git("add", "--force", package)
        shop.commit_index(tag=version)
    request = ScanRequest(
        path=str(shop.folder), repository=f"acme/{package}", workers=1, cache_folder=tmp_path / "facts"
    )
    report = walk_releases(request, ["*"], clock=loader.clock)
    assert (report.counts["walked"], report.problems, report.refused) == (10, [], [])
    assert list(find_strays()) == []
    told = told_by_the_base()
    for text, releases in told.items():
        assert {version for version in raised if text in raised[version]} <= releases, text
        assert releases <= {version for version in said if text in said[version]}, text
    assert package != "click" or told[NO_LONGER_RAISED] == {"8.0.0", "8.0.4", "8.1.0", "8.1.3"}
    assert len(told) >= 12


def told_by_the_base() -> dict[str, set[str]]:
    """Return the releases of every text without slots that is long enough to be told, and that one entry alone has."""
    owners: dict[str, set[int]] = defaultdict(set)
    releases: dict[str, set[str]] = defaultdict(set)
    rows = Sighting.objects.values_list(seen("template"), "entry", "scan__release")
    for text, entry, release in rows.filter(entry__kind="error"):
        owners[text].add(entry)
        releases[text].add(release)
    return {
        text: found
        for text, found in releases.items()
        if len(text) >= SHORTEST and "{" not in text and "}" not in text and len(owners[text]) == 1
    }
