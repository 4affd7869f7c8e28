"""A load that is killed at any moment leaves whole documents with true indexes, and the same load finishes the work."""

import json
import signal
import time

import pytest

from errorkb.ingest.loading import BATCH_DOCUMENTS
from tests.builders import entry
from tests.databases import OwnBase

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql]

DOCUMENTS = 3_000


def count(base: OwnBase) -> int:
    code = "from errorkb.models import ErrorEntry; print(ErrorEntry.objects.count())"
    status, text = base.run("shell", "--no-imports", "-c", code)
    assert status == 0, text
    return int(text)


@pytest.mark.parametrize("options", [[], ["--atomic"]])
def test_a_killed_load_leaves_whole_documents_and_is_finished_by_the_same_command(own: OwnBase, options: list[str]):
    file = own.folder / "a.ndjson"
    documents = [entry(f"message number {n}", meaning=f"words about {n}") for n in range(DOCUMENTS)]
    file.write_text("\n".join(map(json.dumps, documents)), "utf-8")
    before = 0
    for seconds in (0.9, 1.3):
        process = own.start("load_entries", str(file), *options)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = count(own)
        assert now >= before
        assert now % BATCH_DOCUMENTS == 0 or now == DOCUMENTS
        before = now
        assert own.run("check_integrity") == (0, "0 strays\n")
    status, text = own.run("load_entries", str(file), *options)
    assert status == 0
    assert f"{DOCUMENTS - before} created" in text
    assert f"{before} unchanged" in text
    status, exported = own.run("export_entries")
    assert [json.loads(line) for line in exported.splitlines()] == documents
