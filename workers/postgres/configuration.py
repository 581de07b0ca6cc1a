"""The server's configuration: one file of our own, included from postgresql.conf and written anew before each start."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from memory_core.domain import locations
from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import ConfigurationError
from workers.postgres.account import Account
from workers.postgres.files import replace_text

FILE_NAME = "everlore.conf"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?")


def shared_memory_bytes() -> int | None:
    """The size of /dev/shm, 0 where Linux has none, None on a system that does not use it."""
    if sys.platform != "linux":
        return None
    place = Path("/dev/shm")  # noqa: S108 - only its size is read
    return shutil.disk_usage(place).total if place.is_dir() else 0


def settings(
    pg_dir: Path, overrides: Mapping[str, str], *, tcp_port: int | None, shared_memory: int | None
) -> dict[str, str]:
    """Every setting of the server; `overrides` win. It listens on 127.0.0.1:`tcp_port`, or on its socket alone."""
    chosen = dict(tunables.SERVER_SETTINGS)
    if tcp_port is None:
        chosen["listen_addresses"] = ""
        chosen["port"] = str(tunables.SOCKET_PORT)
        # The value is a list of folders: double quotes keep one with a comma or a space at its end together.
        chosen["unix_socket_directories"] = '"{}"'.format(str(locations.socket_dir(pg_dir)).replace('"', '""'))
        chosen["unix_socket_permissions"] = "0700"
    else:
        chosen["listen_addresses"] = "127.0.0.1"
        chosen["port"] = str(tcp_port)
        chosen["password_encryption"] = "scram-sha-256"  # noqa: S105 - the name of a method
    if shared_memory is not None and shared_memory < tunables.SMALL_SHARED_MEMORY_BYTES:
        chosen["dynamic_shared_memory_type"] = "mmap"
    return chosen | dict(overrides)


def render(chosen: Mapping[str, str]) -> str:
    r"""The text of the file, one setting a line.

    >>> print(render({"work_mem": "32MB", "cluster_name": "Ada's \\ own"}), end="")
    # Written by Everlore before each start; put changes of your own into postgresql.conf, below the include.
    work_mem = '32MB'
    cluster_name = 'Ada''s \\ own'

    Raises ConfigurationError for a name that is none or a value of several lines.
    """
    lines = [
        "# Written by Everlore before each start; put changes of your own into postgresql.conf, below the include."
    ]
    for name, value in chosen.items():
        if not _NAME.fullmatch(name):
            raise ConfigurationError(f"{name!r} is not the name of a PostgreSQL setting.")
        if re.search(r"[\x00-\x1f]", value):
            raise ConfigurationError(f"The PostgreSQL setting {name} has a value with a control character: {value!r}.")
        lines.append("{} = '{}'".format(name, value.replace("\\", "\\\\").replace("'", "''")))
    return "\n".join(lines) + "\n"


def write(pg_dir: Path, chosen: Mapping[str, str], account: Account) -> None:
    """Write our file into `pg_dir` and see that postgresql.conf includes it. Raises OSError."""
    replace_text(pg_dir / FILE_NAME, render(chosen), account)
    main = pg_dir / "postgresql.conf"
    include = f"include = '{FILE_NAME}'"
    present = os.fsdecode(main.read_bytes())
    if include not in (line.strip() for line in present.splitlines()):
        replace_text(main, f"{present.rstrip()}\n\n{include}\n", account)
