"""What the tests of search are given: an empty base, and one that holds the two seed documents."""

import pytest

from tests.search.bases import ENTRY, PULL_REQUEST, Base


@pytest.fixture
def base(db: None) -> Base:
    return Base()


@pytest.fixture
def seeds(base: Base) -> Base:
    """The two seed documents."""
    base.entry(**ENTRY)
    base.pull_request(**PULL_REQUEST)
    return base
