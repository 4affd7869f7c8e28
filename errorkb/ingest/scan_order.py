"""Ingest: whether a scan saw a release that comes before one that is only named."""

from errorkb.core.release_order import comes_before, version_in_tag
from errorkb.ingest.releases import version_of
from errorkb.models import Scan


def is_before(scan: Scan, release: str, tag_format: str = "") -> bool:
    """Say whether `scan` saw a release that is known to come before the one with this tag."""
    return comes_before(version_of(scan, tag_format), version_in_tag(release, tag_format))
