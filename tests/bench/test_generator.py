"""Tests of the bench's generator: documents that the product takes, the same ones each time."""

from bench.generator import Generator
from bench.throw_sites import Material, RealSite, make_material, name_words
from errorkb.core.documents import EntryDocument, validate_document
from errorkb.core.message_templates import canonical_template

SITES = [
    RealSite("error", "ValueError", "expected {0} columns, found {1} in {path}", "pkg/io/csv.py", "Csv._load", "", ()),
    RealSite("error", "pkg.errors.LoadError", "cannot load {{x}} of load_index", "pkg/core/loads.py", "load", "", ()),
    RealSite("assertion", "AssertionError", "", "pkg/core/joins.py", "Join.check", "assert a", ("when `a`",)),
]


def material() -> Material:
    return make_material(SITES)


def test_each_document_is_one_that_the_product_takes() -> None:
    for document in Generator(material(), 500):
        validate_document(EntryDocument, document)
        canonical_template(document["message"], template=None, placeholders=document.get("placeholders"))


def test_document_depends_on_seed_and_number_alone() -> None:
    generator = Generator(material(), 50, seed=3)
    assert list(generator)[17] == Generator(material(), 50, seed=3).document(17)
    assert Generator(material(), 50, seed=4).document(17) != generator.document(17)


def test_ids_differ() -> None:
    assert len({document["id"] for document in Generator(material(), 2_000)}) == 2_000


def test_a_site_without_text_stays_without() -> None:
    found = {document["kind"]: document["message"] == "" for document in Generator(material(), 200)}
    assert found == {"assertion": True, "error": False}


def test_names_are_split_into_their_words() -> None:
    assert name_words("_load_HTTPHeaders2") == ["load", "HTTP", "Headers", "2"]
