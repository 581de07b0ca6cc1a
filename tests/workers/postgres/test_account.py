"""As root: an unprivileged user runs the server, gets programs it can reach, and no parent folder is loosened."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import psutil
import pytest

from memory_core.domain.errors import DatabaseStartError
from tests.workers.postgres.conftest import QUICK, MakeServer, ask, needs_root, not_as_root
from workers.postgres import Binaries, EmbeddedPostgres, find_binaries
from workers.postgres.account import Account, run, server_account


@pytest.fixture
def hidden_binaries(room: Path) -> Binaries:
    """The install, copied into a folder only its owner may enter, as below /root."""
    original = find_binaries()
    hidden = room / "closed" / "site"
    for part in original.parts:
        shutil.copytree(original.root / part, hidden / part, ignore=shutil.ignore_patterns("include", "*.a"))
    (room / "closed").chmod(0o700)
    return original.moved_to(hidden)


@needs_root
@pytest.mark.slow
def test_programs_out_of_reach_are_copied_beside_the_data_and_the_parents_stay_closed(
    make_server: MakeServer, room: Path, hidden_binaries: Binaries
) -> None:
    server = EmbeddedPostgres(make_server().pg_dir, binaries=hidden_binaries, overrides=QUICK)
    stale = room / "pg.install-older-1.0"
    stale.mkdir()

    server.start()

    program = Path(psutil.Process(server.postmaster_pid()).exe())
    assert program.is_relative_to(room / f"pg.install-{hidden_binaries.edition}")
    assert (room / "closed").stat().st_mode & 0o777 == 0o700
    assert not stale.exists()
    server.ensure_database("everlore")
    first = program.stat().st_ino
    server.stop()
    server.start()
    assert program.stat().st_ino == first, "the copy is made once"


@needs_root
def test_a_data_directory_the_servers_user_cannot_reach_names_the_folder_that_bars_the_way(room: Path) -> None:
    (room / "closed").mkdir(mode=0o700)

    with pytest.raises(DatabaseStartError) as caught:
        EmbeddedPostgres(room / "closed" / "deeper" / "pg", overrides=QUICK).start()

    user = server_account(room).name
    assert f"'{user}', who cannot enter {room / 'closed'}," in str(caught.value)
    assert "EVERLORE_DATA_DIR" in str(caught.value)
    assert (room / "closed").stat().st_mode & 0o777 == 0o700


@needs_root
def test_data_that_belongs_to_root_is_refused_with_the_command_that_helps(make_server: MakeServer) -> None:
    server = make_server()
    os.chown(server.pg_dir, 0, 0)
    with pytest.raises(DatabaseStartError, match="chown -R"):
        server.start()


@needs_root
def test_the_owner_of_existing_data_runs_the_server(make_server: MakeServer) -> None:
    server = make_server()
    for path in [server.pg_dir, *server.pg_dir.rglob("*")]:
        os.chown(path, 54321, 54321, follow_symlinks=False)  # an id that no user has
    server.start()
    assert psutil.Process(server.postmaster_pid()).uids().real == 54321
    assert ask(server, "SELECT 1") == 1


@needs_root
def test_a_machine_without_a_user_for_it_says_what_to_do(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.postgres.account.UNPRIVILEGED_USERS", ("nobody-of-that-name",))
    with pytest.raises(DatabaseStartError, match="useradd"):
        EmbeddedPostgres(room / "pg").start()


@needs_root
def test_a_home_made_by_root_lets_the_server_through_whatever_the_umask(room: Path) -> None:
    before = os.umask(0o077)
    try:
        server = EmbeddedPostgres(room / "home" / "pg", overrides=QUICK)
        server.start()
    finally:
        os.umask(before)
    assert (room / "home").stat().st_mode & 0o777 == 0o711
    assert server.is_running()


@needs_root
def test_a_link_planted_in_the_data_directory_does_not_let_root_overwrite_what_it_points_to(
    make_server: MakeServer, room: Path
) -> None:
    (room / "precious").write_text("keep")
    server = make_server()
    (server.pg_dir / "everlore.conf").unlink()
    (server.pg_dir / "everlore.conf").symlink_to(room / "precious")

    server.start()

    assert (room / "precious").read_text() == "keep"
    assert (room / "precious").stat().st_uid == 0


@needs_root
def test_changing_user_without_the_right_to_is_explained(server_user: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("subprocess.run", refused)
    with pytest.raises(DatabaseStartError, match="SETUID"):
        run(["/bin/true"], server_user, timeout_s=5)


def test_a_program_that_does_not_end_is_an_error(room: Path) -> None:
    ourselves = Account(os.geteuid(), os.getegid(), "", switch=False)
    with pytest.raises(DatabaseStartError, match="did not end"):
        run(["/bin/sleep", "30"], ourselves, timeout_s=0.2)


@not_as_root
def test_the_database_of_another_user_is_refused_in_words(room: Path) -> None:
    (room / "pg").mkdir(mode=0o000)
    with pytest.raises(DatabaseStartError, match="belongs to another"):
        EmbeddedPostgres(room / "pg").start()
    (room / "pg").chmod(0o700)


@not_as_root
def test_a_home_that_cannot_be_written_is_refused_in_words() -> None:
    with pytest.raises(DatabaseStartError, match=r"cannot be made.*EVERLORE_DATA_DIR"):
        EmbeddedPostgres(Path("/everlore-cannot-be-here/pg")).start()
