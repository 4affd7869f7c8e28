"""Tests of the shipped data: every file is a valid document, says what it must, and its parts fit together."""

import ast
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from errorkb.core.documents import EntryDocument, PullRequestDocument, RepositoryDocument, validate_document
from tests.data.shipped import (
    DATA,
    ENTRIES,
    REPOSITORIES,
    SEED,
    WRITTEN_HERE,
    documents,
    says,
    slot_names,
    title_of,
    wordings_of,
)

_MODELS = {"entries": EntryDocument, "pull_requests": PullRequestDocument, "repositories": RepositoryDocument}
_FILES = sorted(DATA.rglob("*.json"))
_REQUIRED = ("repository", "message", "exception_type", "source", "meaning", "trigger", "common_situations")
_FURTHER = ("solutions", "examples", "samples", "cause", "tags", "language", "analysis")
_MINTED_ID = "0a4a184d34e9a38f"


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_file_is_a_valid_document_of_its_folder(path: Path) -> None:
    validate_document(_MODELS[path.parent.name], json.loads(path.read_text("utf-8")))


def test_data_holds_documents_of_all_three_kinds() -> None:
    assert {path.parent.name for path in _FILES} == set(_MODELS)
    assert len(WRITTEN_HERE) >= 24


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_entry_has_every_field_that_the_readme_promises(slug: str) -> None:
    entry = WRITTEN_HERE[slug]
    assert [name for name in (*_REQUIRED, *_FURTHER) if name not in entry] == []
    assert set(entry["source"]) == {"path", "line", "end_line", "symbol", "release", "language"}
    assert "id" not in entry


def test_titles_are_unique_within_a_repository() -> None:
    titles = Counter((entry["repository"], title_of(entry)) for entry in ENTRIES.values())
    assert [title for title, count in titles.items() if count > 1] == []


def test_every_entry_and_report_is_of_a_shipped_repository() -> None:
    named = {entry["repository"] for entry in (*ENTRIES.values(), *documents("pull_requests").values())}
    assert named == set(REPOSITORIES)


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_slots_are_those_of_the_wordings(slug: str) -> None:
    entry = WRITTEN_HERE[slug]
    placeholders = entry.get("placeholders")
    names = {name for message in wordings_of(entry) for name in slot_names(message, placeholders)}
    assert {slot["name"] for slot in entry.get("slots", [])} == names
    assert bool(names) == (placeholders is not None)


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_each_sample_says_a_wording_and_each_wording_has_one(slug: str) -> None:
    entry = WRITTEN_HERE[slug]
    placeholders = entry.get("placeholders")
    if not entry["message"]:
        assert all(entry["exception_type"] in sample.splitlines()[-1] for sample in entry["samples"])
        return
    for message in wordings_of(entry):
        assert any(says(message, placeholders, sample) for sample in entry["samples"]), message
    for sample in entry["samples"]:
        assert any(says(message, placeholders, sample) for message in wordings_of(entry)), sample


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_python_examples_parse(slug: str) -> None:
    for example in WRITTEN_HERE[slug]["examples"]:
        assert example["caption"]
        if example["language"] == "python":
            ast.parse(example["code"])


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_related_errors_are_in_the_data(slug: str) -> None:
    for related in WRITTEN_HERE[slug].get("related", []):
        others = [entry for entry in ENTRIES.values() if entry["repository"] == related["repository"]]
        assert sum(_is_meant(entry, related["title"]) for entry in others) == 1, related["title"]


def _is_meant(entry: dict[str, Any], title: str) -> bool:
    """Tell whether a title is an entry's whole title, or the beginning of its message."""
    return title == title_of(entry) or entry["message"].startswith(title)


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_markdown_leaves_no_code_open(slug: str) -> None:
    entry = WRITTEN_HERE[slug]
    solutions = [item if isinstance(item, str) else item["text"] for item in entry["solutions"]]
    for text in (entry["meaning"], entry["trigger"], entry["common_situations"], *solutions):
        assert text.count("`") % 2 == 0, text
        assert not re.search(r"  |\t", re.sub(r"(?m)^ +", "", text)), text


def test_seed_has_its_given_id_and_names_its_pull_request() -> None:
    seed = ENTRIES[SEED]
    assert seed["id"] == _MINTED_ID
    numbers = {document["number"] for document in documents("pull_requests").values()}
    assert {link["number"] for link in seed["pull_requests"]} <= numbers
