"""Core: what a source file says about an entry: its snippet, and what in the entry does not agree with it.

`check_source` and `cut_snippet` take the lines of a file that the caller has read at the entry's pin; `pins` compares
pins with the versions of packages, `code_changes` two cuts around one site. Findings are sentences
for people, and only what is surely wrong is found.
"""

from errorkb.core.source_checks.code_changes import ChangedLine, CodeAround, code_changes
from errorkb.core.source_checks.findings import Findings, check_source
from errorkb.core.source_checks.pins import package_name, same_version
from errorkb.core.source_checks.snippets import CutSnippet, cut_snippet

__all__ = [
    "ChangedLine",
    "CodeAround",
    "CutSnippet",
    "Findings",
    "check_source",
    "code_changes",
    "cut_snippet",
    "package_name",
    "same_version",
]
