"""Tests of the shipped data: how users of Django meet errors of start-up, settings and databases."""

import asyncio
import sys

from django.apps.registry import Apps
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage, StaticFilesStorage
from django.db import models
from django.db.utils import ConnectionHandler
from django.http import QueryDict
from django.test import RequestFactory, override_settings

from tests.data.sightings import Sighting, Stage, sighting_in_new_process


def provoke_django_apps_not_loaded(stage: Stage) -> Sighting:
    return sighting_in_new_process(
        stage,
        """
        from django.conf import settings

        settings.configure(INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes"])
        import django.contrib.auth.models
        """,
    )


def provoke_django_models_not_loaded(stage: Stage) -> Sighting:
    shop = stage.folder / "shop"
    shop.mkdir()
    (shop / "__init__.py").touch()
    (shop / "models.py").write_text("from django.apps import apps\n\napps.get_models()\n", "utf-8")
    return sighting_in_new_process(
        stage,
        """
        import django
        from django.conf import settings

        settings.configure(INSTALLED_APPS=["shop"])
        django.setup()
        """,
    )


def provoke_django_app_labels_not_unique(stage: Stage) -> None:
    Apps(["django.contrib.auth", "django.contrib.auth"])


def provoke_django_model_without_app_label(stage: Stage) -> None:
    class Parcel(models.Model):  # noqa: DJ008
        pass


def provoke_django_settings_not_configured(stage: Stage) -> None:
    stage.patch.delenv("DJANGO_SETTINGS_MODULE", raising=False)
    LazySettings().DEBUG  # noqa: B018


def provoke_django_secret_key_empty(stage: Stage) -> None:
    settings = LazySettings()
    settings.configure()
    settings.SECRET_KEY  # noqa: B018


def provoke_django_auth_user_model_not_installed(stage: Stage) -> None:
    with override_settings(AUTH_USER_MODEL="accounts.User"):
        get_user_model()


def provoke_django_psycopg_missing(stage: Stage) -> None:
    for module in ("psycopg", "psycopg2"):
        stage.patch.setitem(sys.modules, module, None)
    stage.patch.delitem(sys.modules, "django.db.backends.postgresql.base", raising=False)
    connections = ConnectionHandler({"default": {"ENGINE": "django.db.backends.postgresql"}})
    connections["default"]


def provoke_django_migration_parent_missing(stage: Stage) -> Sighting:
    migrations = stage.folder / "shop" / "migrations"
    migrations.mkdir(parents=True)
    (migrations.parent / "__init__.py").touch()
    (migrations / "__init__.py").touch()
    (migrations / "0003_parcel_weight.py").write_text(
        "from django.db import migrations\n\n\n"
        "class Migration(migrations.Migration):\n"
        '    dependencies = [("shop", "0002_parcel")]\n',
        "utf-8",
    )
    return sighting_in_new_process(
        stage,
        """
        import django
        from django.conf import settings
        from django.core.management import call_command

        settings.configure(
            INSTALLED_APPS=["shop"],
            DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        )
        django.setup()
        call_command("migrate")
        """,
    )


def provoke_django_transaction_broken(stage: Stage) -> Sighting:
    return sighting_in_new_process(
        stage,
        """
        import django
        from django.conf import settings
        from django.db import IntegrityError, connection, transaction

        settings.configure(
            INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes"],
            DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        )
        django.setup()
        from django.contrib.auth.models import Group

        with connection.schema_editor() as editor:
            editor.create_model(Group)
        with transaction.atomic():
            Group.objects.create(name="editors")
            try:
                Group.objects.create(name="editors")
            except IntegrityError:
                pass
            Group.objects.count()
        """,
    )


def provoke_django_query_in_async_context(stage: Stage) -> None:
    async def first_user() -> User | None:
        return User.objects.first()

    asyncio.run(first_user())


def provoke_django_disallowed_host(stage: Stage) -> None:
    with override_settings(ALLOWED_HOSTS=["shop.example"]):
        RequestFactory().get("/", headers={"host": "www.shop.example:8000"}).get_host()


def provoke_django_disallowed_host__not_a_name(stage: Stage) -> None:
    with override_settings(ALLOWED_HOSTS=["*"]):
        RequestFactory().get("/", headers={"host": "my_shop.example"}).get_host()


def provoke_django_request_parameter_missing(stage: Stage) -> None:
    QueryDict("page=2")["q"]


def provoke_django_static_root_not_set(stage: Stage) -> None:
    with override_settings(STATIC_ROOT=None):
        StaticFilesStorage().path("css/site.css")


def provoke_django_static_manifest_entry_missing(stage: Stage) -> None:
    with override_settings(STATIC_ROOT=stage.folder, DEBUG=False):
        ManifestStaticFilesStorage().url("css/site.css")
