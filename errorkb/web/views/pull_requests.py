"""Web views: one pull request, and the list of those of a repository."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from errorkb.models import PullRequest, Repository
from errorkb.serving.known_pull_requests import KnownPullRequest, known_pull_request
from errorkb.web.pages.pull_requests.known_page import known_pull_request_page
from errorkb.web.pages.pull_requests.list_page import pull_request_list_page
from errorkb.web.pages.pull_requests.page import pull_request_page


@require_safe
def pull_request_detail(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """Show the report on a pull request, or that it is known without one; former names of a repository lead here."""
    repository = Repository.objects.named(name).first()
    if repository is None:
        raise Http404("no such repository is known")
    row = PullRequest.objects.filter(repository=repository, number=number).first()
    found = row or known_pull_request(repository, number)
    if found is None:
        raise Http404("no such pull request is known")
    if name != repository.name:
        return redirect(found.get_absolute_url(), permanent=True)
    if isinstance(found, KnownPullRequest):
        return render(request, "pull_requests/stub.html", {"page": known_pull_request_page(found)})
    found.repository = repository
    return render(request, "pull_requests/pull_request.html", {"page": pull_request_page(found)})


@require_safe
def pull_request_list(request: HttpRequest, name: str) -> HttpResponse:
    """List the pull requests of a repository; its former names lead to its present one."""
    repository = Repository.objects.named(name).first()
    if repository is None:
        raise Http404("no repository of this name is loaded")
    if name != repository.name:
        return redirect(f"{repository.get_absolute_url()}pulls/", permanent=True)
    return render(request, "pull_requests/list.html", {"page": pull_request_list_page(repository, request.GET)})
