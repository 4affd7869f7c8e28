"""Admin: the filters beside the lists."""

from typing import Any, ClassVar, get_args

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from errorkb.admin.provenances import COMMANDS
from errorkb.core.documents import Kind, State
from errorkb.models import Repository

# A longer list is no choice any more; `repo:` in the search box finds every repository.
MOST_REPOSITORIES = 50


class RepositoryFilter(admin.SimpleListFilter):
    """Entries and pull requests of one repository."""

    title = "repository"
    parameter_name = "repository"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        names = Repository.objects.values_list("key", "name")[:MOST_REPOSITORIES]
        return list(names)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        named = Repository.objects.named(self.value() or "").values("pk")
        return queryset.filter(repository__in=named) if self.value() else queryset


class _WordFilter(admin.SimpleListFilter):
    """Rows whose column has one of a few words."""

    words: ClassVar[tuple[str, ...]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(word, word.replace("_", " ")) for word in self.words]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{str(self.parameter_name): self.value()}) if self.value() in self.words else queryset


class KindFilter(_WordFilter):
    title = "kind"
    parameter_name = "kind"
    words = get_args(Kind)


class StateFilter(_WordFilter):
    title = "state"
    parameter_name = "state"
    words = get_args(State)


class WriterFilter(admin.SimpleListFilter):
    """Revisions and batches by the kind of who wrote them."""

    title = "writer"
    parameter_name = "writer"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("person", "a person"), ("file", "a file"), ("tool", "a tool"), ("scan", "a scan")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(writer__startswith=f"{self.value()}:") if self.value() else queryset


class CommandFilter(admin.SimpleListFilter):
    """Batches by what they were."""

    title = "what"
    parameter_name = "command"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(COMMANDS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(command=self.value()) if self.value() else queryset


class DisagreeingFilter(admin.SimpleListFilter):
    """Entries that do not agree with the source."""

    title = "checks"
    parameter_name = "checks"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("disagreeing", "disagrees with its source"), ("missing", "uses names that its source lacks")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(_FAILED.get(self.value() or "", Q()))


_FAILED = {"disagreeing": Q(filled__has_key="disagreements"), "missing": Q(checked__missing__0__isnull=False)}
