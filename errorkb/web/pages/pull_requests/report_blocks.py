"""Web pages: what the sections of a pull request's report are put together from; each block names its template."""

from dataclasses import dataclass
from typing import ClassVar

from django.utils.safestring import SafeString

from errorkb.web.pages.entries.code import CodeBlock
from errorkb.web.pages.links import Link


@dataclass(frozen=True)
class Block:
    """Something in a section."""

    template: ClassVar[str]


@dataclass(frozen=True)
class Prose(Block):
    """Rendered text below a label."""

    template = "pull_requests/blocks/prose.html"
    html: SafeString
    label: str = ""
    is_lead: bool = False


@dataclass(frozen=True)
class Steps(Block):
    """Numbered texts."""

    template = "pull_requests/blocks/steps.html"
    steps: tuple[SafeString, ...]


@dataclass(frozen=True)
class Trait:
    """What a file is in one respect."""

    name: str
    value: str


@dataclass(frozen=True)
class KeyFile:
    """A file that the pull request changed."""

    link: Link
    traits: tuple[Trait, ...]
    note: SafeString


@dataclass(frozen=True)
class Files(Block):
    """The key files; `pin_note` says which commit or branch their links lead to."""

    template = "pull_requests/blocks/files.html"
    label: str
    pin_note: str
    files: tuple[KeyFile, ...]


@dataclass(frozen=True)
class Names(Block):
    """Short texts side by side."""

    template = "pull_requests/blocks/names.html"
    label: str
    names: tuple[str, ...]
    is_code: bool = False


@dataclass(frozen=True)
class SourceSnippet(Block):
    """A piece of source, from which file, and a note on it."""

    template = "pull_requests/blocks/snippet.html"
    path: Link | None
    note: SafeString
    code: CodeBlock


@dataclass(frozen=True)
class Topic:
    """Something that the review discussed."""

    title: str
    tag: str
    note: SafeString


@dataclass(frozen=True)
class Topics(Block):
    """The topics of the review."""

    template = "pull_requests/blocks/topics.html"
    topics: tuple[Topic, ...]


@dataclass(frozen=True)
class RelatedPullRequest:
    """Another pull request: its number as a link, and its title or that none is given."""

    link: Link
    title: str
    has_title: bool
    note: SafeString
    tag: str = ""


@dataclass(frozen=True)
class PullRequests(Block):
    """Related pull requests."""

    template = "pull_requests/blocks/pull_requests.html"
    pull_requests: tuple[RelatedPullRequest, ...]


@dataclass(frozen=True)
class Section:
    """A section of the report; one without blocks is not shown."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]
