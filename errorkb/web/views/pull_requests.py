"""Web views: one pull request."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from errorkb.models import PullRequest, Repository
from errorkb.web.pages.pull_requests import pull_request_page


@require_safe
def pull_request_detail(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show the report on a pull request; a repository's former names lead to its present one."""
    repository = Repository.objects.named(name).first()
    row = PullRequest.objects.filter(repository=repository, number=number).first() if repository else None
    if repository is None or row is None:
        raise Http404("no report on this pull request is loaded")
    row.repository = repository
    if name != repository.name:
        return redirect(row, permanent=True)
    return render(request, "pull_requests/pull_request.html", {"page": pull_request_page(row)})
