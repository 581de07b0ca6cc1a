"""Django's settings, made from `domain.configuration`; nothing here is a second source of a value."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy

from memory_core.domain import configuration, locations
from memory_core.domain.errors import ConfigurationError
from memory_core.text import synonyms

BASE_DIR = Path(__file__).resolve().parent.parent


def _environment() -> dict[str, str]:
    """The process environment over the first `.env` found: EVERLORE_ENV_FILE, the folder, the data directory."""
    places = [Path(os.environ["EVERLORE_ENV_FILE"])] if os.environ.get("EVERLORE_ENV_FILE") else []
    places += [Path.cwd() / ".env", BASE_DIR / ".env", locations.data_home(os.environ) / ".env"]
    for place in places:
        if place.is_file() and os.access(place, os.R_OK):
            environ.Env.read_env(place, overwrite=False)
            break
    return dict(os.environ)


def _signing_key(data_home: Path) -> str:
    """The key kept in the data directory, made at the first start; equal for every process of this instance."""
    path = data_home / "secret_key"
    if path.exists():
        return path.read_text().strip()
    part = data_home / f".secret_key.{secrets.token_hex(4)}"
    try:
        data_home.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as problem:
        raise ImproperlyConfigured(
            f"The data directory {data_home} cannot be written ({problem.strerror}): set EVERLORE_DATA_DIR to a folder of yours"
        ) from problem
    key = secrets.token_urlsafe(50)
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
    try:
        os.link(part, path)  # whole or not at all, and the first process wins
    except FileExistsError:
        key = path.read_text().strip()
    finally:
        part.unlink()
    return key


try:
    _environ = _environment()
    EVERLORE: dict[str, Any] = configuration.read(_environ)
    DATA_HOME = locations.data_home(_environ)
    synonyms.load(EVERLORE["EVERLORE_SYNONYMS_FILE"])
except ConfigurationError as problem:
    raise ImproperlyConfigured(str(problem)) from problem

POSTGRES_DIR = locations.postgres_dir(DATA_HOME)
IMAGES_DIR = locations.images_dir(DATA_HOME)
MODELS_DIR = locations.models_dir(DATA_HOME)
SECRET_RULES_DIR = DATA_HOME / "secret-rules"
EMBEDDED_DATABASE = not EVERLORE["DATABASE_URL"]

SECRET_KEY = EVERLORE["EVERLORE_SECRET_KEY"] or _signing_key(DATA_HOME)
DEBUG = EVERLORE["EVERLORE_DEBUG"]
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", EVERLORE["EVERLORE_HOST"], *EVERLORE["EVERLORE_ALLOWED_HOSTS"]]
if "0.0.0.0" in ALLOWED_HOSTS:  # listening everywhere: the names people use are theirs to list
    ALLOWED_HOSTS.remove("0.0.0.0")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "django_q",
    "channels",
    "memory_core",
    "api",
    "viewer",
    "workers",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "viewer.middleware.page_policy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "viewer.middleware.PageLanguage",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "memory_core.urls"
APPEND_SLASH = False
ASGI_APPLICATION = "viewer.asgi.application"
WSGI_APPLICATION = "viewer.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Session parameters of every connection: what the dense arm needs to find what is there under a filter, pages that are in
# memory or on a disk without a head, and times in UTC.
_SESSION_OPTIONS = "-c hnsw.ef_search=100 -c hnsw.iterative_scan=relaxed_order -c random_page_cost=1.1 -c TimeZone=UTC"


def _database() -> dict[str, Any]:
    common = {
        "ENGINE": "memory_core.sql.backend",
        "CONN_MAX_AGE": None,  # threads of the server are few and live long, so their connections do too
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": False,
    }
    if not EMBEDDED_DATABASE:
        try:
            given = environ.Env.db_url_config(EVERLORE["DATABASE_URL"])
        except ValueError as problem:
            raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {problem}") from problem
        given.setdefault("OPTIONS", {}).setdefault("options", _SESSION_OPTIONS)
        return {**common, **given, "ENGINE": common["ENGINE"]}
    parameters = locations.connection_parameters(POSTGRES_DIR)
    return {
        **common,
        "NAME": "everlore",
        "HOST": parameters["host"],
        "PORT": parameters["port"],
        "USER": parameters["user"],
        "PASSWORD": parameters["password"],
        "OPTIONS": {"options": _SESSION_OPTIONS, "prepare_threshold": 3},
    }


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = EVERLORE["EVERLORE_LANGUAGE"]
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "memory_core" / "locale"]

STATIC_URL = "/static/"
STATIC_ROOT = DATA_HOME / "static"
WHITENOISE_USE_FINDERS = True  # the package's own files: nothing to collect before a start
DATA_UPLOAD_MAX_MEMORY_SIZE = EVERLORE["EVERLORE_MAX_BODY_BYTES"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["api.auth.HasSecret"],
    "DEFAULT_PARSER_CLASSES": ["api.parse.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["api.parse.CompactJSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.answer",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Everlore",
    "DESCRIPTION": "Long-term memory for coding agents; wire-compatible with agentmemory 0.9.29.",
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "DISABLE_ERRORS_AND_WARNINGS": False,
}

CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

Q_CLUSTER = {
    "name": "everlore",
    "orm": "default",
    "workers": 1,
    "timeout": 600,
    "retry": 900,  # must exceed the timeout, or a running task is started twice
    "max_attempts": 5,
    "catch_up": False,  # one run after a pause, not every run that was missed
    "bulk": 10,
    "save_limit": 500,
    "ack_failures": False,
    "label": gettext_lazy("Scheduled jobs"),
    "log_level": "WARNING",
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname:7} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": EVERLORE["EVERLORE_LOG_LEVEL"]},
    "loggers": {"django-q": {"handlers": ["console"], "level": "WARNING", "propagate": False}},
}
