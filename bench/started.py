"""Bench: Django, started with the site's settings; imported before anything that needs it."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "errorkb.settings")
django.setup()
