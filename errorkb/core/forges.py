"""Core: addresses on forges (GitHub, GitLab, Gitea, Codeberg, Bitbucket), one row a forge."""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlsplit


@dataclass(frozen=True)
class Forge:
    """How a forge writes addresses; each is a format of `base` (scheme, host, repository) and more."""

    name: str
    host: str
    blob: str
    line: str
    lines: str
    pull_request: str
    commit: str


_GITEA = (
    "{base}/src/commit/{pin}/{path}",
    "#L{line}",
    "#L{line}-L{end}",
    "{base}/pulls/{number}",
    "{base}/commit/{commit}",
)

FORGES = {
    forge.name: forge
    for forge in (
        Forge(
            "github",
            "github.com",
            "{base}/blob/{pin}/{path}",
            "#L{line}",
            "#L{line}-L{end}",
            "{base}/pull/{number}",
            "{base}/commit/{commit}",
        ),
        Forge(
            "gitlab",
            "gitlab.com",
            "{base}/-/blob/{pin}/{path}",
            "#L{line}",
            "#L{line}-{end}",
            "{base}/-/merge_requests/{number}",
            "{base}/-/commit/{commit}",
        ),
        Forge("gitea", "gitea.com", *_GITEA),
        Forge("codeberg", "codeberg.org", *_GITEA),
        Forge(
            "bitbucket",
            "bitbucket.org",
            "{base}/src/{pin}/{path}",
            "#lines-{line}",
            "#lines-{line}:{end}",
            "{base}/pull-requests/{number}",
            "{base}/commits/{commit}",
        ),
    )
}
_BY_HOST = {forge.host: forge for forge in FORGES.values()}
_TAG = {"gitea": "{base}/src/tag/{pin}/{path}", "codeberg": "{base}/src/tag/{pin}/{path}"}
_BRANCH = {"gitea": "{base}/src/branch/{pin}/{path}", "codeberg": "{base}/src/branch/{pin}/{path}"}


@dataclass(frozen=True)
class RepositoryLinks:
    """The addresses of one repository on its forge."""

    forge: Forge
    base: str

    def blob(self, path: str, pin: str, *, line: int | None = None, end_line: int | None = None) -> str:
        """Return the address of a file at a commit, tag or branch, and at its line or lines where given."""
        pattern = self.forge.blob if is_commit(pin) else _TAG.get(self.forge.name, self.forge.blob)
        address = pattern.format(base=self.base, pin=quote(pin, safe="/"), path=_quoted_path(path))
        if line is None:
            return address
        if end_line is None or end_line <= line:
            return address + self.forge.line.format(line=line)
        return address + self.forge.lines.format(line=line, end=end_line)

    def branch_blob(self, path: str, branch: str) -> str:
        """Return the address of a file on a branch."""
        pattern = _BRANCH.get(self.forge.name, self.forge.blob)
        return pattern.format(base=self.base, pin=quote(branch, safe="/"), path=_quoted_path(path))

    def pull_request(self, number: int) -> str:
        return self.forge.pull_request.format(base=self.base, number=number)

    def commit(self, commit: str) -> str:
        return self.forge.commit.format(base=self.base, commit=commit)


def repository_links(name: str, *, forge: str | None = None, url: str | None = None) -> RepositoryLinks | None:
    """Return a repository's addresses: by its document's `forge` and `url`, else by a host in front of its name.

    `owner/name` is on GitHub unless something says otherwise. Returns None for a host of unknown kind.
    """
    host, path = split_host(name)
    web = web_address(url)
    if web:
        known = FORGES.get(forge or "") or _BY_HOST.get(urlsplit(web).hostname or "")
        return RepositoryLinks(known, web.rstrip("/").removesuffix(".git")) if known else None
    known = FORGES.get(forge or "") or (_BY_HOST.get(host) if host else FORGES["github"])
    if known is None:
        return None
    return RepositoryLinks(known, f"https://{host or known.host}/{path}")


def split_host(name: str) -> tuple[str, str]:
    """Split `gitlab.com/group/name` into host and path; the host is empty for `owner/name`."""
    first, _, rest = name.partition("/")
    if "." in first and "/" in rest:
        return first.lower(), rest
    return "", name


def web_address(url: str | None) -> str | None:
    """Return the address if a browser may follow it (http or https, with a host, nothing hidden), else None."""
    if not url or not re.match(r"https?://[^\s/?#@\\]+(?:[/?#]|$)", url, re.IGNORECASE):
        return None
    if re.search(r"[\x00-\x20\x7f-\x9f<>\"\\^`{|}\u2028\u2029\u202a-\u202e\u2066-\u2069]", url):
        return None
    try:
        return url if urlsplit(url).hostname else None
    except ValueError:
        return None


def is_commit(pin: str) -> bool:
    return re.fullmatch(r"[0-9a-fA-F]{7,40}", pin) is not None


def _quoted_path(path: str) -> str:
    return "/".join(quote(segment, safe="") for segment in path.split("/") if segment not in ("", ".", ".."))
