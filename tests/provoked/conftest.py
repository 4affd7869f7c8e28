"""Tests of match on provoked errors: a base scanned from the installed libraries, once for all tests of the module."""

from collections.abc import Iterator
from importlib.metadata import version

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from errorkb.models import Batch, ErrorEntry, Repository, Scan
from tests.provoked.rows import LIBRARIES


@pytest.fixture(scope="module")
def scanned(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Scan the libraries into the test base; take all of it out again behind the last test."""
    with django_db_blocker.unblock():
        for package, repository in LIBRARIES.items():
            release = version(package)
            call_command("scan_source", package=package, repository=repository, release=release, workers=1, verbosity=0)
        yield
        for model in (ErrorEntry, Scan, Batch, Repository):
            model.objects.all().delete()
