"""Admin: pull requests and the reports on them."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from errorkb.admin.document_admins import DocumentAdmin
from errorkb.admin.filters import RepositoryFilter
from errorkb.admin.searches import searched
from errorkb.admin.titles import shown
from errorkb.core.documents import PullRequestDocument
from errorkb.core.moments import moment_in_words
from errorkb.models import PullRequest


@admin.register(PullRequest)
class PullRequestAdmin(DocumentAdmin):
    """Pull requests: loaded from files, changed here."""

    document_model = PullRequestDocument

    list_display = ("shown_number", "repository", "shown_title", "shown_merged", "shown_modified")
    list_display_links = ("shown_number", "shown_title")
    list_filter = (RepositoryFilter,)
    list_select_related = ("repository",)
    search_fields = ("title",)
    search_help_text = "As on the site: words, “phrases”, repo:, or a number."

    @admin.display(description="number", ordering="number")
    def shown_number(self, row: PullRequest) -> str:
        return f"#{row.number}"

    @admin.display(description="title", ordering="title")
    def shown_title(self, row: PullRequest) -> SafeString:
        return shown(row.title or "(title not given)")

    @admin.display(description="merged", ordering="merged_at")
    def shown_merged(self, row: PullRequest) -> str:
        return moment_in_words(row.merged_at) or "–"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PullRequest], search_term: str
    ) -> tuple[QuerySet[PullRequest], bool]:
        text = search_term.strip()
        if not text:
            return queryset, False
        number = text.removeprefix("#")
        if number.isascii() and number.isdigit() and len(number) < 10:
            return queryset.filter(number=int(number)), False
        return searched(queryset, "pull_request", text, is_ranked="o" not in request.GET), False
