import json
from pathlib import Path

import django
import pytest

from errorkb.core.documents import EntryDocument, validate_document
from errorkb.ingest.sources import RepositoryFacts, examine, open_source
from tests.ingest.sources.trees import BASKET, BASKET_LATER, DJANGO, OPTIONS, PINNED, SHOP

# In Django 5.2.19, counted by hand.
GET_FIELD = {"path": OPTIONS, "line": 685, "end_line": 687, "symbol": "Options.get_field", "release": PINNED}


def entry(message, exception_type, source, **more):
    document = {"schema_version": "1.0", "repository": "shop/shop", "message": message, "source": source, **more}
    return validate_document(EntryDocument, document | {"exception_type": exception_type})


def test_fills_in_the_snippet_of_an_installed_package():
    document = entry("%s has no field named '%s'", "FieldDoesNotExist", GET_FIELD, placeholders="percent")
    filled = examine(document, DJANGO, open_source("installed"))
    lines = (Path(django.__file__).parent / "db/models/options.py").read_text("utf-8").split("\n")
    assert filled.disagreements == ()
    assert filled.snippet == {
        "start_line": 673,
        "code": "\n".join(lines[672:699]),
        "origin": "Django 5.2.19 as installed",
    }
    shown = filled.snippet["code"].split("\n")
    assert shown[685 - 673] == "            raise FieldDoesNotExist("
    assert json.loads(json.dumps(filled.snippet)) == filled.snippet


def test_takes_the_entrys_own_package_before_the_repositorys():
    source = GET_FIELD | {"package": "pkg:pypi/django"}
    document = entry("%s has no field named '%s'", "FieldDoesNotExist", source, placeholders="percent")
    assert examine(document, RepositoryFacts("a/b", "pkg:pypi/other"), open_source("installed")).snippet is not None


def test_keeps_a_snippet_that_is_there_and_says_what_does_not_agree():
    snippet = {"start_line": 685, "code": "            raise FieldDoesNotExist(\n                '%s has no field'\n"}
    document = entry("%s has no field named '%s'", "FieldDoesNotExist", GET_FIELD | {"snippet": snippet})
    filled = examine(document, DJANGO, open_source("installed"))
    assert filled.snippet is None
    assert filled.disagreements == (
        f"{OPTIONS} (Django 5.2.19 as installed): the snippet's line 686 reads `'%s has no field'`, "
        "the source `\"%s has no field named '%s'\" % (self.object_name, field_name)`",
    )


def test_fills_nothing_in_around_a_line_that_is_not_the_throw():
    document = entry(
        "%s has no field named '%s'",
        "FieldDoesNotExist",
        GET_FIELD | {"line": 683, "end_line": None},
        placeholders="percent",
    )
    filled = examine(document, DJANGO, open_source("installed"))
    assert filled.snippet is None
    assert filled.disagreements == (
        f"line 683 of {OPTIONS} (Django 5.2.19 as installed) reads `return self.fields_map[field_name]`, "
        "not the throw of FieldDoesNotExist; its message is at line 685",
    )


@pytest.mark.parametrize(
    "source",
    [
        None,
        {"line": 3, "release": PINNED},
        {"path": OPTIONS, "release": "5.2.18", "line": 685},
    ],
)
def test_says_nothing_without_the_source(source):
    document = entry("x", "ValueError", source)
    filled = examine(document, DJANGO, open_source("installed"))
    assert (filled.snippet, filled.disagreements) == (None, ())


def test_has_no_snippet_for_an_entry_without_a_line():
    filled = examine(entry("x", "ValueError", {"path": OPTIONS, "release": PINNED}), DJANGO, open_source("installed"))
    assert (filled.snippet, filled.disagreements) == (None, ())


def test_tells_the_old_line_from_the_new_at_each_pin(repository):
    first = repository.commit("shop/basket.py", BASKET)
    second = repository.commit("shop/basket.py", BASKET_LATER)
    tree = open_source(str(repository.folder))
    source = {"path": "shop/basket.py", "line": 4, "symbol": "Basket.add"}
    at_first = examine(entry("An item is missing", "ValueError", source | {"commit": first[:10]}), SHOP, tree)
    assert at_first.snippet == {
        "start_line": 1,
        "code": BASKET.removesuffix("\n"),
        "origin": f"git checkout at {first[:10]}",
    }
    at_second = examine(entry("An item is missing", "ValueError", source | {"commit": second[:10]}), SHOP, tree)
    assert at_second.snippet is None
    assert at_second.disagreements == (
        f"line 4 of shop/basket.py (git checkout at {second[:10]}) reads `class Basket:`, "
        "not the throw of ValueError; its message is at line 7",
    )
