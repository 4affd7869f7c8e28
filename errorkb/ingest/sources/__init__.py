"""Ingest: the source that entries speak of, where it is at hand: installed packages, checkouts, folders.

`open_source` gives a tree from what `--source` says; `examine` reads an entry's file in it, fills in the snippet that
its document leaves out, and says what in the document does not agree. Nothing here uses the network.
"""

from errorkb.ingest.sources.examination import Filled, examine
from errorkb.ingest.sources.opening import open_source
from errorkb.ingest.sources.trees import RepositoryFacts, SourceError, SourceFile, SourceTree

__all__ = ["Filled", "RepositoryFacts", "SourceError", "SourceFile", "SourceTree", "examine", "open_source"]
