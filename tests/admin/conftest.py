"""What the tests of the admin share: people who sign in, and documents that are in the base."""

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from errorkb.models import ErrorEntry, PullRequest, Repository

SAMPLES = Path(__file__).parent.parent / "samples" / "documents"


@pytest.fixture
def ada(db) -> Client:
    """A curator who may do everything."""
    return _signed_in(User.objects.create_superuser("ada"))


@pytest.fixture
def viewer(db) -> Client:
    """A curator who may look at documents and revisions, and change nothing."""
    user = User.objects.create_user("vera", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    return _signed_in(user)


@pytest.fixture
def seed(loader) -> ErrorEntry:
    """The sample entry, as its file brought it."""
    loader.put("seed.json", sample("error-0a4a184d34e9a38f.json"))
    return ErrorEntry.objects.get()


@pytest.fixture
def report(loader) -> PullRequest:
    """The sample pull request, as its file brought it."""
    loader.put("report.json", sample("pull-request-33523.json"), kind="pull_requests")
    return PullRequest.objects.get()


def sample(name: str) -> dict:
    """Return one of the sample documents."""
    loaded: dict = json.loads((SAMPLES / name).read_text())
    return loaded


def address(row: ErrorEntry | PullRequest | Repository, page: str = "change") -> str:
    """Return the address of a page about a row."""
    return f"/admin/errorkb/{row._meta.model_name}/{row.pk}/{page}/"


def _signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
