"""Tests of sources: repositories and files that several of them read."""

from errorkb.ingest.sources import RepositoryFacts

DJANGO = RepositoryFacts("django/django", "pkg:pypi/django")
OPTIONS = "django/db/models/options.py"
PINNED = "5.2.19"
SHOP = RepositoryFacts("shop/shop", "pkg:pypi/shop", "src", "v{version}")

BASKET = """\
class Basket:
    def add(self, item):
        if item is None:
            raise ValueError("An item is missing")
"""
BASKET_LATER = "import logging\n\n\n" + BASKET


def read(tree, facts, path, *, commit=None, release=None):
    file = tree.read(facts, path, commit=commit, release=release)
    return file and ("\n".join(file.lines) + "\n", file.origin)
