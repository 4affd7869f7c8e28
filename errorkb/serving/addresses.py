"""Serving: the public addresses of this site."""

from django.conf import settings


def absolute_url(path: str) -> str:
    """Return the public address of a path of this site."""
    return f"{settings.SITE_URL}{path}"
