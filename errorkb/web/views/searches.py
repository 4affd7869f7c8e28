"""Web views: search results, and the list of everything where nothing is asked."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from errorkb.web.pages.searches import entry_named_by, read_query, search_page


@require_safe
def entry_list(request: HttpRequest) -> HttpResponse:
    """Show what a query finds; a query that is an id leads to its entry."""
    query = read_query(request.GET)
    named = entry_named_by(query)
    if named:
        return redirect(named)
    return render(request, "searches/results.html", {"page": search_page(query, request.GET)})
