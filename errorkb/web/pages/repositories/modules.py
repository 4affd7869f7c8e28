"""Web pages: which entries are in a module or below it, as a condition that leads a database by its index."""

from django.db.models import Q

# The first sign behind the slash: texts are ordered by code points (docs/postgresql.md).
_BEHIND_SLASH = chr(ord("/") + 1)


def inside(module: str) -> Q:
    """Return the condition of being in a module or below it, none for no module; letter case counts.

    No module has a NUL, which PostgreSQL refuses.
    """
    if not module:
        return Q()
    module = module.replace("\x00", "\ufffd")
    near = Q(module__gte=module, module__lt=module + _BEHIND_SLASH)
    return near & (Q(module=module) | Q(module__gte=f"{module}/"))
