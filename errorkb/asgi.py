"""Composition: the ASGI entry point, for those who prefer an asynchronous server."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "errorkb.settings")
application = get_asgi_application()
