"""Read postmaster.pid: which process serves a data directory, if any, and how far it is."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from memory_core.domain import locations
from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import DatabaseStartError
from workers.postgres.account import Account
from workers.postgres.files import replace_text

NAME = "postmaster.pid"
_STATUS_LINE = 7  # counted from 0: src/include/utils/pidfile.h
_READY = ("ready", "standby")


@dataclass(frozen=True, slots=True)
class Postmaster:
    """A running server's first process; `ready` once it answers, False while it starts or stops."""

    pid: int
    ready: bool


def find_postmaster(pg_dir: Path) -> Postmaster | None:
    """The process that serves `pg_dir` now; None without a file, or where it names a dead or another process.

    Raises DatabaseStartError where we may not look.
    """
    lines = _read_lines(pg_dir / NAME)
    pid = _pid_of(lines)
    if pid is None or not _serves(pid, pg_dir):
        return None
    status = lines[_STATUS_LINE].strip() if len(lines) > _STATUS_LINE else ""
    return Postmaster(pid, status in _READY)


def disown(pg_dir: Path, account: Account) -> None:
    """Make the lock files that a dead server left harmless, whoever has its process id by now.

    The id is replaced and the file kept: Postgres then still looks at the shared memory it names, and does not start
    beside processes that a killed server left. Call it only while `find_postmaster` says None and no other start can
    run.
    """
    socket_lock = locations.socket_dir(pg_dir) / f"{tunables.SOCKET_NAME.format(port=tunables.SOCKET_PORT)}.lock"
    for path in (pg_dir / NAME, *([socket_lock] if sys.platform != "win32" else [])):
        if path.is_file():
            lines = _read_lines(path)
            replace_text(path, "\n".join([str(tunables.IMPOSSIBLE_PID), *lines[1:]]), account)


def end_orphans(pg_dir: Path) -> int:
    """Ask the processes that a killed server left behind to end; gives how many were found.

    They are known by their working directory, which the system may hide from us: then there are none to ask, and those
    that wait for work notice by themselves.
    """
    found = list(_orphans(pg_dir))
    for process in found:
        try:
            process.send_signal(signal.SIGTERM)
        except psutil.NoSuchProcess:
            continue
    return len(found)


def _orphans(pg_dir: Path) -> Iterator[psutil.Process]:
    for process in psutil.process_iter():
        try:
            if process.name().startswith("postgres") and Path(process.cwd()) == pg_dir.resolve():
                yield process
        except psutil.Error:
            continue


def _serves(pid: int, pg_dir: Path) -> bool:
    """Whether `pid` is a postmaster whose command line names `pg_dir`.

    Its children write a title over theirs ("postgres: checkpointer"), and a dead process that nobody waited for has
    none. A server started by hand with PGDATA names no folder; its working directory decides, and where that is hidden
    it counts as ours, for taking it for a stranger would shut it down.
    """
    try:
        arguments = psutil.Process(pid).cmdline()
    except psutil.Error:
        return False
    if not arguments or Path(arguments[0]).name not in ("postgres", "postgres.exe"):
        return False
    if "-D" in arguments[:-1]:
        last = len(arguments) - 1 - arguments[::-1].index("-D")
        return _same_folder(Path(arguments[last + 1]), pg_dir)
    try:
        return _same_folder(Path(psutil.Process(pid).cwd()), pg_dir)
    except psutil.AccessDenied:
        return True
    except psutil.NoSuchProcess:
        return False


def _same_folder(one: Path, other: Path) -> bool:
    try:
        return one == other or os.path.samefile(one, other)
    except OSError:
        return False


def _pid_of(lines: list[str]) -> int | None:
    try:
        return abs(int(lines[0])) or None  # a single-user server writes its own as a negative number
    except (IndexError, ValueError):
        return None


def _read_lines(path: Path) -> list[str]:
    try:
        # Not splitlines(): a folder name may hold U+2028 or another character that it takes for the end of a line.
        return os.fsdecode(path.read_bytes()).replace("\r\n", "\n").split("\n")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except PermissionError as problem:
        raise DatabaseStartError(
            f"{path} cannot be read by this user: the database there belongs to another one. Run Everlore as that "
            "user, or set EVERLORE_DATA_DIR to a folder of your own."
        ) from problem
