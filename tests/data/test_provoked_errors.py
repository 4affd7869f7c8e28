"""Tests of the shipped data: each entry is provoked through its library's public API and compared with the traceback.

A provoker is called `provoke_` and the entry's file name; one for a further wording has `__` and a word behind that.
"""

from collections import defaultdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.data import django_model_provokers, django_setup_provokers, django_web_provokers, library_provokers
from tests.data.shipped import REPOSITORIES, WRITTEN_HERE, says, wordings_of
from tests.data.sightings import Frame, Provoker, Sighting, Stage, observe

_MODULES = (django_setup_provokers, django_web_provokers, django_model_provokers, library_provokers)
_PROVOKERS: dict[str, Provoker] = {
    name.removeprefix("provoke_").replace("_", "-"): provoker
    for module in _MODULES
    for name, provoker in vars(module).items()
    if name.startswith("provoke_")
}
# What the text of an exception without a message of its own must hold all the same.
_WITHOUT_MESSAGE = {
    "django-request-parameter-missing": "'q'",
    "django-template-missing": "blog/post_list.html",
    "markdown-extension-not-importable": "No module named 'markdown_no_such_extension'",
}


def _entry_slug(provoker: str) -> str:
    return provoker.partition("--")[0]


def _package_folder(repository: str) -> Path:
    module = import_module(REPOSITORIES[repository]["package"].rpartition("/")[2])
    assert module.__file__
    return Path(module.__file__).parent


def _library_frame(slug: str, sighting: Sighting) -> Frame:
    return sighting.innermost(_package_folder(WRITTEN_HERE[slug]["repository"]))


@pytest.mark.parametrize("provoker", _PROVOKERS)
def test_error_is_the_one_that_the_entry_describes(provoker: str, stage: Stage) -> None:
    slug = _entry_slug(provoker)
    entry = WRITTEN_HERE[slug]
    sighting = observe(_PROVOKERS[provoker], stage)
    assert sighting.exception_type == entry["exception_type"]
    _check_message(slug, provoker, sighting.message)
    _check_place(slug, _library_frame(slug, sighting))


def _check_message(slug: str, provoker: str, text: str) -> None:
    entry = WRITTEN_HERE[slug]
    if not entry["message"]:
        assert text == _WITHOUT_MESSAGE[slug]
        return
    own, *others = wordings_of(entry)
    expected = others if provoker != slug else [own]
    assert any(says(message, entry.get("placeholders"), text) for message in expected), text


def _check_place(slug: str, frame: Frame) -> None:
    source = WRITTEN_HERE[slug]["source"]
    repository = REPOSITORIES[WRITTEN_HERE[slug]["repository"]]
    folder = _package_folder(repository["name"]).parent
    assert repository.get("path_prefix", "") + Path(frame.file).relative_to(folder).as_posix() == source["path"]
    assert source["line"] <= frame.line <= source["end_line"]
    assert frame.symbol == source["symbol"]


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_entry_is_written_for_the_installed_release(slug: str) -> None:
    entry = WRITTEN_HERE[slug]
    repository = REPOSITORIES[entry["repository"]]
    installed = version(repository["package"].rpartition("/")[2])
    assert entry["source"]["release"] == repository["tag_format"].format(version=installed)
    assert installed in {release["version"] for release in repository["releases"]}


@pytest.mark.parametrize("slug", WRITTEN_HERE)
def test_every_wording_of_every_entry_is_provoked(slug: str) -> None:
    provoked = defaultdict(list)
    for provoker in _PROVOKERS:
        provoked[_entry_slug(provoker)].append(provoker)
    assert len(provoked[slug]) == len(wordings_of(WRITTEN_HERE[slug]))


def test_every_provoker_has_an_entry() -> None:
    assert {_entry_slug(provoker) for provoker in _PROVOKERS} == set(WRITTEN_HERE)
