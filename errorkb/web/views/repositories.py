"""Web views: one repository."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from errorkb.models import Repository
from errorkb.web.pages.repositories.page import repository_page


@require_safe
def repository_detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show a repository; its former names lead to its present one."""
    found = Repository.objects.named(name).first()
    if found is None:
        raise Http404("no repository of this name is loaded")
    if name != found.name:
        return redirect(found, permanent=True)
    repository = Repository.objects.with_counts().get(pk=found.pk)
    return render(request, "repositories/repository.html", {"page": repository_page(repository, request.GET)})
