"""Scanning: which repository the address of a remote or of a project's page means."""

import re
from urllib.parse import urlsplit

from errorkb.core.forges import FORGES

_GITHUB = FORGES["github"].host
# What is understood of a path: the owner's and the name's segments on forges that have no folders of owners.
_TWO_SEGMENTS = frozenset(forge.host for forge in FORGES.values() if forge.name != "gitlab")
_SAME_HOST = {
    "www.github.com": _GITHUB,
    "ssh.github.com": _GITHUB,
    "www.gitlab.com": "gitlab.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
_SCHEMES = frozenset({"https", "http", "git", "ssh", "git+https", "git+http", "git+ssh"})
# The short form of ssh: https://git-scm.com/docs/git-clone#_git_urls
_SHORT = re.compile(r"(?:[^@/:\s]+@)?(?P<host>[^@/:\s]+):(?P<path>[^:\s]*)")
_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_SEGMENT = re.compile(r"(?!\.+$)[A-Za-z0-9._-]+")
_MAX_SEGMENTS = 6
_MAX_LENGTH = 200
# GitHub's owners whose addresses are pages of GitHub itself.
_PAGES = frozenset({"sponsors", "orgs", "features", "marketplace", "about", "settings", "apps", "users"})


def repository_of(remote_url: str) -> str:
    """Return `owner/name` on GitHub, else `host/owner/name`; empty where an address names no repository on a host.

    Takes every form that git does (https, ssh, git, `git@host:owner/name`), with or without `.git`, port and
    credentials, which are dropped.
    """
    host, path = _host_and_path(remote_url.strip())
    host = _SAME_HOST.get(host, host)
    segments = [segment for segment in path.removesuffix("/").removesuffix(".git").split("/") if segment]
    if not _HOST.fullmatch(host) or not 2 <= len(segments) <= _MAX_SEGMENTS:
        return ""
    if not all(map(_SEGMENT.fullmatch, segments)) or (host in _TWO_SEGMENTS and len(segments) != 2):
        return ""
    name = "/".join(segments if host == _GITHUB else [host, *segments])
    return name if len(name) <= _MAX_LENGTH else ""


def repository_of_page(url: str) -> str:
    """Return the repository of a page on a known forge, such as its list of issues; empty for any other page.

    `https://github.com/django/django/issues` gives `django/django`.
    """
    host, path = _host_and_path(url.strip())
    host = _SAME_HOST.get(host, host)
    segments = [segment for segment in path.partition("/-/")[0].split("/") if segment]
    if host not in {forge.host for forge in FORGES.values()} or segments[:1] in ([page] for page in _PAGES):
        return ""
    if host in _TWO_SEGMENTS:
        segments = segments[:2]
    return repository_of(f"https://{host}/{'/'.join(segments)}")


def _host_and_path(url: str) -> tuple[str, str]:
    """Split an address into host, in small letters, and path; both empty for a path on this machine."""
    short = _SHORT.fullmatch(url)
    if short and "://" not in url:
        return short["host"].lower(), short["path"]
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return "", ""
    return (host.lower(), parts.path) if parts.scheme.lower() in _SCHEMES else ("", "")
