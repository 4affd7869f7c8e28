"""Admin: repositories, their names and their releases."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from errorkb.admin.document_admins import DocumentAdmin, LeanChangeList
from errorkb.admin.provenances import moment_html
from errorkb.admin.readings import Row
from errorkb.core.documents import RepositoryDocument
from errorkb.models import Repository, RepositoryAlias


class _CountingChangeList(LeanChangeList):
    """A list that counts the entries of each repository."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        self.root_queryset = Repository.objects.with_counts()
        return super().get_queryset(request, exclude_parameters)


@admin.register(Repository)
class RepositoryAdmin(DocumentAdmin):
    """Repositories: made when a document first names one, described here or by a document of their own."""

    document_model = RepositoryDocument

    list_display = (
        "name",
        "forge",
        "default_branch",
        "entry_count",
        "explained_count",
        "reviewed_count",
        "shown_touched",
    )
    list_filter = ("forge",)
    search_fields = ("key",)
    search_help_text = "A part of the name that it has or had."
    ordering = ("key", "pk")

    @admin.display(description="entries", ordering="entry_count")
    def entry_count(self, row: Any) -> int:
        return int(row.entry_count)

    @admin.display(description="explained", ordering="explained_count")
    def explained_count(self, row: Any) -> int:
        return int(row.explained_count)

    @admin.display(description="reviewed", ordering="reviewed_count")
    def reviewed_count(self, row: Any) -> int:
        return int(row.reviewed_count)

    @admin.display(description="last written to", ordering="touched_at")
    def shown_touched(self, row: Any) -> SafeString:
        return moment_html(row.touched_at)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return _CountingChangeList

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Repository], search_term: str
    ) -> tuple[QuerySet[Repository], bool]:
        key = search_term.strip().lower()
        former = RepositoryAlias.objects.filter(key__contains=key).values("repository")
        return (queryset.filter(Q(key__contains=key) | Q(pk__in=former)) if key else queryset), False

    def opened(self, row: Row | None) -> dict[str, Any]:
        """Return the repository's document, or the beginning of one where only its name is known."""
        return super().opened(row) or {"schema_version": "1.0", "name": str(row)}
