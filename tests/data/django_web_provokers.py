"""Tests of the shipped data: how users of Django meet errors of URLs, views, templates and forms."""

import sys
from types import ModuleType

from django.contrib.auth.models import User
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.template import Engine
from django.template.loader import get_template
from django.test import Client, override_settings
from django.urls import include, path, resolve, reverse
from django.urls.resolvers import URLPattern

from tests.data.sightings import Stage

_LIBRARIES = {"i18n": "django.templatetags.i18n", "static": "django.templatetags.static"}


def provoke_django_reverse_not_found(stage: Stage) -> None:
    with _urls(stage, path("articles/<int:pk>/", _page, name="article-detail")):
        reverse("article_detail")


def provoke_django_reverse_not_found__arguments(stage: Stage) -> None:
    with _urls(stage, path("articles/<int:pk>/", _page, name="article-detail")):
        reverse("article-detail", kwargs={"pk": ""})


def provoke_django_namespace_not_registered(stage: Stage) -> None:
    with _urls(stage):
        reverse("blog:index")


def provoke_django_included_urlconf_without_patterns(stage: Stage) -> None:
    stage.patch.setitem(sys.modules, "shop_urls", ModuleType("shop_urls"))
    with override_settings(ROOT_URLCONF="shop_urls"):
        resolve("/")


def provoke_django_include_namespace_without_app_name(stage: Stage) -> None:
    include([path("", _page)], namespace="blog")


def provoke_django_view_returned_none(stage: Stage) -> None:
    alone = override_settings(MIDDLEWARE=[], DEBUG_PROPAGATE_EXCEPTIONS=True)
    with _urls(stage, path("", _forgets_to_return)), alone:
        Client().get("/")


def provoke_django_template_missing(stage: Stage) -> None:
    get_template("blog/post_list.html")


def provoke_django_invalid_block_tag(stage: Stage) -> None:
    Engine(libraries=_LIBRARIES).from_string("{% block head %}{% static 'site.css' %}{% endblock %}")


def provoke_django_tag_library_not_registered(stage: Stage) -> None:
    Engine(libraries=_LIBRARIES).from_string("{% load shop_tags %}")


def provoke_django_template_remainder(stage: Stage) -> None:
    Engine(libraries=_LIBRARIES).from_string("{{ price * 2 }}")


def provoke_django_modelform_without_fields(stage: Stage) -> None:
    class UserForm(ModelForm):
        class Meta:
            model = User


def _page(request: HttpRequest, pk: int = 0) -> HttpResponse:
    return HttpResponse()


def _forgets_to_return(request: HttpRequest) -> None:
    HttpResponse()


def _urls(stage: Stage, *patterns: URLPattern) -> override_settings:
    """Return a context in which the site has these patterns only."""
    urlconf = ModuleType("shop_urls")
    urlconf.urlpatterns = list(patterns)
    stage.patch.setitem(sys.modules, "shop_urls", urlconf)
    return override_settings(ROOT_URLCONF="shop_urls")
