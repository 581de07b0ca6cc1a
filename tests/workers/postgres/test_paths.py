"""Any folder name a person may have serves as data directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_core.domain import locations
from memory_core.domain.errors import DatabaseStartError
from tests.workers.postgres.conftest import QUICK, MakeServer, ask
from workers.postgres import EmbeddedPostgres

NAMES = [
    pytest.param("with a space ", id="spaces, one at the end"),
    pytest.param("o'brien", id="single quote, as in a name"),
    pytest.param('the "new" one', id="double quote, which pg_ctl hands to a shell"),
    pytest.param("$HOME `id` $(id)", id="what a shell would run"),
    pytest.param("a\\b", id="backslash, an escape in postgresql.conf"),
    pytest.param("数据 données Ωμέγα", id="other scripts"),
    pytest.param("a,b", id="comma, which separates hosts for libpq"),
    pytest.param("-D", id="looks like a switch"),
    pytest.param("a\u2028b", id="a line separator of Unicode"),
    pytest.param("x" * 120, id="longer than a socket's path may be"),
    pytest.param("é" * 60, id="longer in bytes than in letters"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_server_lives_stops_and_is_found_in_a_folder_of_any_name(make_server: MakeServer, name: str) -> None:
    server = make_server(f"{name}/pg")

    server.start()
    EmbeddedPostgres(server.pg_dir).start()

    assert ask(server, "SHOW data_directory") == str(server.pg_dir)
    server.stop()
    assert not server.is_running()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param("o'brien's \"new\" $HOME 数据", id="every quote"), pytest.param("x" * 120, id="long")]
)
def test_data_is_created_in_a_folder_of_any_name(room: Path, name: str) -> None:
    server = EmbeddedPostgres(room / name / "pg", overrides=QUICK)
    server.start()
    server.ensure_database("everlore")
    assert ask(server, "SELECT 1", "everlore") == 1


def test_a_name_with_a_line_end_is_refused(room: Path) -> None:
    with pytest.raises(DatabaseStartError, match="control character"):
        EmbeddedPostgres(room / "two\nlines" / "pg")


def test_the_short_socket_folder_is_the_servers_alone_and_goes_with_it(make_server: MakeServer) -> None:
    server = make_server(f"{'x' * 120}/pg")
    server.start()
    place = locations.socket_dir(server.pg_dir)

    assert place.parent == Path("/tmp")
    assert place.stat().st_mode & 0o777 == 0o700
    assert place.stat().st_uid == server.pg_dir.stat().st_uid
    server.stop()
    assert not place.exists()


@pytest.mark.parametrize("kind", ["open to others", "a link"])
def test_a_socket_folder_that_somebody_else_may_have_put_there_is_refused(make_server: MakeServer, kind: str) -> None:
    server = make_server(f"{'x' * 120}/pg")
    place = locations.socket_dir(server.pg_dir)
    if kind == "a link":
        place.symlink_to(server.pg_dir)
    else:
        place.mkdir()
        place.chmod(0o777)
    try:
        with pytest.raises(DatabaseStartError, match=r"too long for a socket.*Remove it"):
            server.start()
    finally:
        place.unlink() if place.is_symlink() else place.rmdir()
    assert not server.is_running()


def test_a_data_directory_reached_through_a_link_is_the_same_one(make_server: MakeServer, room: Path) -> None:
    server = make_server("disk/pg")
    os.symlink("disk", room / "link")
    server.start()
    assert EmbeddedPostgres(room / "link" / "pg").postmaster_pid() == server.postmaster_pid()
