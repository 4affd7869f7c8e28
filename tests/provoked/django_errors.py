"""Tests of match on provoked errors: Django."""

import asyncio
import warnings
from datetime import datetime

from django import forms
from django.apps import apps
from django.apps.registry import Apps
from django.conf import LazySettings
from django.core import signing
from django.core.management import call_command
from django.core.paginator import Paginator
from django.core.validators import MinValueValidator, validate_email
from django.db import models, transaction
from django.http import HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.template import Context, Template
from django.template.loader import get_template
from django.test import RequestFactory
from django.urls import resolve, reverse
from django.utils._os import safe_join
from django.utils.module_loading import import_string

from errorkb.models import ErrorEntry, Repository
from tests.provoked.rows import Rows

ROWS = Rows()


@ROWS.thrown_at("django/apps/registry.py", "Apps.__init__")
def apps_without_installed_apps() -> None:
    Apps(None)


@ROWS.thrown_at("django/apps/registry.py", "Apps.get_app_config")
def app_label_that_nobody_has() -> None:
    apps.get_app_config("shop")


@ROWS.thrown_at("django/apps/config.py", "AppConfig.get_model")
def model_that_an_app_lacks() -> None:
    apps.get_model("errorkb", "Shelf")


@ROWS.thrown_at("django/conf/__init__.py", "LazySettings.configure")
def settings_configured_twice() -> None:
    settings = LazySettings()
    settings.configure(DEBUG=True)
    settings.configure(DEBUG=False)


@ROWS.thrown_at("django/db/models/query.py", "QuerySet.get")
def row_that_is_missing() -> None:
    ErrorEntry.objects.get(pk=-1)


@ROWS.thrown_at("django/db/models/query.py", "QuerySet.get")
def several_rows_where_one_is_asked_for() -> None:
    now = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
    for name in ("acme/one", "acme/two"):
        Repository.objects.create(name=name, key=name, created_at=now, modified_at=now, touched_at=now)
    Repository.objects.get(name__startswith="acme/")


@ROWS.thrown_at("django/db/models/sql/query.py", "Query.names_to_path")
def field_that_a_model_lacks() -> None:
    ErrorEntry.objects.filter(colour="red")


@ROWS.thrown_at("django/db/models/sql/query.py", "Query.try_transform")
def lookup_that_a_field_lacks() -> None:
    ErrorEntry.objects.filter(message__near="x")


@ROWS.thrown_at("django/db/models/query.py", "QuerySet.__getitem__")
def last_of_a_query() -> None:
    ErrorEntry.objects.all()[-1]


@ROWS.thrown_at("django/db/models/query.py", "QuerySet._filter_or_exclude")
def filter_behind_a_slice() -> None:
    ErrorEntry.objects.all()[:5].filter(kind="error")


@ROWS.thrown_at("django/db/models/base.py", "Model.__init__")
def argument_that_a_model_does_not_take() -> None:
    ErrorEntry(colour="red")


@ROWS.thrown_at("django/db/models/fields/__init__.py", "Field.validate")
def empty_value_of_a_model() -> None:
    field = models.CharField(max_length=3)
    field.clean("", None)


@ROWS.thrown_at("django/db/models/base.py", "Model.full_clean")
def model_with_wrong_fields() -> None:
    Repository(name="x" * 2_000).full_clean()


@ROWS.thrown_at("django/db/models/fields/__init__.py", "DateTimeField.get_prep_value")
def warning_of_a_naive_moment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ErrorEntry.objects.filter(created_at=datetime(2026, 1, 1))


@ROWS.thrown_at("django/db/backends/base/base.py", "BaseDatabaseWrapper.validate_no_broken_transaction")
def query_in_a_broken_transaction() -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        ErrorEntry.objects.exists()


@ROWS.thrown_at("django/utils/asyncio.py", "async_unsafe.decorator.inner")
def query_in_an_event_loop() -> None:
    async def ask() -> None:
        ErrorEntry.objects.exists()

    asyncio.run(ask())


@ROWS.thrown_at("django/urls/resolvers.py", "URLResolver._reverse_with_prefix")
def reverse_of_a_name_that_nobody_has() -> None:
    reverse("shelf-detail", kwargs={"pk": 3})


@ROWS.thrown_at("django/urls/resolvers.py", "URLResolver.resolve")
def address_that_nothing_answers() -> None:
    resolve("/shelves/3/")


@ROWS.thrown_at("django/urls/base.py", "reverse")
def reverse_in_a_namespace_that_nobody_has() -> None:
    reverse("shop:shelf")


@ROWS.thrown_at("django/template/base.py", "Parser.invalid_block_tag")
def template_tag_that_nobody_registered() -> None:
    Template("{% shelf %}")


@ROWS.thrown_at("django/template/base.py", "Parser.unclosed_block_tag")
def template_tag_that_is_not_closed() -> None:
    Template("{% if a %}yes")


@ROWS.thrown_at("django/template/base.py", "Parser.find_filter")
def template_filter_that_nobody_registered() -> None:
    Template("{{ a|shelf }}")


@ROWS.thrown_at("django/urls/resolvers.py", "URLResolver._reverse_with_prefix")
def link_in_a_template_that_leads_nowhere() -> None:
    Template("{% url 'shelf-detail' 3 %}").render(Context())


@ROWS.thrown_at("django/template/loader.py", "get_template")
def template_that_is_missing() -> None:
    get_template("shelves/detail.html")


@ROWS.thrown_at("django/core/validators.py", "EmailValidator.__call__")
def mail_address_without_an_at() -> None:
    validate_email("ana")


@ROWS.thrown_at("django/core/validators.py", "BaseValidator.__call__")
def value_below_its_least() -> None:
    MinValueValidator(3)(1)


@ROWS.thrown_at("django/forms/fields.py", "IntegerField.to_python")
def word_for_an_integer() -> None:
    forms.IntegerField().clean("three")


@ROWS.thrown_at("django/forms/fields.py", "ChoiceField.validate")
def choice_that_is_not_offered() -> None:
    forms.ChoiceField(choices=[("a", "A")]).clean("b")


@ROWS.thrown_at("django/core/paginator.py", "Paginator.validate_number")
def page_that_is_no_number() -> None:
    Paginator([1], 1).page("x")


@ROWS.thrown_at("django/core/paginator.py", "Paginator.validate_number")
def page_behind_the_last() -> None:
    Paginator([1], 1).page(9)


@ROWS.thrown_at("django/core/signing.py", "Signer.unsign")
def signature_that_is_missing() -> None:
    signing.loads("bad")


@ROWS.thrown_at("django/core/signing.py", "Signer.unsign")
def signature_that_is_wrong() -> None:
    signing.Signer().unsign("value:signature")


@ROWS.thrown_at("django/core/management/__init__.py", "call_command")
def command_that_is_missing() -> None:
    call_command("stack_shelves")


@ROWS.thrown_at("django/core/management/base.py", "CommandParser.error")
def command_without_its_argument() -> None:
    call_command("sqlmigrate", "errorkb")


@ROWS.thrown_at("django/db/migrations/loader.py", "MigrationLoader.get_migration_by_prefix")
def migration_that_is_missing() -> None:
    call_command("sqlmigrate", "errorkb", "9999")


@ROWS.thrown_at("django/utils/_os.py", "safe_join")
def path_that_leaves_its_folder() -> None:
    safe_join("/srv/media", "../secret")


@ROWS.thrown_at("django/utils/module_loading.py", "import_string")
def dotted_path_without_dots() -> None:
    import_string("shelves")


@ROWS.thrown_at("django/utils/module_loading.py", "import_string")
def dotted_path_to_nothing() -> None:
    import_string("django.utils.text.shelve")


@ROWS.thrown_at("django/http/response.py", "ResponseHeaders._convert_to_charset")
def header_with_a_line_break() -> None:
    HttpResponse(headers={"X-Shelf": "a\nb"})


@ROWS.thrown_at("django/http/response.py", "HttpResponseBase.__init__")
def status_out_of_range() -> None:
    HttpResponse(status=7)


@ROWS.thrown_at("django/http/response.py", "JsonResponse.__init__")
def list_as_json() -> None:
    JsonResponse([1])


@ROWS.thrown_at("django/http/response.py", "StreamingHttpResponse.content")
def content_of_a_stream() -> None:
    _ = StreamingHttpResponse([b"a"]).content


@ROWS.thrown_at("django/http/request.py", "HttpRequest.get_host")
def host_that_is_not_allowed() -> None:
    RequestFactory().get("/", headers={"host": "evil.example"}).get_host()


@ROWS.thrown_at("django/http/request.py", "QueryDict._assert_mutable")
def query_that_is_changed() -> None:
    QueryDict("a=1")["b"] = "2"


@ROWS.thrown_at("django/utils/datastructures.py", "MultiValueDict.__getitem__")
def parameter_that_is_missing() -> None:
    QueryDict("a=1")["b"]


@ROWS.thrown_at("django/utils/datastructures.py", "MultiValueDict.__getitem__")
def parameter_that_is_missing_in_own_handler() -> None:
    try:
        QueryDict("a=1")["colour"]
    except KeyError as error:
        raise RuntimeError("cannot paint the shelf") from error


@ROWS.thrown_at("django/db/models/sql/query.py", "Query.names_to_path")
def wrong_field_among_others() -> None:
    errors: list[Exception] = []
    for call in (lambda: int("seven"), lambda: ErrorEntry.objects.order_by("-colour")):
        try:
            call()
        except Exception as error:
            errors.append(error)
    raise ExceptionGroup("the shelf has several faults", errors)


@ROWS.thrown_at("django/forms/models.py", "ModelFormMetaclass.__new__")
def model_form_without_fields() -> None:
    class ShelfForm(forms.ModelForm):
        class Meta:
            model = Repository


@ROWS.thrown_at("django/db/models/base.py", "ModelBase.__new__")
def model_outside_of_any_app() -> None:
    type("Shelf", (models.Model,), {"__module__": "shelves.models"})
