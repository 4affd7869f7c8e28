"""Scanning: which pull request a commit's message names as the one that brought it, in the forges' own forms.

A number that stands elsewhere in a message is mostly that of a ticket: it is not looked at.
"""

import re
from dataclasses import dataclass

_LARGEST = 2_147_483_647
_MOST = 2_000

# What forges write when they merge, each as the whole subject or its end.
_MERGES = (
    # GitHub, and Bitbucket Server: `Merge pull request #7 from owner/branch`
    re.compile(r"Merge pull request #(?P<number>\d{1,10}) (?:from|in) "),
    # Gitea and Forgejo: `Merge pull request 'title' (#7) from branch into main`
    re.compile(r"Merge pull request '.*' \([#!](?P<number>\d{1,10})\) from "),
    # bors: `Merge #7`, `Auto merge of #7 - somebody:branch, r=somebody`
    re.compile(r"(?:Auto merge of|Merge) #(?P<number>\d{1,10})(?=$|[ :])"),
    # Azure: `Merged PR 7: title`
    re.compile(r"Merged PR (?P<number>\d{1,10}): "),
    # Bitbucket: `Merged in branch (pull request #7)`
    re.compile(r"Merged in .*\(pull request #(?P<number>\d{1,10})\)\s*$"),
)
# A commit that holds a whole pull request: `title (#7)`; CPython writes `(GH-7)`, GitLab may write `(!7)`.
_SQUASHED = re.compile(r"\((?:#|GH-|!)(?P<number>\d{1,10})\)\s*\Z")
# GitLab: `See merge request group/project!7` on a line of its own.
_SEE = re.compile(r"^See merge request (?:[\w./-]{1,300})?!(?P<number>\d{1,10})\s*$", re.MULTILINE)


@dataclass(frozen=True)
class NamedNumber:
    """The number of a pull request, and the words that name it; `is_merge` says that they are those of a merge."""

    number: int
    words: str
    is_merge: bool = False


def pull_request_in(subject: str, body: str = "") -> NamedNumber | None:
    """Return the pull request that a commit's message names as the one that brought it.

    >>> pull_request_in("Refuse empty keys (#12) (#340)")
    NamedNumber(number=340, words='Refuse empty keys (#12) (#340)', is_merge=False)
    """
    subject = subject[:_MOST].strip()
    for pattern in _MERGES:
        if found := pattern.match(subject):
            return _named(found["number"], subject, is_merge=True)
    if seen := list(_SEE.finditer(body[-_MOST:])):
        return _named(seen[-1]["number"], seen[-1].group().strip(), is_merge=subject.startswith("Merge "))
    squashed = _SQUASHED.search(subject)
    return _named(squashed["number"], subject, is_merge=False) if squashed else None


def _named(number: str, words: str, *, is_merge: bool) -> NamedNumber | None:
    return NamedNumber(int(number), words, is_merge) if 0 < int(number) <= _LARGEST else None
