"""API: the one interface that all operations belong to, and what it says when one of them fails."""

from django.http import Http404
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from errorkb.api import (
    affected,
    comparisons,
    entries,
    matches,
    pull_request_lists,
    pull_requests,
    repositories,
    schemas,
    searches,
    suggestions,
)
from errorkb.api.problems import problem_for

VERSION = "1.0"

interface = NinjaAPI(
    title="errorkb",
    version=VERSION,
    description=(
        "Every error as JSON: the line that throws it, what it means, what to do about it. Open to everybody for "
        "reading, without a key; pages of other sites may read it too (CORS)."
    ),
    urls_namespace="api",
    openapi_url=None,
    docs_url=None,
)
for module in (
    entries, affected, comparisons, pull_request_lists, matches, searches, suggestions, repositories, pull_requests,
    schemas,
):  # fmt: skip
    interface.add_router("", module.router)
for exception in (Exception, Http404, HttpError, ValidationError):
    interface.add_exception_handler(exception, problem_for)
