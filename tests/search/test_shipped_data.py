"""Search: what people paste finds the right one of the shipped documents, or says that there is none."""

import json
from pathlib import Path

import pytest

from errorkb.models import ErrorEntry
from tests.databases import Filling
from tests.loader import Loader
from tests.search.bases import find, title_of

DATA = Path(__file__).parent.parent.parent / "data"
MESSAGES = {path.stem: json.loads(path.read_text("utf-8"))["message"] for path in (DATA / "entries").glob("*.json")}
UNSAVED, MANIFEST = "django-unsaved-related-object", "django-static-manifest-entry-missing"
NOT_CONFIGURED, HOST = "django-settings-not-configured", "django-disallowed-host"


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shipped(module_base: Filling, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Everything in data/, loaded without a source to look into."""
    loader = Loader(tmp_path_factory.mktemp("shipped"))
    with module_base():
        for kind in ("repositories", "pull_requests", "entries"):
            loader.load(str(DATA / kind), kind=kind, source="none")
    assert ErrorEntry.objects.count() == len(MESSAGES)


# Each row: what was pasted, with values that no document has as they stand here, and the file of the entry on top.
PASTED = [
    ("Missing staticfiles manifest entry for 'css/style.css'", MANIFEST),
    ("ValueError: Missing staticfiles manifest entry for 'logo.png'", MANIFEST),
    ("\"Missing staticfiles manifest entry for 'logo.png'\"", MANIFEST),
    ("save() prohibited to prevent data loss due to unsaved related object 'author'.", UNSAVED),
    ("ValueError: bulk_create() prohibited to prevent data loss due to unsaved related object 'order'.", UNSAVED),
    ("Requested setting CACHES, but settings are not configured.", NOT_CONFIGURED),
    (
        "ImproperlyConfigured: Requested setting USE_TZ, but settings are not configured. You must either def",
        NOT_CONFIGURED,
    ),
    ("Invalid HTTP_HOST header: 'a_b'. The domain name provided is not valid according to RFC 1034/1035.", HOST),
    ("Reverse for 'edit' with arguments '('',)' not found. 1 pattern(s) tried: ['e/$']", "django-reverse-not-found"),
    ("'polls' is not a registered namespace", "django-namespace-not-registered"),
    ("Post matching query does not exist.", "django-does-not-exist"),
    ("User has no field named 'nick'", "django-field-does-not-exist"),
    ("Field 'price' expected a number but got 'cheap'.", "django-field-expected-number"),
    ("RelatedObjectDoesNotExist: Order has no invoice.", "django-related-object-does-not-exist"),
    ("Order has no invoice.", "django-related-object-does-not-exist"),
    ("Cannot resolve keyword 'x' into field. Choices are: a1, b2, c3", "django-cannot-resolve-keyword"),
    ("The CSS file 'base.css' references a file which could not be found:", "whitenoise-css-reference-missing"),
    ("UserWarning: No directory at: /srv/www/shop/static/", "whitenoise-no-directory"),
    ("Not a regular file: /run/www/x.sock", "whitenoise-not-a-regular-file"),
    ("no lexer for alias 'jsonx' found", "pygments-lexer-alias-not-found"),
    ("Failed to initiate extension 'toc2': no such thing", "markdown-extension-without-make-extension"),
]


def test_a_pasted_message_with_values_finds_its_entry_first(shipped: None) -> None:
    tops = [(query, next(map(title_of, find(query).results), None)) for query, _ in PASTED]
    assert tops == [(query, MESSAGES[name]) for query, name in PASTED]
    assert [query for query, _ in PASTED if find(query).some_words] == []


UNKNOWN = [
    "ZeroDivisionError: division by zero",
    "OperationalError: no such table: auth_user",
    "get() returned more than one Post",
    "AttributeError: 'NoneType' object has no attribute 'x'",
    "IndexError: list index out of range",
    "ConnectionRefusedError: [Errno 111] Connection refused",
    "UNIQUE constraint failed: auth_user.username",
    "CSRF verification failed. Request aborted.",
]


def test_an_unknown_error_is_not_said_to_be_known_and_has_few_near_ones(shipped: None) -> None:
    found = {query: find(query) for query in UNKNOWN}
    assert [query for query, results in found.items() if results.results and not results.some_words] == []
    assert max(results.total for results in found.values()) <= 5
    assert found[UNKNOWN[0]].total == 0


@pytest.mark.parametrize("query", ["dst_device_kv_indices", "send_kvcache", "dst_kv_indic", "ascend/conn.py"])
def test_the_error_comes_before_the_pull_request_behind_it(shipped: None, query: str) -> None:
    kinds = [type(result.subject).__name__ for result in find(query).results]
    assert kinds == ["ErrorEntry", "PullRequest"]


def test_the_list_without_a_query_has_entries_only(shipped: None) -> None:
    results = find("", per_page=100)
    assert {type(result.subject) for result in results.results} == {ErrorEntry}
    assert results.total == len(MESSAGES)


@pytest.mark.parametrize("query", ["ai-assisted", "see_also", "change_code", "configure error environment zzzz"])
def test_values_of_facts_find_nothing(shipped: None, query: str) -> None:
    assert find(query).total < 10


def test_excerpts_are_plain_text(shipped: None) -> None:
    results = find("", per_page=100).results
    texts = ["".join(fragment.text for fragment in result.excerpt) for result in results]
    assert [text for text in texts if "`" in text or "**" in text or text.startswith(("- ", "* "))] == []
