"""Web views: search results, and the list of everything where nothing is asked."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from errorkb.web.pages.searches.help_page import help_page
from errorkb.web.pages.searches.page import entry_named_by, match_address, read_query, search_page


@require_safe
def entry_list(request: HttpRequest) -> HttpResponse:
    """Show what a query finds; a query that is an id leads to its entry, one of several lines to match."""
    if address := match_address(request.GET.get("q", "")):
        return redirect(address)
    query = read_query(request.GET)
    named = entry_named_by(query)
    if named:
        return redirect(named)
    return render(request, "searches/results.html", {"page": search_page(query, request.GET)})


@require_safe
def search_help(request: HttpRequest) -> HttpResponse:
    """Show how to search."""
    return render(request, "searches/help.html", {"page": help_page()})
