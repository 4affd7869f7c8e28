"""Admin: pull requests that the product found for entries: confirmed, given another role, rejected, and taken back."""

from typing import Any, get_args

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from errorkb.admin.filters import RepositoryFilter
from errorkb.admin.provenances import moment_html
from errorkb.admin.read_only_admins import ReadOnlyAdmin
from errorkb.admin.titles import title_html
from errorkb.core.documents import Role
from errorkb.ingest.links.judgements import MOST_REASON, Judging, judge_found, take_back
from errorkb.models import ErrorEntry, FoundPullRequest, PullRequestJudgement

_ROLES = [("", "role as found"), *((role, role) for role in get_args(Role))]
# Of one link's evidence, so many pieces are shown.
_SHOWN_EVIDENCE = 4
_VERDICTS = PullRequestJudgement.Verdict


class JudgingForm(ActionForm):
    """What is asked beside the action: another role, and why."""

    role = forms.ChoiceField(choices=_ROLES, required=False)
    reason = forms.CharField(required=False, max_length=MOST_REASON)


class _JudgingAdmin(ReadOnlyAdmin):
    """A list in which rows are judged; nothing else is written."""

    list_display_links = None
    list_select_related = ("entry", "repository")

    @admin.display(description="entry")
    def shown_entry(self, row: FoundPullRequest | PullRequestJudgement) -> SafeString:
        address = reverse("admin:errorkb_errorentry_change", args=[row.entry_id])
        return format_html('<a href="{}">{}</a>', address, title_html(row.entry))

    @admin.display(description="pull request", ordering="number")
    def shown_pull_request(self, row: FoundPullRequest | PullRequestJudgement) -> str:
        return f"{row.repository} #{row.number}" if row.number else f"{row.repository} {row.commit[:10]}"

    def has_judge_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("errorkb.change_pullrequestjudgement")

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Lead to the list, which shows all that there is of each."""
        return redirect(f"admin:errorkb_{self.opts.model_name}_changelist")


@admin.register(FoundPullRequest)
class FoundPullRequestAdmin(_JudgingAdmin):
    """Links that git and reports have told, with their evidence and what people said of them."""

    list_display = ("shown_entry", "shown_pull_request", "role", "origin", "shown_evidence", "shown_verdict")
    list_filter = ("role", "origin", RepositoryFilter)
    search_fields = ("=number", "entry__public_id", "commit")
    search_help_text = "A number, an entry's id, a commit. Confirm or reject what is ticked; a role changes it."
    ordering = ("-pk",)
    action_form = JudgingForm
    actions = ("confirm", "reject")

    def get_queryset(self, request: HttpRequest) -> QuerySet[FoundPullRequest]:
        same = Q(number=OuterRef("number")) | Q(number__isnull=True, commit=OuterRef("commit"))
        told = PullRequestJudgement.objects.filter(same, entry=OuterRef("entry"), repository=OuterRef("repository"))
        rows = FoundPullRequest.objects.defer("entry__document", "entry__owners", "repository__document")
        return rows.annotate(verdict=Subquery(told.values("verdict")[:1]), given=Subquery(told.values("role")[:1]))

    @admin.display(description="what speaks for it")
    def shown_evidence(self, row: FoundPullRequest) -> SafeString:
        pieces = ((piece["text"],) for piece in row.evidence[:_SHOWN_EVIDENCE])
        return format_html_join("", "<div>{}</div>", pieces)

    @admin.display(description="verdict")
    def shown_verdict(self, row: FoundPullRequest) -> str:
        told: dict[str, Any] = vars(row)
        return f"{told['verdict']}{' as ' + told['given'] if told['given'] else ''}" if told["verdict"] else "–"

    @admin.action(description="Confirm", permissions=["judge"])
    def confirm(self, request: HttpRequest, rows: QuerySet[FoundPullRequest]) -> None:
        """Say that these links are right, with another role where one is chosen."""
        self._judge(request, rows, _VERDICTS.CONFIRMED, request.POST.get("role", ""))

    @admin.action(description="Reject", permissions=["judge"])
    def reject(self, request: HttpRequest, rows: QuerySet[FoundPullRequest]) -> None:
        """Say that these links are wrong: they are not shown again."""
        self._judge(request, rows, _VERDICTS.REJECTED, "")

    def _judge(self, request: HttpRequest, rows: QuerySet[FoundPullRequest], verdict: str, role: str) -> None:
        judging = Judging(request.user.get_username(), verdict, role, request.POST.get("reason", "").strip())
        count = judge_found(rows, judging, timezone.now())
        self.message_user(request, f"{count} {verdict}.", messages.SUCCESS)


@admin.register(PullRequestJudgement)
class PullRequestJudgementAdmin(_JudgingAdmin):
    """What people said of found pull requests; all that can be done is to take it back."""

    list_display = ("shown_entry", "shown_pull_request", "verdict", "role", "reason", "person", "shown_at")
    list_filter = ("verdict", RepositoryFilter)
    search_fields = ("=number", "entry__public_id", "reason")
    ordering = ("-at", "-pk")
    actions = ("take_back",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[PullRequestJudgement]:
        return PullRequestJudgement.objects.defer("entry__document", "entry__owners", "repository__document")

    @admin.display(description="when", ordering="at")
    def shown_at(self, row: PullRequestJudgement) -> SafeString:
        return moment_html(row.at)

    @admin.action(description="Take back", permissions=["judge"])
    def take_back(self, request: HttpRequest, rows: QuerySet[PullRequestJudgement]) -> None:
        """Let it be as the product finds it."""
        count = take_back(list(rows), timezone.now())
        self.message_user(request, f"{count} taken back.", messages.SUCCESS)


def found_list_address(entry: ErrorEntry) -> str:
    """Return the address of the list of what was found for an entry; empty where there is nothing."""
    if not entry.found_pull_requests.exists():
        return ""
    return f"{reverse('admin:errorkb_foundpullrequest_changelist')}?q={entry.public_id}"
