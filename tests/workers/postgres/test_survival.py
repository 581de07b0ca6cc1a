"""What goes wrong on real machines, and the server comes back from."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.workers.postgres.conftest import MakeServer, RunPython, ask
from tests.workers.postgres.test_start import START, postmasters_of
from workers.postgres import EmbeddedPostgres

CLIENT = START + "print('ready', flush=True)\nimport time\ntime.sleep(60)\n"


def kill_postmaster(server: EmbeddedPostgres) -> int:
    pid = server.postmaster_pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not server.is_running())
    return pid


def wait_until(holds: Callable[[], bool], timeout_s: float = 30) -> None:
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def busy_client(server: EmbeddedPostgres) -> tuple[psycopg.Connection, int]:
    """A connection whose backend computes for ever, and so does not notice that its server is gone; with its process
    id."""
    parameters = server.connection_parameters()
    connection = psycopg.connect(
        host=parameters["host"], port=parameters["port"], user=parameters["user"], autocommit=True
    )
    connection.pgconn.send_query(b"DO $$ BEGIN LOOP PERFORM 1; END LOOP; END $$")
    connection.pgconn.flush()
    backend = psutil.Process(connection.info.backend_pid)
    wait_until(lambda: sum(backend.cpu_times()[:2]) > 0.05)
    return connection, backend.pid


def set_pid(path: Path, pid: int) -> None:
    """Rewrite the first line in place, which keeps owner and mode."""
    lines = path.read_text().split("\n")
    path.write_text("\n".join([str(pid), *lines[1:]]))


def test_a_killed_server_starts_again_at_once(make_server: MakeServer) -> None:
    server = make_server(fsync="on")
    server.start()
    ask(server, "CREATE TABLE kept AS SELECT 42 AS answer")

    killed = kill_postmaster(server)
    server.start()

    assert server.postmaster_pid() != killed
    assert ask(server, "SELECT answer FROM kept") == 42


@pytest.mark.slow
@pytest.mark.parametrize(
    "left_in_file",
    [
        pytest.param(None, id="its own id stays in postmaster.pid"),
        pytest.param(os.getpid(), id="its id belongs to another process by now"),
    ],
)
def test_a_backend_that_outlived_its_server_is_ended_before_the_next_start(
    make_server: MakeServer, left_in_file: int | None
) -> None:
    server = make_server()
    server.start()
    connection, backend = busy_client(server)

    kill_postmaster(server)
    if left_in_file:
        set_pid(server.pg_dir / "postmaster.pid", left_in_file)
    server.start(timeout_s=60)

    # The check of shared memory is what protects the data: it must have fired, which a deleted postmaster.pid would
    # prevent.
    assert "pre-existing shared memory block" in (server.pg_dir / "server.log").read_text()
    assert not psutil.pid_exists(backend) or psutil.Process(backend).status() == psutil.STATUS_ZOMBIE
    assert ask(server, "SELECT 1") == 1
    connection.close()


@pytest.mark.parametrize(
    "pid",
    [
        pytest.param(os.getpid(), id="reused by this test"),
        pytest.param(1, id="reused by init"),
        pytest.param(2**22 + 1, id="of no process"),
    ],
)
def test_a_stale_process_id_is_not_taken_for_the_server(make_server: MakeServer, pid: int) -> None:
    server = make_server()
    server.start()
    kill_postmaster(server)
    set_pid(server.pg_dir / "postmaster.pid", pid)
    set_pid(server.pg_dir / ".s.PGSQL.5432.lock", pid)

    assert not server.is_running()
    server.stop()
    assert psutil.pid_exists(os.getpid()), "stop must not signal a stranger"
    server.start()

    assert server.postmaster_pid() not in (None, pid)
    assert ask(server, "SELECT 1") == 1


def test_a_process_id_reused_by_another_postgres_is_not_taken_for_the_server(make_server: MakeServer) -> None:
    other = make_server("other")
    other.start()
    server = make_server()
    server.start()
    kill_postmaster(server)
    pid = other.postmaster_pid()
    assert pid is not None
    set_pid(server.pg_dir / "postmaster.pid", pid)

    server.start()

    assert ask(server, "SHOW data_directory") == str(server.pg_dir)
    assert other.postmaster_pid() == pid


def test_a_dead_process_that_nobody_waited_for_is_not_taken_for_the_server(
    make_server: MakeServer, run_python: RunPython
) -> None:
    server = make_server()
    server.start()
    kill_postmaster(server)
    dead = run_python("pass")
    wait_until(lambda: psutil.Process(dead.pid).status() == psutil.STATUS_ZOMBIE)
    set_pid(server.pg_dir / "postmaster.pid", dead.pid)

    server.start()

    assert server.postmaster_pid() not in (None, dead.pid)


@pytest.mark.parametrize("content", [pytest.param("", id="empty"), pytest.param("garbage\n\x00", id="garbage")])
def test_a_postmaster_pid_that_a_power_failure_emptied_does_not_stop_a_start(
    make_server: MakeServer, content: str
) -> None:
    server = make_server()
    (server.pg_dir / "postmaster.pid").write_text(content)
    server.start()
    assert ask(server, "SELECT 1") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "with_initdb", [pytest.param(True, id="with initdb"), pytest.param(False, id="initdb goes on")]
)
def test_a_start_that_was_killed_during_initdb_can_be_repeated(
    make_server: MakeServer, run_python: RunPython, with_initdb: bool
) -> None:
    server = make_server(empty=True)
    room = server.pg_dir.parent
    starter = run_python(START, server.pg_dir)
    wait_until(lambda: any(path.name.startswith("pg.initdb-") and any(path.iterdir()) for path in room.iterdir()))
    children = psutil.Process(starter.pid).children(recursive=True)
    for process in [psutil.Process(starter.pid), *(children if with_initdb else [])]:
        process.kill()
    starter.wait()
    assert not server.pg_dir.exists()

    server.start()
    psutil.wait_procs(children, timeout=30)
    server.stop()
    server.start()

    assert ask(server, "SELECT 1") == 1
    left = [path.name for path in room.iterdir() if path.name.startswith("pg.initdb-")]
    assert not left or not with_initdb


def test_ctrl_c_on_the_clients_process_group_leaves_the_server_alone(
    make_server: MakeServer, run_python: RunPython
) -> None:
    server = make_server()
    client = run_python(CLIENT, server.pg_dir)
    assert client.stdout is not None
    pid = int(client.stdout.readline())
    assert client.stdout.readline() == "ready\n"

    os.killpg(client.pid, signal.SIGINT)
    client.wait(timeout=30)

    assert client.returncode != 0
    assert server.postmaster_pid() == pid
    assert os.getsid(pid) != client.pid
    assert os.getpgid(pid) != client.pid
    assert ask(server, "SELECT 1") == 1


def test_the_server_outlives_a_killed_client_and_serves_the_next(
    make_server: MakeServer, run_python: RunPython
) -> None:
    server = make_server()
    client = run_python(CLIENT, server.pg_dir)
    assert client.stdout is not None
    pid = int(client.stdout.readline())

    os.killpg(client.pid, signal.SIGKILL)
    client.wait()
    server.start()

    assert server.postmaster_pid() == pid
    assert postmasters_of(server.pg_dir) == [pid]


def test_a_start_during_a_stop_waits_and_starts_anew(make_server: MakeServer, run_python: RunPython) -> None:
    server = make_server()
    server.start()
    pid = server.postmaster_pid()
    assert pid is not None
    os.kill(pid, signal.SIGINT)  # a fast shutdown, as somebody else would ask for

    server.start()

    wait_until(lambda: not psutil.pid_exists(pid) or server.postmaster_pid() != pid)
    server.start()
    assert ask(server, "SELECT 1") == 1


def test_a_huge_log_is_set_aside(make_server: MakeServer) -> None:
    server = make_server()
    with (server.pg_dir / "server.log").open("r+b") as log:
        log.truncate(10_000_001)
    server.start()
    assert (server.pg_dir / "server.log.1").stat().st_size == 10_000_001
    assert (server.pg_dir / "server.log").stat().st_size < 10_000
