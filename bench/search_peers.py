"""Bench: what search is compared with: the same tokens in FTS5, PostgreSQL and tantivy, ranked over all hits.

A peer gets the tokens that search asks for, each of which may be missing, and returns the keys of ten search rows.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from django.db import connection

from errorkb.models import SearchRow
from errorkb.search.backends.postgresql import HOLDING_ANYWHERE

MOST = 10
_CHUNK = 2_000


class Peer(Protocol):
    name: str

    def first_ten(self, tokens: Sequence[str]) -> list[int]:
        """Return the keys of the ten best rows."""


class PlainFts5:
    """FTS5 with its defaults in a base of its own, contentless, by bm25()."""

    name = "FTS5, bm25()"

    def __init__(self, folder: Path) -> None:
        path = folder / f"fts5-{_fingerprint()}.sqlite3"
        is_there = path.exists()
        self._base = sqlite3.connect(path)
        self._base.execute("PRAGMA cache_size = -65536")
        if not is_there:
            _said("fts5", self._fill)

    def first_ten(self, tokens: Sequence[str]) -> list[int]:
        wanted = " OR ".join('"' + token.replace('"', '""') + '"' for token in tokens)
        asked = "SELECT rowid FROM rows WHERE rows MATCH ? ORDER BY bm25(rows), rowid LIMIT ?"
        return [key for (key,) in self._base.execute(asked, (wanted, MOST))]

    def _fill(self) -> None:
        tokenizer = "tokenize=\"ascii tokenchars '_./\\:-'\""
        self._base.execute(f"CREATE VIRTUAL TABLE rows USING fts5(tokens, content='', {tokenizer})")
        self._base.executemany("INSERT INTO rows(rowid, tokens) VALUES (?, ?)", _rows())
        self._base.commit()


class PlainPostgreSQL:
    """The product's own index in PostgreSQL, by ts_rank()."""

    name = "ts_rank()"

    def first_ten(self, tokens: Sequence[str]) -> list[int]:
        wanted = " | ".join("'" + token.replace("\\", "\\\\").replace("'", "''") + "'" for token in tokens)
        asked = (
            f"SELECT id FROM errorkb_searchrow WHERE {HOLDING_ANYWHERE} "
            "ORDER BY ts_rank(tokens, %s::tsquery) DESC, id LIMIT %s"
        )
        with connection.cursor() as cursor:
            cursor.execute(asked, [wanted, wanted, MOST])
            return [key for (key,) in cursor.fetchall()]


class Tantivy:
    """tantivy 0.27, see bench/README.md for how it is installed; one field, by BM25."""

    name = "tantivy"

    def __init__(self, folder: Path) -> None:
        import tantivy  # noqa: PLC0415  the peer is installed for this comparison only

        self._made_of = tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("key", stored=True, fast=True)
        builder.add_text_field("tokens", tokenizer_name="blanks", index_option="freq")
        self._schema = builder.build()
        path = folder / f"tantivy-{_fingerprint()}"
        is_there = path.exists()
        path.mkdir(exist_ok=True, parents=True)
        self._index = tantivy.Index(self._schema, path=str(path))
        blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        self._index.register_tokenizer("blanks", blanks)
        if not is_there:
            _said("tantivy", self._fill)
        self._index.reload()
        self._searcher = self._index.searcher()

    def first_ten(self, tokens: Sequence[str]) -> list[int]:
        query, occur = self._made_of.Query, self._made_of.Occur.Should
        terms = [(occur, query.term_query(self._schema, "tokens", token, "freq")) for token in tokens]
        hits = self._searcher.search(query.boolean_query(terms), MOST, count=False).hits
        return [self._searcher.doc(address)["key"][0] for _, address in hits]

    def _fill(self) -> None:
        writer = self._index.writer(heap_size=128_000_000, num_threads=1)
        for key, tokens in _rows():
            writer.add_document(self._made_of.Document(key=key, tokens=tokens))
        writer.commit()
        writer.wait_merging_threads()


def _rows() -> Iterator[tuple[int, str]]:
    """Yield each search row's key and its distinct tokens."""
    rows = SearchRow.objects.order_by("pk").values_list("pk", "title", "names", "parts", "prose")
    for key, title, *others in rows.iterator(chunk_size=_CHUNK):
        tokens = dict.fromkeys(" ".join([title.partition(" | ")[0], *others]).split())
        yield key, " ".join(tokens)


def _fingerprint() -> str:
    """Return what tells one base from another well enough."""
    last = SearchRow.objects.order_by("-pk").values_list("pk", flat=True)[0]
    return f"{last}-{SearchRow.objects.values_list('entry__public_id', flat=True).get(pk=last)}"


def _said(name: str, fill: Any) -> None:
    began = time.perf_counter()
    fill()
    print(f"{name} filled in {time.perf_counter() - began:.0f} s", flush=True)
