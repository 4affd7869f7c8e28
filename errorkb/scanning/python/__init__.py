"""Scanning, Python: the reader of Python source, built on `ast`: one blob to facts, all files of a tree to sites."""

from errorkb.scanning.python.extraction import EXTRACTOR_VERSION, extract
from errorkb.scanning.python.linking import link
from errorkb.scanning.python.words import may_hold_site

__all__ = ["EXTRACTOR_VERSION", "extract", "link", "may_hold_site"]
