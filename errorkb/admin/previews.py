"""Admin: a Markdown text as readers will see it, for the boxes that show it while somebody types."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from errorkb.core.rendering import render_markdown


@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """Answer the `text` of a form as a fragment of HTML; the admin site lets in staff only, with a CSRF token."""
    return HttpResponse(render_markdown(request.POST.get("text", "")))
