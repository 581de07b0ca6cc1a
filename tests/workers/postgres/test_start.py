"""A start: creates the data once, answers when it returns, and is done by one process however many ask."""

from __future__ import annotations

from pathlib import Path

import psutil
import psycopg
import pytest

from memory_core.domain.errors import ConfigurationError, DatabaseStartError
from tests.workers.postgres.conftest import QUICK, MakeServer, RunPython, ask, needs_root
from workers.postgres import EmbeddedPostgres

START = """
import sys
from pathlib import Path
from workers.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]), overrides={"fsync": "off", "shared_buffers": "16MB"})
server.start()
print(server.postmaster_pid())
"""


HOLD_LOCK = """
import sys, time, filelock
lock = filelock.FileLock(sys.argv[1])
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


def postmasters_of(pg_dir: Path) -> list[int]:
    found = psutil.process_iter(["pid", "cmdline"])
    return [p.info["pid"] for p in found if p.info["cmdline"] and str(pg_dir) in p.info["cmdline"][1:]]


def test_the_first_start_creates_the_data_and_answers(room: Path) -> None:
    server = EmbeddedPostgres(room / "missing" / "folders" / "pg", overrides=QUICK)

    server.start()

    assert server.is_running()
    assert ask(server, "SHOW data_directory") == str(server.pg_dir)
    assert server.postmaster_pid() in postmasters_of(server.pg_dir)


def test_text_is_unicode_of_every_script(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    assert ask(server, "SELECT lower('ÄÉЖΩ')") == "äéжω"
    assert ask(server, "SHOW server_encoding") == "UTF8"


def test_starting_a_running_server_changes_nothing(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    pid = server.postmaster_pid()

    server.start()

    assert server.postmaster_pid() == pid


def test_data_is_there_after_a_stop_and_a_start(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    ask(server, "CREATE TABLE kept AS SELECT 42 AS answer")

    server.stop()
    server.start()

    assert ask(server, "SELECT answer FROM kept") == 42


@pytest.mark.parametrize("empty", [pytest.param(True, id="first start"), pytest.param(False, id="later start")])
@pytest.mark.slow
def test_six_starts_at_once_give_one_server(make_server: MakeServer, run_python: RunPython, empty: bool) -> None:
    server = make_server(empty=empty)

    starters = [run_python(START, server.pg_dir) for _ in range(6)]
    said = [starter.communicate(timeout=120)[0].strip() for starter in starters]

    assert [starter.returncode for starter in starters] == [0] * 6, said
    assert set(said) == {str(server.postmaster_pid())}
    assert postmasters_of(server.pg_dir) == [server.postmaster_pid()]


def test_the_server_is_closed_to_the_network_and_to_other_users(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    pid = server.postmaster_pid()

    assert ask(server, "SHOW listen_addresses") == ""
    assert not [c for c in psutil.Process(pid).net_connections("inet") if c.status == psutil.CONN_LISTEN]
    assert server.pg_dir.stat().st_mode & 0o077 == 0
    assert (server.pg_dir / ".s.PGSQL.5432").stat().st_mode & 0o077 == 0


def test_overrides_reach_the_server_over_the_defaults(make_server: MakeServer) -> None:
    server = make_server(work_mem="7MB", cluster_name="Ada's \\ own")
    server.start()
    assert ask(server, "SHOW work_mem") == "7MB"
    assert ask(server, "SHOW cluster_name") == "Ada's \\ own"
    assert ask(server, "SHOW maintenance_work_mem") == "512MB"


def test_a_removed_include_comes_back(make_server: MakeServer) -> None:
    server = make_server(work_mem="7MB")
    (server.pg_dir / "postgresql.conf").write_text("# emptied by hand\n")
    server.start()
    assert ask(server, "SHOW work_mem") == "7MB"


def test_a_wrong_setting_is_named_with_what_to_do(make_server: MakeServer) -> None:
    server = make_server(work_memory="7MB")
    with pytest.raises(DatabaseStartError, match=r"(?s)setting in postgresql.conf is wrong.*work_memory"):
        server.start()
    assert not server.is_running()


def test_a_setting_of_two_lines_is_refused(make_server: MakeServer) -> None:
    with pytest.raises(ConfigurationError, match="control character"):
        make_server(cluster_name="a'\nlisten_addresses='*").start()


def test_data_of_another_version_names_both_versions(make_server: MakeServer) -> None:
    server = make_server()
    (server.pg_dir / "PG_VERSION").write_text("9\n")
    with pytest.raises(DatabaseStartError, match=r"written by PostgreSQL 9, but the installed version is \d\d"):
        server.start()


def test_files_that_are_no_database_are_left_alone(room: Path) -> None:
    (room / "pg").mkdir()
    (room / "pg" / "thesis.txt").write_text("years of work")

    with pytest.raises(DatabaseStartError, match="has files that are none"):
        EmbeddedPostgres(room / "pg").start()

    assert (room / "pg" / "thesis.txt").read_text() == "years of work"


def test_an_empty_folder_in_its_place_is_used(room: Path) -> None:
    (room / "pg").mkdir()
    server = EmbeddedPostgres(room / "pg", overrides=QUICK)
    server.start()
    assert server.is_running()


def test_damaged_data_is_called_that(make_server: MakeServer) -> None:
    server = make_server()
    (server.pg_dir / "global" / "pg_control").unlink()
    with pytest.raises(DatabaseStartError, match=r"damaged.*restore it from a backup"):
        server.start()


def test_a_place_that_cannot_be_made_says_so(room: Path) -> None:
    (room / "file").write_text("")
    with pytest.raises(DatabaseStartError, match=r"cannot be made.*EVERLORE_DATA_DIR"):
        EmbeddedPostgres(room / "file" / "data" / "pg").start()


def test_a_stuck_start_elsewhere_ends_the_wait(make_server: MakeServer, run_python: RunPython) -> None:
    server = make_server()
    holder = run_python(
        HOLD_LOCK,
        f"{server.pg_dir}.lock",
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"

    with pytest.raises(DatabaseStartError, match="Another process has been starting or stopping"):
        server.start(timeout_s=0.3)


def test_the_server_does_not_see_our_keys(make_server: MakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("PGOPTIONS", "-c work_mem=64kB")
    server = make_server()
    server.start()
    seen = Path(f"/proc/{server.postmaster_pid()}/environ").read_bytes()
    assert b"sk-secret" not in seen
    assert b"PGOPTIONS" not in seen


@needs_root
def test_as_root_the_server_has_no_right_of_root(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    process = psutil.Process(server.postmaster_pid())
    status = Path(f"/proc/{process.pid}/status").read_text()

    assert 0 not in process.uids()
    assert 0 not in process.gids()
    assert next(line for line in status.splitlines() if line.startswith("Groups:")).split()[1:] in (
        [],
        [str(process.gids().real)],
    )
    assert server.pg_dir.stat().st_uid == process.uids().real


def test_a_second_object_of_the_same_folder_knows_the_server(
    make_server: MakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = make_server()
    server.start()
    monkeypatch.chdir(server.pg_dir.parent)
    assert EmbeddedPostgres(Path("pg")).postmaster_pid() == server.postmaster_pid()


def test_connections_use_the_parameters_that_settings_compute(make_server: MakeServer) -> None:
    server = make_server()
    server.start()
    parameters = server.connection_parameters()
    with psycopg.connect(host=parameters["host"], port=parameters["port"], user=parameters["user"]) as connection:
        assert connection.info.user == "postgres"
