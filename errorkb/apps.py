"""Composition: the one Django app, and what it connects at start."""

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate

from errorkb.search import schema


class ErrorKBConfig(AppConfig):
    name = "errorkb"
    label = "errorkb"
    verbose_name = "Error knowledge base"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(_install_search_index, sender=self)


def _install_search_index(using: str, **_: Any) -> None:
    schema.install(connections[using])
