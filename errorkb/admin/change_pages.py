"""Admin: the page on which a person changes or makes a document: show, preview, save, meet what others saved."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from errorkb.admin.differences_in_words import ShownDifference, place_in_words, shown_differences
from errorkb.admin.document_pages import DocumentPages
from errorkb.admin.forms.document_forms import DocumentForm
from errorkb.admin.readings import Row, changed_by_both, document_read, overlaid
from errorkb.admin.titles import title_in_short
from errorkb.core.differences import differences, json_equal
from errorkb.core.problems import DocumentError
from errorkb.core.rendering import render_markdown
from errorkb.ingest.edits import Edit, EditedMeanwhileError, create_entry, edit

TEMPLATE = "admin/errorkb/change.html"
_NOTHING = "Nothing was changed, so nothing was saved."


@dataclass(frozen=True)
class Meanwhile:
    """What others have saved since the state was read, and where that meets what was typed.

    Without `differences` the state that was read is kept no more.
    """

    differences: list[ShownDifference]
    both: list[str]
    is_lost: bool = False


@dataclass(frozen=True)
class PreviewedText:
    """A Markdown text of the form as readers will see it."""

    label: str
    box: str
    html: SafeString


class ChangePage:
    """One request for the page of a document; `row` is None for a new one."""

    def __init__(self, admin: DocumentPages, request: HttpRequest, row: Row | None) -> None:
        self.admin, self.request, self.row = admin, request, row
        self.may_write = admin.has_change_permission(request, row) if row else admin.has_add_permission(request)
        self.read_hash = row.content_hash if row else ""

    def respond(self) -> HttpResponse:
        """Show the form, or take what was typed."""
        if self.request.method != "POST":
            return self._shown(self._form(self._stored()))
        if not self.may_write:
            raise PermissionDenied
        return self._submitted(self.request.POST)

    def _submitted(self, data: QueryDict) -> HttpResponse:
        base = self._stored()
        if self.row and data.get("read_hash", "") != self.read_hash:
            read = document_read(self.row, data.get("read_hash", ""))
            if read is None:
                return self._shown(self._form(base, data), meanwhile=Meanwhile([], [], is_lost=True))
            base = read
        form = self._form(base, data)
        is_valid = form.part.is_valid()
        if "_save" not in data and "_continue" not in data:
            form.add_blank_rows()
            return self._shown(form, is_preview="_preview" in data)
        if not is_valid:
            return self._refused(form)
        mine = form.built()
        if self.row and json_equal(base, mine):
            messages.info(self.request, _NOTHING)
            return HttpResponseRedirect(self.request.path)
        return self._save(form, base, mine) if form.save.is_valid() else self._refused(form)

    def _save(self, form: DocumentForm, base: dict[str, Any], mine: dict[str, Any]) -> HttpResponse:
        reason = form.save.cleaned_data["reason"]
        document = self.admin.completed(base, mine, reason)
        try:
            if self.row is None:
                self.row = create_entry(document, self._edit(reason), clock=timezone.now)
                return self._created(self.row, reason)
            stored = self._stored()
            if not json_equal(base, stored):
                if form.save.cleaned_data["seen_hash"] != self.read_hash:
                    return self._met(base, mine)
                document = overlaid(base, document, stored)
            edit(self.row, document, self._edit(reason), clock=timezone.now)
        except DocumentError as error:
            form.place(error.problems)
            return self._refused(form)
        except EditedMeanwhileError:
            return self._met(base, mine)
        return self._changed(self.row, reason)

    def _met(self, base: dict[str, Any], mine: dict[str, Any]) -> HttpResponse:
        """Show what was typed beside what others have saved meanwhile; saving again puts the one onto the other."""
        assert self.row is not None, "only a stored document can have been changed by others"
        self.row.refresh_from_db()
        stored = self._stored()
        data = self.request.POST.copy()
        data["seen_hash"] = self.row.content_hash
        both = [place_in_words(difference.path) for difference in changed_by_both(base, mine, stored)]
        meanwhile = Meanwhile(shown_differences(differences(base, stored)), both)
        form = self._form(base, data)
        form.part.is_valid()
        form.add_blank_rows()
        return self._shown(form, meanwhile=meanwhile)

    def _refused(self, form: DocumentForm) -> HttpResponse:
        form.add_blank_rows()
        return self._shown(form)

    def _created(self, row: Row, reason: str) -> HttpResponse:
        self.admin.log_addition(self.request, row, reason)
        return self._done(row, "was made")

    def _changed(self, row: Row, reason: str) -> HttpResponse:
        self.admin.log_change(self.request, row, reason)
        return self._done(row, "was saved")

    def _done(self, row: Row, what: str) -> HttpResponse:
        messages.success(self.request, f"{title_in_short(row)} {what}.")
        return HttpResponseRedirect(self.admin.address(row if "_continue" in self.request.POST else None))

    def _stored(self) -> dict[str, Any]:
        return self.admin.opened(self.row)

    def _edit(self, reason: str) -> Edit:
        return Edit(self.request.user.get_username(), reason, self.read_hash)

    def _form(self, base: dict[str, Any], data: QueryDict | None = None) -> DocumentForm:
        is_saved = data is not None and ("_save" in data or "_continue" in data)
        return DocumentForm(
            self.admin.document_model, base, self.read_hash, data, editable=self.may_write, is_saved=is_saved
        )

    def _shown(
        self, form: DocumentForm, *, meanwhile: Meanwhile | None = None, is_preview: bool = False
    ) -> HttpResponse:
        row = self.row
        verb = ("Change" if self.may_write else "View") if row else "Add"
        context = self.admin.page_context(self.request, row) | self.admin.form_context(row)
        context |= {
            "title": f"{verb} {self.admin.opts.verbose_name}",
            "form": form,
            "meanwhile": meanwhile,
            "is_editable": self.may_write,
            "previews": _previews(form) if is_preview else None,
        }
        return TemplateResponse(self.request, TEMPLATE, context)


def _previews(form: DocumentForm) -> list[PreviewedText]:
    texts = form.texts_in_markdown()
    return [PreviewedText(label, box, mark_safe(render_markdown(text))) for label, box, text in texts]
