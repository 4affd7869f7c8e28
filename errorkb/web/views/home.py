"""Web views: the home page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from errorkb.web.pages.home import home_page


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the one box, three samples, and what is covered."""
    return render(request, "home/home.html", {"page": home_page()})
