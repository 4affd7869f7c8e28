"""Web views: two releases of a repository compared."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from errorkb.models import Repository
from errorkb.web.pages.repositories.comparison_page import comparison_page


@require_safe
def comparison(request: HttpRequest, name: str) -> HttpResponse:
    """Show what became of errors between two releases; a repository's former names lead to its present one."""
    found = Repository.objects.named(name).first()
    if found is None:
        raise Http404("no repository of this name is loaded")
    if name != found.name:
        query = request.META.get("QUERY_STRING", "")
        address = f"{found.get_absolute_url()}compare/"
        return redirect(f"{address}?{query}" if query else address, permanent=True)
    page = comparison_page(found, request.GET)
    return render(request, "comparisons/comparison.html", {"page": page}, status=page.status)
