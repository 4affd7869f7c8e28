"""Core, pull request reports: how a text names a pull request (`PR #5`, `owner/name#5`, a link, an address)."""

import re
from dataclasses import dataclass

from errorkb.core.pr_reports.inlines import take_code_span, take_link

LARGEST_NUMBER = 2_147_483_647

_SEGMENT = r"[A-Za-z0-9._-]{1,100}"
_HOST = r"[A-Za-z0-9-]{1,100}(?:\.[A-Za-z0-9-]{1,100}){1,5}"
_REPOSITORY = rf"{_HOST}(?:/{_SEGMENT}){{2,6}}|{_SEGMENT}/{_SEGMENT}"
_WHOLE_REPOSITORY = re.compile(_REPOSITORY)
_PULL_REQUEST = r"(?:PR|MR|pull\s{1,3}request|合并请求|拉取请求)(?![A-Za-z])"
_WRITTEN = re.compile(
    rf"(?P<word>{_PULL_REQUEST})?[\s:：]{{0,3}}(?:(?P<repository>{_REPOSITORY})\s?)?(?P<word2>{_PULL_REQUEST})?\s?"
    r"(?P<mark>[#＃!])?\s?(?P<number>[0-9]{1,10})(?![0-9A-Za-z_])",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    rf"https?://(?:www\.)?(?P<host>{_HOST})/(?P<path>{_SEGMENT}(?:/{_SEGMENT}){{1,5}}?)(?:/-)?"
    r"/(?:pull|pulls|merge_requests|pull-requests)/(?P<number>[0-9]{1,10})(?![0-9])(?:[/?#][^\s()<>\[\]，。；：]{0,200}(?<!:))?"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A pull request; `repository` is None where the text names none, that is for one of the same repository."""

    number: int
    repository: str | None = None

    def as_json(self) -> dict[str, object]:
        """Return the reference as the document has it; a repository that the text did not name is absent."""
        named = {} if self.repository is None else {"repository": self.repository}
        return {**named, "number": self.number}


def parse_repository(text: str) -> str | None:
    """Return `owner/name` (`host/owner/name` for another forge than GitHub) from a name or an address, or None."""
    name = re.sub(r"^https?://(?:www\.)?(?:github\.com/)?", "", text[:1000]).rstrip("/").removesuffix(".git")
    dotted = any(not segment.strip(".") for segment in name.split("/"))
    return name if len(name) <= 200 and not dotted and _WHOLE_REPOSITORY.fullmatch(name) else None


def take_reference(text: str) -> tuple[Reference, str] | None:
    """Read a pull request at a text's start; return it with the rest: `PR #5 （x）: y` gives `" （x）: y"`."""
    text = text.lstrip()
    emphasised = text.startswith("**")
    text = text.removeprefix("**")
    found = _take_linked(text) or _take_written(text)
    if not found:
        return None
    return (found[0], found[1].replace("**", "", 1)) if emphasised else found


def _take_linked(text: str) -> tuple[Reference, str] | None:
    """Read `[PR #5 Title](address)`: the title is left in front of the rest."""
    link = take_link(text)
    if not link:
        return None
    words, address, rest = link
    named = _take_written(words)
    addressed = _take_address(address)
    if named:
        repository = named[0].repository or (addressed[0].repository if addressed else None)
        return Reference(named[0].number, repository), named[1] + rest
    return (addressed[0], words + rest) if addressed else None


def _take_written(text: str) -> tuple[Reference, str] | None:
    span = take_code_span(text)
    if span:
        inner = _take_words(span[0])
        return (inner[0], span[1]) if inner and not inner[1] else None
    return _take_words(text) or _take_address(text)


def _take_words(text: str) -> tuple[Reference, str] | None:
    found = _WRITTEN.match(text)
    if not found or not (found["word"] or found["word2"] or found["mark"]):
        return None
    return _with_rest(found, found["repository"])


def _take_address(text: str) -> tuple[Reference, str] | None:
    found = _ADDRESS.match(text)
    if not found:
        return None
    host, path = found["host"].lower(), found["path"]
    return _with_rest(found, path if host == "github.com" else f"{host}/{path}")


def _with_rest(found: re.Match[str], repository: str | None) -> tuple[Reference, str] | None:
    number = int(found["number"])
    if not 1 <= number <= LARGEST_NUMBER:
        return None
    return Reference(number, repository), found.string[found.end() :]
