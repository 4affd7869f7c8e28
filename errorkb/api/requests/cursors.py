"""API: lists a page at a time: where the next page begins is an opaque text that only this site can have made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer
from django.db.models import Model, QuerySet
from pydantic import BaseModel

from errorkb.api.problems import wrong_parameter
from errorkb.api.requests.parameter_errors import ParameterError
from errorkb.core.problems import shown
from errorkb.serving.addresses import absolute_url

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Listing(Generic[M]):
    """A page of rows, and the cursor of the page that follows; None on the last."""

    rows: Sequence[M]
    next_cursor: str | None


def listing(rows: QuerySet[M], *, by: str, cursor: str | None, limit: int) -> Listing[M]:
    """Return at most `limit` rows behind `cursor`, in the order of the unique column `by`.

    Rows that arrive or leave between two pages neither repeat others nor hide them. Raises ProblemError for a cursor
    that no page of such rows has stated.
    """
    signer = Signer(salt=f"errorkb.api.{rows.model.__name__}.{by}", sep=".")
    ordered = rows.order_by(by)
    if cursor is not None:
        ordered = ordered.filter(**{f"{by}__gt": _opened(signer, cursor)})
    found = list(ordered[: limit + 1])
    more = len(found) > limit
    return Listing(found[:limit], signer.sign_object(getattr(found[limit - 1], by)) if more else None)


def next_address(path: str, parameters: BaseModel, cursor: str | None) -> str | None:
    """Return the public address of the page behind a cursor, with the parameters given here; None without a cursor."""
    return list_address(path, parameters, cursor=cursor) if cursor else None


def list_address(path: str, parameters: BaseModel, **changed: str | int) -> str:
    """Return the public address of a list with the parameters that were given here, some of them changed."""
    given = parameters.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)
    return absolute_url(f"{path}?{urlencode(given | changed, doseq=True)}")


def _opened(signer: Signer, cursor: str) -> object:
    try:
        return signer.unsign_object(cursor)
    except BadSignature:
        expected = "a cursor that an answer has stated as `next_cursor`"
        raise wrong_parameter(ParameterError("cursor", expected, shown(cursor))) from None
