"""`python -m workers.postgres`: what a person sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workers.postgres.conftest import MakeServer
from workers.postgres.__main__ import main


@pytest.mark.slow
def test_start_status_and_stop_say_what_is_so(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environ = {"EVERLORE_DATA_DIR": str(room)}

    assert main(["status"], environ) == 3
    assert main(["start"], environ) == 0
    assert main(["status"], environ) == 0
    assert main(["stop"], environ) == 0

    first, started, status, stopped = capsys.readouterr().out.splitlines()
    assert first == stopped == f"Postgres of {room / 'pg'}: not running."
    assert started == status
    assert "running, process" in started


def test_with_an_external_database_nothing_is_started(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environ = {"EVERLORE_DATA_DIR": str(room), "DATABASE_URL": "postgres://db.example/everlore"}
    assert main(["start"], environ) == 1
    assert "DATABASE_URL is set" in capsys.readouterr().err
    assert list(room.iterdir()) == []


def test_a_problem_is_one_message_and_no_traceback(make_server: MakeServer, capsys: pytest.CaptureFixture[str]) -> None:
    server = make_server()
    (server.pg_dir / "global" / "pg_control").unlink()
    assert main(["start"], {"EVERLORE_DATA_DIR": str(server.pg_dir.parent)}) == 1
    assert "restore it from a backup" in capsys.readouterr().err


def test_a_relative_data_directory_is_a_message_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status"], {"EVERLORE_DATA_DIR": "somewhere"}) == 1
    assert "absolute" in capsys.readouterr().err
