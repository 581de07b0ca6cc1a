"""A raw SQL statement with a name and a sentence; every one of the core lives in this package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import connection

_JSONB = psycopg.postgres.types["jsonb"].oid


def _values(cursor: Any) -> list[tuple[Any, ...]]:
    """Every row; jsonb as the value it is, which Django's connections hand out as text."""
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    written = {place for place, column in enumerate(cursor.description or ()) if column.type_code == _JSONB}
    if not written:
        return rows
    return [
        tuple(json.loads(value) if place in written and value is not None else value for place, value in enumerate(row))
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Statement:
    """A named statement; `text` takes psycopg's named parameters.

    `prepared`: the server keeps its plan, so that it is parsed and planned once a connection. For statements whose
    plan does not depend on their parameters; where the connection allows it (`prepare_threshold`).
    """

    name: str
    meaning: str
    text: str
    prepared: bool = False

    def rows(self, parameters: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
        """Run it on the default connection and give every row."""
        with self._cursor() as cursor:
            cursor.execute(self.text, parameters or {})
            return _values(cursor)

    def dicts(self, parameters: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """Run it and give every row as a mapping by column."""
        with self._cursor() as cursor:
            cursor.execute(self.text, parameters or {})
            columns = [column[0] for column in cursor.description or ()]
            return [dict(zip(columns, row, strict=True)) for row in _values(cursor)]

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        """Django's cursor; for a prepared statement psycopg's own, which binds on the server instead of into the text."""
        if not self.prepared:
            with connection.cursor() as cursor:
                yield cursor
            return
        connection.ensure_connection()
        with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
            yield cursor

    def run(self, parameters: Mapping[str, Any] | None = None) -> int:
        """Run it and give how many rows it touched."""
        with connection.cursor() as cursor:
            cursor.execute(self.text, parameters or {})
            return int(cursor.rowcount)
