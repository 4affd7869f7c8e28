"""Several writers at once lose nothing and write nothing twice: each waits for the one before it."""

import json

import pytest

from tests.builders import entry
from tests.databases import OwnBase

pytestmark = [pytest.mark.sqlite, pytest.mark.postgresql]

DOCUMENTS = 600


def test_writers_of_the_same_documents_make_each_entry_once(own: OwnBase) -> None:
    documents = [entry(f"message number {n}", repository=f"acme/tool-{n % 7}") for n in range(DOCUMENTS)]
    (own.folder / "a.ndjson").write_text("\n".join(map(json.dumps, documents)), "utf-8")
    (own.folder / "b.ndjson").write_text("\n".join(map(json.dumps, reversed(documents))), "utf-8")
    writers = [own.start("load_entries", str(own.folder / name)) for name in ("a.ndjson", "b.ndjson")]
    said = [writer.communicate(timeout=120) for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], said
    counts = [[int(word) for word in out.replace(",", "").split() if word.isdigit()] for out, _ in said]
    created, unchanged = (sum(each[place] for each in counts) for place in (0, 2))
    assert (created, unchanged) == (DOCUMENTS, DOCUMENTS)
    assert own.run("check_integrity") == (0, "0 strays\n")
