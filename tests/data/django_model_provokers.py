"""Tests of the shipped data: how users of Django meet errors of models and queries; none of them asks a database."""

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.test.utils import isolate_apps

from tests.data.sightings import Stage


def provoke_django_cannot_resolve_keyword(stage: Stage) -> None:
    User.objects.filter(user_name="ada")


def provoke_django_field_does_not_exist(stage: Stage) -> None:
    User._meta.get_field("nickname")


def provoke_django_unexpected_keyword_arguments(stage: Stage) -> None:
    User(user_name="ada")


def provoke_django_does_not_exist(stage: Stage) -> None:
    User.objects.none().get(username="ada")


def provoke_django_related_object_does_not_exist(stage: Stage) -> None:
    with isolate_apps("errorkb"):

        class Place(models.Model):  # noqa: DJ008
            class Meta:
                app_label = "errorkb"

        class Restaurant(models.Model):  # noqa: DJ008
            place = models.OneToOneField(Place, models.CASCADE)

            class Meta:
                app_label = "errorkb"

        Place().restaurant  # noqa: B018


def provoke_django_foreign_key_wrong_instance(stage: Stage) -> None:
    LogEntry(user="ada")


def provoke_django_unsaved_related_object(stage: Stage) -> None:
    Permission(content_type=ContentType(), codename="publish").save()


def provoke_django_many_to_many_before_save(stage: Stage) -> None:
    User(username="ada").groups  # noqa: B018


def provoke_django_field_expected_number(stage: Stage) -> None:
    User.objects.filter(pk="ada")


def provoke_django_filter_after_slice(stage: Stage) -> None:
    User.objects.all()[:10].filter(is_active=True)
