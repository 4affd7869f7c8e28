"""Composition: the one Django app, and what it connects at start."""

from django.apps import AppConfig


class ErrorKBConfig(AppConfig):
    name = "errorkb"
    label = "errorkb"
    verbose_name = "Error knowledge base"
    default_auto_field = "django.db.models.BigAutoField"
