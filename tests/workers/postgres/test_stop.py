"""A stop: the server is gone when it returns, or an error says that it is not."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import psutil
import psycopg
import pytest

from memory_core.domain.errors import ProviderError
from tests.workers.postgres.conftest import MakeServer, ask
from workers.postgres import EmbeddedPostgres


def connect(server: EmbeddedPostgres) -> psycopg.Connection:
    parameters = server.connection_parameters()
    return psycopg.connect(host=parameters["host"], port=parameters["port"], user=parameters["user"])


@pytest.mark.parametrize("mode", ["smart", "fast", "immediate"])
def test_after_a_stop_no_process_of_the_server_is_left(make_server: MakeServer, mode: str) -> None:
    server = make_server()
    server.start()
    postmaster = psutil.Process(server.postmaster_pid())
    family = [postmaster, *postmaster.children(recursive=True)]

    server.stop(mode)

    _, alive = psutil.wait_procs(family, timeout=5)
    assert not alive
    assert not server.is_running()
    assert server.postmaster_pid() is None
    with pytest.raises(psycopg.OperationalError):
        connect(server)


def test_a_fast_stop_does_not_wait_for_clients_and_loses_nothing_committed(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    ask(server, "CREATE TABLE kept AS SELECT 42 AS answer")
    with closing(connect(server)) as client:
        client.execute("INSERT INTO kept VALUES (43)")  # not committed

        server.stop(timeout_s=30)
        server.start()

    assert ask(server, "SELECT string_agg(answer::text, ',') FROM kept") == "42"


def test_a_smart_stop_that_clients_prevent_says_so(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    with connect(server), pytest.raises(ProviderError, match=r"(?s)did not stop within 1 s.*Close its clients"):
        server.stop("smart", timeout_s=1)
    assert server.is_running()


def test_stopping_twice_or_before_any_start_does_nothing(make_server: MakeServer, room: Path) -> None:
    server = make_server()
    server.start()
    server.stop()
    server.stop()
    EmbeddedPostgres(room / "never" / "pg").stop()
    assert not (room / "never").exists()


def test_an_unknown_mode_is_refused(make_server: MakeServer) -> None:
    with pytest.raises(ValueError, match="gently"):
        make_server().stop("gently")
