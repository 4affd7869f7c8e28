"""Composition: every address of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from errorkb.api.urls import entry_json

urlpatterns: list[URLPattern | URLResolver] = [
    path("admin/", admin.site.urls),
    path("api/", include("errorkb.api.urls")),
    path("errors/<str:identifier>.json", entry_json, name="entry-json"),
    path("", include("errorkb.web.urls")),
]
