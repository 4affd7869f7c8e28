"""Web views: match: a pasted text, what it tells of, and unknown errors told to the curators."""

from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from errorkb.ingest.misses import record_miss
from errorkb.matching.matching import match
from errorkb.matching.results import MatchOptions, Outcome
from errorkb.web.forms import Pasted, read_pasted
from errorkb.web.pages.matches.misses import told_error
from errorkb.web.pages.matches.page import (
    MatchPage,
    asking_page,
    is_search,
    match_page,
    may_be_search,
    search_address,
)


# Nothing is changed by asking, so that no cookie and no token is needed.
@csrf_exempt
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def match_text(request: HttpRequest) -> HttpResponse:
    """Show what a pasted text tells of; a search from the one box leads to the search."""
    pasted = read_pasted(request)
    if pasted.problem:
        return _shown(request, asking_page(problem=pasted.problem), status=pasted.status)
    if not pasted.text.strip():
        return _shown(request, asking_page(told=request.GET.get("told", "")))
    if pasted.from_home and is_search(pasted.text):
        return redirect(search_address(pasted.text))
    return _answered(request, pasted)


# Only what a page of ours has signed is stored, so that no other site can make a visitor tell anything else.
@csrf_exempt
@require_POST
def tell(request: HttpRequest) -> HttpResponse:
    """Store an unknown error for the curators, as the page that offered it has masked it."""
    try:
        told = record_miss(told_error(request.POST.get("error", "")), now=timezone.now())
    except BadSignature:
        return redirect(f"{reverse('match')}?told=late")
    return redirect(f"{reverse('match')}?told={told.value}")


def _answered(request: HttpRequest, pasted: Pasted) -> HttpResponse:
    result = match(pasted.text, MatchOptions())
    if pasted.from_home and result.outcome is Outcome.UNKNOWN and may_be_search(pasted.text):
        return redirect(search_address(pasted.text))
    return _shown(request, match_page(pasted.text, result))


def _shown(request: HttpRequest, page: MatchPage, *, status: int = 200) -> HttpResponse:
    caching = "no-store" if request.method == "POST" else "private, max-age=0, must-revalidate"
    response = render(request, "matches/match.html", {"page": page}, status=status)
    response["Cache-Control"] = caching
    return response
