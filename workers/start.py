"""What has to be in place before the first process starts; every refusal says what to do."""

from __future__ import annotations

import errno
import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext as _

from memory_core import checks
from memory_core.domain import tunables_workers as tunables
from memory_core.domain.errors import EverloreError, ProviderError
from memory_core.sql import server as sql
from workers.postgres import EmbeddedPostgres

DATABASE = "everlore"


class CannotStart(EverloreError):
    """Something has to be put right first; the message says what."""


def reachable_host(host: str) -> str:
    """Where a client on this machine finds a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - no bind


def url_of(host: str, port: int) -> str:
    """The address to open in a browser."""
    name = reachable_host(host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def live(host: str, port: int, timeout_s: float = tunables.PROBE_TIMEOUT_SECONDS) -> dict[str, Any] | None:
    """What `GET /agentmemory/livez` answers there, None where nothing answers 200 with JSON."""
    client = http.client.HTTPConnection(reachable_host(host), port, timeout=timeout_s)
    try:
        client.request("GET", "/agentmemory/livez")
        answer = client.getresponse()
        found = json.loads(answer.read(65_536))
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        client.close()
    return found if answer.status == 200 and isinstance(found, dict) else None


def check_port(host: str, port: int) -> None:
    """Raise CannotStart where the server could not listen, naming the setting to change."""
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError as problem:
        raise CannotStart(
            _(
                "EVERLORE_HOST is {host!r}, which is no address of this machine ({problem}). Write 127.0.0.1, or"
                " 0.0.0.0 for every one."
            ).format(host=host, problem=problem.strerror)
        ) from problem
    for family, kind, protocol, _name, address in places:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
                probe.listen(1)
            except OSError as problem:
                raise CannotStart(_why_not(host, port, problem)) from problem


def _why_not(host: str, port: int, problem: OSError) -> str:
    if problem.errno == errno.EADDRINUSE:
        ours = live(host, port, tunables.STRANGER_SECONDS)
        who = _("an Everlore or agentmemory server") if ours else _("another program")
        return _(
            "Port {port} is taken by {who}. Set EVERLORE_PORT to a free port (or run `everlore up --port {other}`), or stop"
            " that program."
        ).format(port=port, who=who, other=port + 1 if port < 65_535 else 3111)
    if problem.errno == errno.EACCES:
        return _("Port {port} is reserved for root. Set EVERLORE_PORT to one from 1024 on.").format(port=port)
    return _("The server cannot listen on {host}:{port} ({problem}): change EVERLORE_HOST or EVERLORE_PORT.").format(
        host=host, port=port, problem=problem.strerror
    )


def check_database() -> None:
    """Raise CannotStart with every reason why the database cannot be used."""
    errors = [found for found in checks.database(None, ["default"]) if found.is_serious()]
    if errors:
        raise CannotStart("\n".join(f"{found.msg}\n{found.hint}" for found in errors))


def start_database() -> EmbeddedPostgres | None:
    """Start the embedded database where no other is named, and make sure that it can be used; None for an external one."""
    if not settings.EMBEDDED_DATABASE:
        check_database()
        return None
    server = EmbeddedPostgres(Path(settings.POSTGRES_DIR))
    server.start()
    server.ensure_database(DATABASE)
    return server


def stop_database(server: EmbeddedPostgres | None) -> None:
    """Stop the embedded database; at once where it takes too long, for it recovers at the next start."""
    if server is None:
        return
    connections.close_all()
    try:
        server.stop(timeout_s=tunables.DATABASE_STOP_SECONDS)
    except ProviderError:
        server.stop(mode="immediate", timeout_s=tunables.DATABASE_STOP_SECONDS)


@contextmanager
def running_database() -> Iterator[None]:
    """A database for one command: the one that runs, else started here and stopped again; with all its tables."""
    started = None
    if settings.EMBEDDED_DATABASE and not EmbeddedPostgres(Path(settings.POSTGRES_DIR)).is_running():
        started = start_database()
    try:
        migrate()
        yield
    finally:
        stop_database(started)


def pending_migrations() -> list[str]:
    """Names of migrations that this database has not had."""
    executor = MigrationExecutor(connection)
    return [str(step) for step, _backwards in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def migrate() -> int:
    """Bring the tables up to date, one process of all on this database at a time; gives how many steps it took.

    Raises CannotStart when a step fails; what the steps before it did stays.
    """
    try:
        if not pending_migrations():
            return 0
        with connection.cursor() as cursor:
            cursor.execute(sql.WAIT_ALONE.text, tunables.MIGRATION_LOCK)
        steps = pending_migrations()  # another process may have taken them meanwhile
        if steps:
            call_command("migrate", interactive=False, verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute(sql.RELEASE_ALONE.text, tunables.MIGRATION_LOCK)
    except DatabaseError as problem:
        raise CannotStart(
            _("The tables could not be brought up to date: {problem}").format(problem=str(problem).splitlines()[0])
        ) from problem
    return len(steps)
