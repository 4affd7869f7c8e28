"""A load that is killed at any moment leaves whole documents with true indexes, and the same load finishes the work."""

import json
import subprocess

import pytest

from errorkb.ingest.loading import BATCH_DOCUMENTS, FIRST_DOCUMENTS
from tests.builders import entry
from tests.databases import OwnBase
from tests.repositories import Repository

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql]

DOCUMENTS = 1_900
SCANS = "SELECT count(*) FROM errorkb_scan"


def kill_amidst(process: "subprocess.Popen[str]", lines: list[str]) -> None:
    """Kill a load of standard input when it has begun to read these lines: a pipe holds a few hundred of them."""
    assert process.stdin
    process.stdin.write("\n".join(lines))
    process.kill()
    process.communicate()


@pytest.mark.parametrize(("options", "begun"), [([], [1_300, 1_600]), (["--atomic"], [1_300])])
def test_a_killed_load_leaves_whole_documents_and_is_finished_by_the_same_command(
    own: OwnBase, options: list[str], begun: list[int]
) -> None:
    documents = [entry(f"message number {n}", meaning=f"words about {n}" * 10) for n in range(DOCUMENTS)]
    lines = list(map(json.dumps, documents))
    before = 0
    for sent in begun:
        kill_amidst(own.start("load_entries", "-", *options, stdin=subprocess.PIPE), lines[:sent])
        now = own.ask("SELECT count(*) FROM errorkb_errorentry")
        assert now >= before
        assert now in (0, *range(FIRST_DOCUMENTS, DOCUMENTS, BATCH_DOCUMENTS))
        assert not (options and now)
        before = now
    assert own.run("check_integrity") == (0, "0 strays\n")
    file = own.folder / "a.ndjson"
    file.write_text("\n".join(lines), "utf-8")
    status, text = own.run("load_entries", str(file), *options)
    assert status == 0
    assert f"{DOCUMENTS - before} created" in text
    assert f"{before} unchanged" in text
    status, exported = own.run("export_entries")
    assert [json.loads(line) for line in exported.splitlines()] == documents


def test_a_killed_walk_leaves_whole_releases_and_is_finished_by_the_same_command(own: OwnBase):
    shop = Repository(own.folder / "shop")
    errors = 40
    source = "".join(f"def f{n}(x):\n    raise ValueError('error number {n}')\n\n" for n in range(errors))
    for number in range(40):
        shop.commit("shop.py", "\n" * number + source, tag=f"v1.{number}")
    command = ("scan_source", str(shop.folder), "--repository", "acme/shop", "--releases", "v*", "--no-commits")
    process = own.start(*command)
    while own.ask(SCANS) < 13 and process.poll() is None:
        pass
    process.kill()
    process.communicate()
    stored = own.ask(SCANS)
    assert own.ask("SELECT count(*) FROM errorkb_sighting") == stored * errors
    assert own.run("check_integrity") == (0, "0 strays\n")
    status, text = own.run(*command)
    assert (status, text.splitlines()[-1].split(";")[0]) == (
        0,
        f"{40 - stored} releases walked, {stored} known before",
    )
    assert own.ask("SELECT count(*) FROM errorkb_sighting") == 40 * errors
