"""Tests of match on provoked errors: a base scanned from the installed libraries, once for all tests of the module."""

from importlib.metadata import version

import pytest
from django.core.management import call_command

from tests.databases import Filling
from tests.provoked.rows import LIBRARIES


@pytest.fixture(scope="module")
def scanned(module_base: Filling) -> None:
    """Scan the libraries into the base."""
    with module_base():
        for package, repository in LIBRARIES.items():
            named = {"package": package, "repository": repository, "release": version(package)}
            call_command("scan_source", **named, workers=1, verbosity=0)
