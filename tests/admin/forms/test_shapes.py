from typing import Literal, get_args

import pytest

from errorkb.admin.forms.shapes import Leaf, Part, Rows, document_shape
from errorkb.core.documents import DOCUMENTS, Cause, EntryDocument, PullRequestDocument


def member(shape: Part, *names: str):
    """Return a member inside a shape, rows passed through."""
    for name in names:
        shape = shape.item if isinstance(shape, Rows) else shape
        shape = next(found for found in shape.members if found.name == name)
    return shape


ENTRY = document_shape(EntryDocument)
PULL_REQUEST = document_shape(PullRequestDocument)


@pytest.mark.parametrize(
    ("shape", "names", "expected"),
    [
        (ENTRY, ("message",), Leaf("message", "message", str, required=True)),
        (ENTRY, ("id",), Leaf("id", "id", str, read_only=True)),
        (ENTRY, ("cause",), Leaf("cause", "cause", Cause)),
        (ENTRY, ("retryable",), Leaf("retryable", "retryable", bool)),
        (ENTRY, ("tags",), Leaf("tags", "tags", list[str])),
        (ENTRY, ("aliases",), Leaf("aliases", "aliases", list[str])),
        (ENTRY, ("source", "line"), Leaf("line", "source.line", int)),
        (ENTRY, ("source", "snippet", "code"), Leaf("code", "source.snippet.code", str, required=True)),
        (ENTRY, ("wordings", "from"), Leaf("from", "wordings[].from", str)),
        (ENTRY, ("solutions", "text"), Leaf("text", "solutions[].text", str, required=True)),
        (ENTRY, ("solutions", "evidence", "url"), Leaf("url", "solutions[].evidence[].url", str)),
        (ENTRY, ("samples", "text"), Leaf("text", "samples[].text", str, required=True)),
        (PULL_REQUEST, ("report", "key_files", "symbols"), Leaf("symbols", "report.key_files[].symbols", list[str])),
        (PULL_REQUEST, ("number",), Leaf("number", "number", int, required=True, read_only=True)),
    ],
)
def test_leaves_follow_their_annotations(shape, names, expected):
    assert member(shape, *names) == expected


def test_a_solution_may_be_a_text():
    solutions = member(ENTRY, "solutions")
    assert (solutions.item.bare, solutions.item.exclusive) == ("text", False)


def test_releases_of_a_solution_may_be_words_or_names_or_a_range():
    releases = member(ENTRY, "solutions", "releases")
    assert [found.name for found in releases.members] == ["named", "first", "last", "removed"]
    assert (releases.bare, releases.exclusive) == ("named", True)


def test_the_id_of_a_new_entry_can_be_given():
    assert not member(document_shape(EntryDocument, is_new=True), "id").read_only


@pytest.mark.parametrize("model", DOCUMENTS.values(), ids=DOCUMENTS)
def test_every_leaf_has_an_annotation_that_a_box_is_known_for(model):
    known = {str, int, bool, list[str], str | list[str]}

    def annotations(part: Part):
        for found in part.members:
            if isinstance(found, Leaf):
                yield found.annotation
            else:
                yield from annotations(found.item if isinstance(found, Rows) else found)

    others = {found for found in annotations(document_shape(model)) if found not in known}
    assert all(found == Literal[get_args(found)] for found in others)
