"""Tests of the bench's bulk loader: what it writes is what the product writes of the same documents."""

from typing import Any

import pytest

from bench.bulk_loader import load
from bench.generator import Generator
from errorkb.ingest.integrity import find_strays
from errorkb.models import EntryIdentifier, ErrorEntry, SearchRow, Wording
from tests.bench.test_generator import material
from tests.loader import Loader

pytestmark = pytest.mark.django_db(transaction=True)

_OF_THE_LOAD = ("id", "created_at", "modified_at", "created_by", "owners", "repository_id")


def _written() -> dict[str, Any]:
    entries = {row.pop("public_id"): row for row in ErrorEntry.objects.values()}
    for row in entries.values():
        for column in _OF_THE_LOAD:
            del row[column]
    return {
        "entries": entries,
        "identifiers": set(EntryIdentifier.objects.values_list("value", "entry__public_id")),
        "tokens": set(SearchRow.objects.values_list("entry__public_id", "title", "names", "parts", "prose")),
        "wordings": set(
            Wording.objects.values_list(
                "entry__public_id", "position", "template", "message", "is_current", "key", "check_key"
            )
        ),
    }


def test_bulk_load_writes_what_the_product_writes(loader: Loader) -> None:
    generator = Generator(material(), 150)
    assert list(load(generator, processes=0)) == [150]
    assert list(find_strays()) == []
    in_bulk = _written()
    ErrorEntry.objects.all().delete()
    loader.put("generated.json", *generator)
    loaded = _written()
    minted_for_twins = loaded["identifiers"] - in_bulk["identifiers"]
    assert len(minted_for_twins) == 150 - ErrorEntry.objects.values("repository", "site_key").distinct().count()
    loaded["identifiers"] -= minted_for_twins
    assert in_bulk == loaded
