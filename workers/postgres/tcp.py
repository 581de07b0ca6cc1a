"""Windows, without a Unix socket: a free port on 127.0.0.1 and a generated password, both kept in files."""

from __future__ import annotations

import secrets
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory_core.domain import locations
from workers.postgres.account import Account
from workers.postgres.files import replace_text

LOOPBACK = "127.0.0.1"


def choose_port(pg_dir: Path, account: Account) -> int:
    """The port of the last start while it is free, since settings were read from it; else a new one, kept."""
    place = locations.port_file(pg_dir)
    known = place.read_text("ascii").strip() if place.is_file() else ""
    if known.isdecimal() and _free_port(int(known)):
        return int(known)
    port = _free_port(0)
    replace_text(place, f"{port}\n", account)
    return port


def _free_port(wanted: int) -> int:
    """`wanted` where nothing listens on it, any free port for 0; 0 where `wanted` is taken."""
    with socket.socket() as probe:
        try:
            probe.bind((LOOPBACK, wanted))
        except OSError:
            return 0
        return int(probe.getsockname()[1])


@contextmanager
def password_for_initdb(target: Path) -> Iterator[Path]:
    """A file beside `target` with a new password, moved into `target` after initdb, which wants that folder empty.

    Made with mode 0600 before anything is written; on Windows the profile folder it lies in is closed to other users.
    """
    waiting = target.with_name(f"{target.name}.password")
    waiting.touch(mode=0o600, exist_ok=False)
    try:
        waiting.write_text(secrets.token_urlsafe(32), "ascii")
        yield waiting
        shutil.move(waiting, locations.password_file(target))
    finally:
        waiting.unlink(missing_ok=True)
