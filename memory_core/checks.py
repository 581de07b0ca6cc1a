"""System checks: what is missing on the database server, said before anything fails over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, connections

from memory_core.domain.tunables_database import LEAST_PGVECTOR, LEAST_POSTGRES
from memory_core.sql.server import EXTENSIONS, INSTALLED

EXTENSIONS_NEEDED = ("vector", "btree_gin", "btree_gist", "pg_trgm")


@register(Tags.database)
def database(app_configs: Any, databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Ask each server for its version, its extensions and the right to create them; run by `check --database default`."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        try:
            found += _server(alias)
        except DatabaseError as problem:
            found.append(
                Error(
                    f"The database cannot be reached: {str(problem).splitlines()[0]}",
                    hint="Check DATABASE_URL, or leave it empty and run `everlore up`, which starts a database of its own.",
                    id="everlore.E001",
                )
            )
    return found


def _server(alias: str) -> list[CheckMessage]:
    connection = connections[alias]
    with connection.cursor() as cursor:
        cursor.execute(EXTENSIONS.text)
        version, encoding, may_create = cursor.fetchone()
        cursor.execute(INSTALLED.text, {"names": list(EXTENSIONS_NEEDED)})
        extensions = {name: (default, installed, trusted) for name, default, installed, trusted in cursor.fetchall()}
    found: list[CheckMessage] = []
    if version < LEAST_POSTGRES:
        found.append(
            Error(
                f"PostgreSQL {version // 10000} is too old.",
                hint=f"Use PostgreSQL {LEAST_POSTGRES // 10000} or newer.",
                id="everlore.E002",
            )
        )
    if encoding != "UTF8":
        found.append(
            Error(f"The database's encoding is {encoding}.", hint="Create it with ENCODING 'UTF8'.", id="everlore.E003")
        )
    for name in EXTENSIONS_NEEDED:
        found += _extension(name, extensions.get(name), bool(may_create))
    return found


def _extension(name: str, state: tuple[str | None, str | None, bool] | None, may_create: bool) -> list[CheckMessage]:
    if state is None:
        return [
            Error(
                f"The extension {name} is not installed on the database server.",
                hint=f"Install it there (pgvector {'.'.join(map(str, LEAST_PGVECTOR))} or newer for vector; the others"
                " come with postgresql-contrib), or leave DATABASE_URL empty to use the embedded database.",
                id="everlore.E004",
            )
        ]
    default, installed, trusted = state
    if installed is None and not (may_create or trusted):
        return [
            Error(
                f"The extension {name} is not created in this database, and this user may not create it.",
                hint=f"Have a superuser run once: CREATE EXTENSION {name}; (and in template1, where tests shall run)",
                id="everlore.E005",
            )
        ]
    current = installed or default or "0"
    if name == "vector" and _version(current) < LEAST_PGVECTOR:
        wanted = ".".join(map(str, LEAST_PGVECTOR))
        return [
            Error(
                f"pgvector {current} is too old; sparse vectors and filtered scans need {wanted}.",
                hint="Upgrade the package on the server, then run: ALTER EXTENSION vector UPDATE;",
                id="everlore.E006",
            )
        ]
    if installed is None:
        return [
            Warning(
                f"The extension {name} is not created in this database yet.",
                hint="`manage.py migrate` creates it.",
                id="everlore.W001",
            )
        ]
    return []


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())
