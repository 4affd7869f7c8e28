"""Composition: every setting, read from the environment, with defaults that are safe.

docs/settings.md lists the variables.
"""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))
DEBUG = env.bool("DEBUG", default=False)


def _keep_new_key(path: Path) -> None:
    """Make a key whole before it can be read under its name; of two processes that do, the first one's stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as file:
        file.write(secrets.token_urlsafe(64))
        file.flush()
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)


def _secret_key() -> str:
    """Return the key that signs sessions: the environment's, else one made once and kept in VAR_DIR."""
    given = env.str("SECRET_KEY", default="")
    if given:
        return given
    path = VAR_DIR / "secret_key"
    if not path.exists():
        _keep_new_key(path)
    return path.read_text("ascii")


SECRET_KEY = _secret_key()

# The address under which people reach this site; every absolute link is made from it.
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000").rstrip("/")
HTTPS = SITE_URL.startswith("https://")
ALLOWED_HOSTS = [urlsplit(SITE_URL).hostname, "localhost", "127.0.0.1", "[::1]", *env.list("ALLOWED_HOSTS", default=[])]

# Where "report a mistake" leads: this site's own tracker, never an upstream project's. Absent when unset.
# {title} and {url} are filled in, percent-encoded.
REPORT_URL = env.str("REPORT_URL", default="")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "errorkb",
]

MIDDLEWARE = [
    "errorkb.middleware.bodiless_head",
    "errorkb.middleware.without_nul",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "errorkb.urls"
WSGI_APPLICATION = "errorkb.wsgi.application"
ASGI_APPLICATION = "errorkb.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]


_SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # Written ahead, so that readers never wait.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000;",
}
# A writer waits for another one as long as with SQLite. Compiling a query takes longer than any of ours. What is looked
# for stands in memory or on a disk without arms: otherwise all entries are read where a few thousand are to be joined.
# Starting workers takes longer than they save. A plan that is kept (errorkb.models.kept_plans) is not made again.
_POSTGRESQL_SETTINGS = {
    "lock_timeout": "20s",
    "jit": "off",
    "work_mem": "32MB",
    "random_page_cost": "1.1",
    "max_parallel_workers_per_gather": "0",
    "plan_cache_mode": "force_generic_plan",
}
_POSTGRESQL_OPTIONS = {"options": " ".join(f"-c {name}={value}" for name, value in _POSTGRESQL_SETTINGS.items())}


def _database() -> dict[str, Any]:
    """Return the one database: DATABASE_URL, else SQLite in VAR_DIR. What the URL states goes before our options."""
    database: dict[str, Any] = env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'errorkb.sqlite3'}")
    stated = database.get("OPTIONS", {})
    if database["ENGINE"] == "django.db.backends.sqlite3":
        return database | {"OPTIONS": _SQLITE_OPTIONS | stated}
    if database["ENGINE"] == "django.db.backends.postgresql":
        # A socket's folder may stand in the host's place, as in PostgreSQL's own tools: postgres://user@%2Frun%2F…/base.
        host = unquote(database["HOST"])
        kept = {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
        return kept | database | {"HOST": host, "OPTIONS": _POSTGRESQL_OPTIONS | stated}
    raise ImproperlyConfigured("DATABASE_URL: expected sqlite:///… or postgres://…")


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# A paste to be matched has so many bytes of UTF-8 at most.
MATCH_MAX_BYTES = env.int("MATCH_MAX_BYTES", default=4 * 1024 * 1024)

# The admin sends a document as one form; what such a form takes is bounded in errorkb.admin.forms.budgets.
# A form with a paste has each line break in two bytes.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
DATA_UPLOAD_MAX_MEMORY_SIZE = max(10 * 1024 * 1024, 2 * MATCH_MAX_BYTES + 64 * 1024)

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS and env.bool("SSL_REDIRECT", default=True)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
if env.bool("BEHIND_PROXY", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_pastes": {"()": "errorkb.logs.WithoutPastes"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "filters": ["without_pastes"]}},
    # Django would mail errors to the administrators, with all that was posted.
    # What its templates and queries tell while they are debugged is made of what was pasted.
    "loggers": {
        "django": {"level": env.str("LOG_LEVEL", default="WARNING")},
        "django.template": {"level": "WARNING"},
        "django.db.backends": {"level": "WARNING"},
    },
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="WARNING")},
}
