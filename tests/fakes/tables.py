"""All tables of the core at once, to see what a request left in them."""

from __future__ import annotations

from django.apps import apps
from django.db import connection


def _names() -> list[str]:
    return [model._meta.db_table for model in apps.get_app_config("memory_core").get_models()]


def counts() -> dict[str, int]:
    """How many rows each table has."""
    with connection.cursor() as cursor:
        return {name: _count(cursor, name) for name in _names()}


def _count(cursor: object, name: str) -> int:
    cursor.execute(f'SELECT count(*) FROM "{name}"')  # type: ignore[attr-defined]
    return int(cursor.fetchone()[0])  # type: ignore[attr-defined]


def everything() -> str:
    """Every row of every table as text: what is not in here is not stored."""
    with connection.cursor() as cursor:
        parts = []
        for name in _names():
            cursor.execute(f'SELECT t::text FROM "{name}" t ORDER BY 1')
            parts += [f"{name}: {row[0]}" for row in cursor.fetchall()]
    return "\n".join(parts)
