"""All tables of the core at once, to see what a request left in them."""

from __future__ import annotations

from django.apps import apps
from django.db import connection


def _names() -> list[str]:
    return [model._meta.db_table for model in apps.get_app_config("memory_core").get_models()]


def counts() -> dict[str, int]:
    """How many rows each table has."""
    each = (f"SELECT '{name}', count(*) FROM \"{name}\"" for name in _names())
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        return dict(cursor.fetchall())


def everything() -> str:
    """Every row of every table as text: what is not in here is not stored."""
    each = (f"SELECT '{name}: ' || t::text FROM \"{name}\" t" for name in _names())
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each) + " ORDER BY 1")
        return "\n".join(row[0] for row in cursor.fetchall())
