"""Ingest: which of two scans of a repository saw the later release: by version, else by commit, else by scanning."""

from packaging.version import InvalidVersion, Version

from errorkb.core.source_checks import version_of_tag
from errorkb.models import Scan


def is_newer(scan: Scan, other: Scan, tag_format: str = "") -> bool:
    """Say whether `scan` saw a later release than `other`, never by the date of scanning where more is known."""
    ours, theirs = _version(scan, tag_format), _version(other, tag_format)
    if ours is not None and theirs is not None:
        return ours > theirs
    if scan.committed_at and other.committed_at:
        return (scan.committed_at, scan.at) > (other.committed_at, other.at)
    return scan.at > other.at


def is_before(scan: Scan, release: str, tag_format: str = "") -> bool:
    """Say whether `scan` saw a release that is known to come before the one with this tag."""
    ours, theirs = _version(scan, tag_format), _version(Scan(release=release), tag_format)
    return ours is not None and theirs is not None and ours < theirs


def _version(scan: Scan, tag_format: str) -> Version | None:
    stated = scan.version or version_of_tag(scan.release, tag_format)
    if not stated:
        return None
    try:
        return Version(stated)
    except InvalidVersion:
        return None
