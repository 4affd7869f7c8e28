from pathlib import Path

import django
import pytest

from errorkb.ingest.sources import RepositoryFacts, open_source
from tests.ingest.sources.trees import DJANGO, OPTIONS, PINNED, read


def test_reads_an_installed_distribution_of_the_pinned_version():
    text, origin = read(open_source("installed"), DJANGO, OPTIONS, release=PINNED)
    assert origin == "Django 5.2.19 as installed"
    assert text == (Path(django.__file__).parent / "db/models/options.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("facts", "release"),
    [
        (RepositoryFacts("django/django", "pkg:pypi/Django", "", "v{version}"), "v5.2.19"),
        (RepositoryFacts("django/django", "pkg:pypi/django@5.2", "", ""), "v5.2.19"),
        (RepositoryFacts("django/django", "pkg:pypi/django", "", "stable/{version}"), "stable/5.2.19"),
    ],
)
def test_reads_the_version_out_of_the_tag(facts, release):
    assert read(open_source("installed"), facts, OPTIONS, release=release) is not None


def test_drops_the_prefix_of_a_repositorys_paths():
    facts = RepositoryFacts("django/django", "pkg:pypi/django", "lib/", "")
    assert read(open_source("installed"), facts, f"lib/{OPTIONS}", release=PINNED) is not None
    assert read(open_source("installed"), facts, f"other/{OPTIONS}", release=PINNED) is None


@pytest.mark.parametrize(
    ("facts", "path", "pin"),
    [
        (DJANGO, OPTIONS, {"release": "5.2.18"}),
        (DJANGO, OPTIONS, {"release": "release-5.2.19"}),
        # wheels know no commit
        (DJANGO, OPTIONS, {"commit": "0132848349"}),
        (DJANGO, OPTIONS, {}),
        (RepositoryFacts("django/django"), OPTIONS, {"release": PINNED}),
        (RepositoryFacts("a/b", "pkg:npm/django"), OPTIONS, {"release": PINNED}),
        (RepositoryFacts("a/b", "pkg:pypi/no-such-package-here"), OPTIONS, {"release": PINNED}),
        # another distribution's file
        (DJANGO, "whitenoise/base.py", {"release": PINNED}),
        (DJANGO, "django/no_such.py", {"release": PINNED}),
        # a binary file, by its RECORD Django's
        (DJANGO, "django/conf/locale/de/LC_MESSAGES/django.mo", {"release": PINNED}),
    ],
)
def test_finds_nothing_for_another_version_package_or_path(facts, path, pin):
    assert read(open_source("installed"), facts, path, **pin) is None
