"""Who the server runs as: ourselves, or as root an unprivileged user, since Postgres refuses to run as root."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import DatabaseStartError

UNPRIVILEGED_USERS = ("postgres", "nobody")
"""Users that root runs the server as: the first that exists."""

# What the server's programs see of our environment: enough to run, none of its keys and passwords, no PG* variable.
_PASSED_ON = (
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "TEMP",
    "TMP",
    "COMSPEC",
    "USERNAME",
)


@dataclass(frozen=True, slots=True)
class Account:
    """The user a program runs as; `switch` says that it is another one than ours."""

    uid: int
    gid: int
    name: str
    switch: bool

    def own(self, path: Path) -> None:
        """Hand a file or folder to this user; a symbolic link itself, never what it points to."""
        if self.switch:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


def server_account(pg_dir: Path) -> Account:
    """For root the owner of the existing data, else the first of UNPRIVILEGED_USERS; for others themselves."""
    if sys.platform == "win32":
        return Account(0, 0, os.environ.get("USERNAME", ""), switch=False)
    import pwd  # the module does not exist on Windows

    if os.geteuid() != 0:
        return Account(os.geteuid(), os.getegid(), _name(os.geteuid()), switch=False)
    if (pg_dir / "PG_VERSION").is_file():
        state = pg_dir.stat()
        if state.st_uid == 0:
            raise DatabaseStartError(
                f"{pg_dir} belongs to root, and PostgreSQL refuses to run as root. Give it to the user it ran as, "
                f"for example: chown -R postgres: '{pg_dir}'"
            )
        return Account(state.st_uid, state.st_gid, _name(state.st_uid), switch=True)
    for name in UNPRIVILEGED_USERS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid, name, switch=True)
    raise DatabaseStartError(
        "PostgreSQL refuses to run as root, and this machine has neither a user 'postgres' nor 'nobody'. Run Everlore "
        "as an ordinary user, create the user (useradd --system postgres), or set DATABASE_URL to a running server."
    )


def run(
    command: Sequence[str | Path],
    account: Account,
    *,
    timeout_s: float,
    cwd: Path | None = None,
    environ: Mapping[str, str] = {},
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end as `account`, in a session of its own, so that no Ctrl-C meant for us reaches it.

    `stdout` of the result holds both of its streams, at most what a temporary file takes: a pipe would never close,
    because a started server inherits it. Raises OSError where the program cannot be run, DatabaseStartError where we
    may not change user or the time is up.
    """
    options: dict[str, Any] = {"start_new_session": True, "cwd": cwd or "/"}
    if sys.platform == "win32":
        options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW, "cwd": cwd}
    if account.switch:
        options |= {"user": account.uid, "group": account.gid, "extra_groups": []}
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    with tempfile.TemporaryFile() as output:
        try:
            done = subprocess.run(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**passed, "LC_ALL": "C", **environ},
                timeout=timeout_s,
                check=False,
                **options,
            )
        except subprocess.TimeoutExpired as problem:
            raise DatabaseStartError(f"{command[0]} did not end within {timeout_s:.0f} s.") from problem
        except OSError as problem:
            if account.switch and problem.errno in (errno.EPERM, errno.EINVAL):
                raise DatabaseStartError(
                    f"This process is root but may not run a program as the user {account.name!r} "
                    f"({problem.strerror}). Run Everlore as an ordinary user, allow the container SETUID and SETGID, "
                    "or set DATABASE_URL to a running server."
                ) from problem
            raise
        output.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, output.read().decode("utf-8", "replace"))


def can_enter(folder: Path, account: Account) -> bool:
    """Whether `account` can enter `folder`; tried, not computed, for access lists do not show in modes."""
    if not account.switch:
        return os.access(folder, os.X_OK)
    probe = run(["/bin/sh", "-c", 'cd -- "$1"', "sh", folder], account, timeout_s=tunables.PROBE_TIMEOUT_S)
    return probe.returncode == 0


def check_reachable(folder: Path, account: Account) -> None:
    """Raise DatabaseStartError naming the first folder on the way to `folder` that the server's user cannot enter."""
    if can_enter(folder, account):
        return
    barred = next((part for part in [*reversed(folder.parents), folder] if not can_enter(part, account)), folder)
    raise DatabaseStartError(
        f"The database server runs as the user {account.name!r}, who cannot enter {barred}, and its data is to be in "
        f"{folder}. Set EVERLORE_DATA_DIR to a folder that user can reach, for example /var/lib/everlore, or give it "
        "the right to enter."
    )


def _name(uid: int) -> str:
    import pwd  # the module does not exist on Windows

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
