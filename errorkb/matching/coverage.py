"""Matching: what this site covers: which repositories, and whether a file of a traceback is in one of them."""

from django.db.models import Exists, OuterRef

from errorkb.models import ErrorEntry, Repository


def covered_repositories() -> list[str]:
    """Return the names of the repositories that have public entries, in order."""
    entries = ErrorEntry.objects.public().filter(repository=OuterRef("pk"))
    return list(Repository.objects.filter(Exists(entries)).order_by("key").values_list("name", flat=True))


def repositories_with_file(path: str) -> list[str]:
    """Return the names of the repositories that have an entry in this file, known by the last two parts of its path.

    A frame's path is where a library is installed, an entry's where its source is: their ends agree.
    """
    ending = "/".join(path.replace("\\", "/").split("/")[-2:])
    if "/" not in ending:
        return []
    found = ErrorEntry.objects.public().filter(frame_key__gte=f"{ending}:", frame_key__lt=f"{ending};")
    return list(found.order_by("repository__key").values_list("repository__name", flat=True).distinct()[:5])
