"""The tables of names and notes follow the documents."""

from collections.abc import Iterator

import pytest

from errorkb.admin.forms import labels
from errorkb.admin.forms.shapes import Leaf, Part, Rows, document_shape
from errorkb.core.documents import DOCUMENTS


def places(part: Part) -> Iterator[str]:
    """Yield the places of everything inside a part."""
    for member in part.members:
        yield member.place
        if isinstance(member, Rows):
            yield member.item.place
            yield from places(member.item)
        elif isinstance(member, Part):
            yield from places(member)


PLACES = {place for model in DOCUMENTS.values() for place in places(document_shape(model))}
TABLES = ("IN_ROWS", "MARKDOWN", "CODE", "LONG", "FOLDED", "SINGULAR", "LABELS", "NOTES")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_field_stands_in_one_section(name):
    shown = [field for section in labels.SECTIONS[name] for field in section.fields]
    assert sorted(shown) == sorted(member.name for member in document_shape(DOCUMENTS[name]).members)


@pytest.mark.parametrize("table", TABLES)
def test_tables_name_fields_that_there_are(table):
    assert set(getattr(labels, table)) - PLACES == set()


def test_what_cannot_change_is_a_field():
    for name, fields in labels.READ_ONLY.items():
        members = {member.name for member in document_shape(DOCUMENTS[name]).members if isinstance(member, Leaf)}
        assert fields <= members


@pytest.mark.parametrize(
    ("place", "label"),
    [
        ("source.end_line", "End line"),
        ("solutions[].text", "Text"),
        ("source.commit", "Pinned commit"),
        ("tags", "Tags"),
    ],
)
def test_fields_are_called_by_their_names(place, label):
    assert labels.label_of(place) == label


@pytest.mark.parametrize(("place", "word"), [("solutions", "solution"), ("aliases", "alias"), ("slots", "slot")])
def test_one_row_is_called_by_the_singular(place, word):
    assert labels.singular_of(place) == word


def test_related_rows_are_called_by_what_they_lead_to():
    assert labels.singular_of("related", {"id", "title"}) == "related error"
    assert labels.singular_of("related", {"number", "title"}) == "pull request"


@pytest.mark.parametrize(
    ("word", "article"),
    [("example", "an"), ("alias", "an"), ("error that it fixes", "an"), ("slot", "a"), ("url", "a"), ("step", "a")],
)
def test_words_have_the_right_article(word, article):
    assert labels.article_of(word) == article
