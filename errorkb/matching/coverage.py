"""Matching: what this site covers: which repositories, and whether a file of a traceback is in one of them."""

from django.db.models import Exists, OuterRef

from errorkb.core.throw_places import file_key, path_parts
from errorkb.models import ErrorEntry, Repository

# So many files of the same name are looked at, so many repositories named.
MAX_SITES = 200
MAX_NAMED = 5


def covered_repositories() -> list[str]:
    """Return the names of the repositories that have public entries, in order."""
    entries = ErrorEntry.objects.public().filter(repository=OuterRef("pk"))
    return list(Repository.objects.filter(Exists(entries)).order_by("key").values_list("name", flat=True))


def repositories_with_file(path: str, *, least: int = 2) -> list[str]:
    """Return the names of the repositories that have an entry in this file, known by the end of its path.

    A frame's path is where a library is installed, an entry's where its source is: `least` says how many of their last
    parts must agree, two or more.
    """
    parts, key = path_parts(path), file_key(path)
    if len(parts) < least:
        return []
    found = ErrorEntry.objects.public().filter(frame_key__gte=f"{key}:", frame_key__lt=f"{key};")
    sites = found.values_list("repository__name", "path").distinct()[:MAX_SITES]
    return sorted({name for name, site in sites if path_parts(site)[-least:] == parts[-least:]})[:MAX_NAMED]
