"""Web views: one entry."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from errorkb.core.paste_bytes import tidy_paste
from errorkb.models import ErrorEntry
from errorkb.web.pages.entries.page import entry_page

# As much of a release's name as is read.
MAX_RELEASE = 300


@require_safe
def entry_detail(request: HttpRequest, identifier: str) -> HttpResponse:
    """Show an entry at its id; aliases and other letter cases lead to the one form."""
    entry = ErrorEntry.objects.identified(identifier).for_page().first()
    if entry is None or not _may_read(request, entry):
        raise Http404("no entry has this id")
    if identifier != entry.public_id:
        query = request.META.get("QUERY_STRING", "")
        address = entry.get_absolute_url()
        return redirect(f"{address}?{query}" if query else address, permanent=True)
    return render(
        request,
        "entries/entry.html",
        {"page": entry_page(entry, tidy_paste(request.GET.get("release", "")[:MAX_RELEASE]))},
    )


def _may_read(request: HttpRequest, entry: ErrorEntry) -> bool:
    """Say whether the visitor may read an entry: drafts are for signed-in curators only."""
    return entry.state in ("published", "withdrawn") or (request.user.is_active and request.user.is_staff)
