"""Web views: what machines ask about the site itself."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

_ROBOTS = """User-agent: *
Disallow: /admin/
Disallow: /errors/?q=
Disallow: /match/?
"""


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer `ok` if the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return _text("the database does not answer", status=503)
    return _text("ok")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell crawlers what to leave alone: curation, and the endless space of searches."""
    return _text(_ROBOTS)


def _text(text: str, *, status: int = 200) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8", status=status)
