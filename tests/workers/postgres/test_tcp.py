"""The parts of a server without a Unix socket (Windows) that can be tried anywhere."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from memory_core.domain import locations
from workers.postgres import tcp
from workers.postgres.account import Account

OURSELVES = Account(os.geteuid(), os.getegid(), "", switch=False)


def test_the_port_stays_the_same_while_it_is_free(tmp_path: Path) -> None:
    port = tcp.choose_port(tmp_path, OURSELVES)
    assert tcp.choose_port(tmp_path, OURSELVES) == port
    assert locations.connection_parameters(tmp_path, "win32")["port"] == str(port)


def test_a_port_that_somebody_took_is_given_up(tmp_path: Path) -> None:
    port = tcp.choose_port(tmp_path, OURSELVES)
    with socket.create_server((tcp.LOOPBACK, port)):
        other = tcp.choose_port(tmp_path, OURSELVES)
    assert other != port
    assert locations.connection_parameters(tmp_path, "win32")["port"] == str(other)


def test_a_damaged_port_file_is_replaced(tmp_path: Path) -> None:
    locations.port_file(tmp_path).write_text("not a port")
    assert tcp.choose_port(tmp_path, OURSELVES) > 0


def test_the_password_is_kept_only_after_initdb_and_only_for_its_owner(tmp_path: Path) -> None:
    target = tmp_path / "pg"
    target.mkdir()
    with tcp.password_for_initdb(target) as waiting:
        password = waiting.read_text()
        assert list(target.iterdir()) == []
        assert waiting.stat().st_mode & 0o777 == 0o600

    kept = locations.password_file(target)
    assert kept.read_text() == password
    assert len(password) >= 32
    assert kept.stat().st_mode & 0o777 == 0o600
    assert not waiting.exists()


def test_a_failed_initdb_leaves_no_password_behind(tmp_path: Path) -> None:
    target = tmp_path / "pg"
    target.mkdir()
    with pytest.raises(RuntimeError), tcp.password_for_initdb(target):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == [target]
