"""Models: expressions that columns are indexed by, the same on every database."""

from django.db.models import F, Func
from django.db.models.functions import Upper


class LastName(Func):
    """The last part of a dotted name: `FieldError` of `django.core.exceptions.FieldError`.

    What is behind the last dot: a name whose end without dots was cut off ends with its last dot, and this beginning
    is taken away from the whole. Of a column alone: an expression with parameters would need them three times.
    """

    template = "REPLACE(%(expressions)s, RTRIM(%(expressions)s, REPLACE(%(expressions)s, '.', '')), '')"
    arity = 1


def folded_last_name(column: str) -> Upper:
    """Return the last part of a dotted name in upper case, of ASCII letters alone, as PostgreSQL does in locale C."""
    return Upper(LastName(F(column)))
