"""API: one body as an HTTP answer: its bytes, what validates them, and no more than the client needs."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, HttpResponsePermanentRedirect
from django.utils import timezone
from django.utils.encoding import escape_uri_path
from django.utils.http import http_date

from errorkb.api.problems import ProblemError
from errorkb.api.requests.conditions import Validators, judge
from errorkb.core.json_documents import dump_document
from errorkb.serving.addresses import absolute_url

JSON = "application/json"
# A cache may keep the answer, and asks each time whether it still holds.
REVALIDATED = "public, max-age=0, must-revalidate"
# The same, but for what somebody has pasted: only their own cache may keep the answer.
PRIVATE = "private, max-age=0, must-revalidate"
NOT_STORED = "no-store"


def answer(
    request: HttpRequest,
    body: Mapping[str, Any],
    *,
    last_modified: datetime | None = None,
    links: Mapping[str, str] | None = None,
    media_type: str = JSON,
    caching: str = REVALIDATED,
) -> HttpResponse:
    """Return `body` as JSON, with an entity tag over every byte of it; 304 where the client has these bytes.

    `links` are addresses by the parameters of their Link headers, such as `rel="next"`; `caching` is the Cache-Control
    header. Raises ProblemError where a precondition of the request does not hold.
    """
    content = dump_document(body).encode("utf-8")
    validators = Validators(f'"{hashlib.sha256(content).hexdigest()}"', last_modified)
    now = timezone.now()
    headers = _headers(validators, now, len(content), caching)
    verdict = judge(request.headers, validators, now)
    if verdict is HTTPStatus.PRECONDITION_FAILED:
        raise ProblemError("precondition-failed", "There is another state here than the request asks for.")
    if verdict is HTTPStatus.NOT_MODIFIED:
        return HttpResponseNotModified(headers=headers)
    if links:
        headers["Link"] = ", ".join(f"<{address}>; {parameters}" for parameters, address in links.items())
    return HttpResponse(content, content_type=media_type, headers=headers)


def passing_answer(body: Mapping[str, Any]) -> HttpResponse:
    """Return `body` as JSON that no cache keeps, for what was posted."""
    return HttpResponse(dump_document(body), content_type=JSON, headers={"Cache-Control": NOT_STORED})


def one_form(request: HttpRequest, address: str) -> HttpResponse | None:
    """Return the redirect to the one form of an address, or None where it was asked for in that form."""
    if request.path == address:
        return None
    query = request.META.get("QUERY_STRING", "")
    path = escape_uri_path(address)
    return HttpResponsePermanentRedirect(f"{path}?{query}" if query else path)


def document_links(page: str, schema: str) -> dict[str, str]:
    """Return the links of a document's answer: its page, and the schema of the document by that name."""
    return {
        'rel="alternate"; type="text/html"': absolute_url(page),
        'rel="describedby"; type="application/schema+json"': absolute_url(f"/api/schemas/{schema}.json"),
    }


def next_link(address: str | None) -> dict[str, str]:
    """Return the link to the next page of a list, if there is one."""
    return {'rel="next"': address} if address else {}


def _headers(validators: Validators, now: datetime, length: int, caching: str) -> dict[str, str]:
    """Return the headers that 200 and 304 share; the length too is what 200 has (RFC 9110, 8.6)."""
    stated = validators.stated_second(now)
    dated = {} if stated is None else {"Last-Modified": http_date(stated)}
    return {"Cache-Control": caching, "ETag": validators.etag, "Content-Length": str(length)} | dated
