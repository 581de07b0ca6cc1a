"""The embedded Postgres: start it once whoever asks, stop it, say where it listens."""

from __future__ import annotations

import logging
import os
import re
import shlex
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from memory_core.domain import locations
from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import DatabaseStartError, ProviderError
from workers.postgres import cluster, configuration, databases, diagnosis, pidfile, tcp
from workers.postgres.account import Account, check_reachable, run, server_account
from workers.postgres.binaries import Binaries, find_binaries
from workers.postgres.installation import remove_old_copies, runnable_binaries

logger = logging.getLogger(__name__)

LOG_NAME = "server.log"
STOP_MODES = ("smart", "fast", "immediate")


class EmbeddedPostgres:
    """The server of one data directory. An object holds no state: any process may make one, to ask or to tell.

    `overrides` are further PostgreSQL settings of a start. The server goes on when its starter ends, until `stop`.
    """

    def __init__(
        self, pg_dir: Path, *, binaries: Binaries | None = None, overrides: Mapping[str, str] | None = None
    ) -> None:
        self.pg_dir = Path(os.path.abspath(pg_dir))
        self._binaries = binaries
        self._overrides = dict(overrides or {})
        if re.search(r"[\x00-\x1f\x7f]", str(self.pg_dir)):
            # postmaster.pid and the configuration are files of lines.
            raise DatabaseStartError(
                f"The folder {str(self.pg_dir)!r} has a control character in its name: choose another."
            )

    def start(self, timeout_s: float = tunables.START_TIMEOUT_S) -> None:
        """Return once the server answers, creating its data at the first start; do nothing where it runs.

        Safe when several processes call it at once: one starts it and the others wait. Raises DatabaseStartError with
        what to do.
        """
        if self._is_ready():
            return
        deadline = time.monotonic() + timeout_s
        self._make_home()
        with self._lock(timeout_s):
            self._wait_while_changing(deadline)
            if not self._is_ready():
                self._start_stopped(deadline)

    def stop(self, mode: str = "fast", timeout_s: float = tunables.STOP_TIMEOUT_S) -> None:
        """Stop the server and wait until it is gone; do nothing where none runs.

        `smart` waits for its clients, `fast` ends their transactions, `immediate` leaves a recovery to the next start.
        Raises ProviderError where it is still there after `timeout_s`.
        """
        if mode not in STOP_MODES:
            raise ValueError(f"mode is {mode!r}, not one of {', '.join(STOP_MODES)}")
        if pidfile.find_postmaster(self.pg_dir) is None:
            return
        with self._lock(timeout_s):
            account = server_account(self.pg_dir)
            command: list[str | Path] = [
                self._program("pg_ctl", account),
                "stop",
                "-D",
                self.pg_dir,
                "-s",
                "-w",
                "-m",
                mode,
            ]
            result = run([*command, "-t", _seconds(timeout_s)], account, timeout_s=timeout_s + tunables.PROBE_TIMEOUT_S)
            if postmaster := pidfile.find_postmaster(self.pg_dir):
                raise ProviderError(
                    f"The database server (process {postmaster.pid}) did not stop within {timeout_s:.0f} s: "
                    f"{result.stdout.strip()} Close its clients, or stop it with the mode 'fast' or 'immediate'."
                )
            self._remove_socket_dir()

    def is_running(self) -> bool:
        """Whether a server serves this data directory, ready or not."""
        return pidfile.find_postmaster(self.pg_dir) is not None

    def postmaster_pid(self) -> int | None:
        """The process id of the running server's first process."""
        postmaster = pidfile.find_postmaster(self.pg_dir)
        return postmaster.pid if postmaster else None

    def connection_parameters(self) -> dict[str, str]:
        """Host, port, user and password, as psycopg and Django's settings take them."""
        return locations.connection_parameters(self.pg_dir)

    def ensure_database(self, name: str) -> None:
        """Create the database `name` and its extensions where absent, in the running server; or DatabaseStartError."""
        databases.ensure_database(self.connection_parameters(), name)

    def _is_ready(self) -> bool:
        postmaster = pidfile.find_postmaster(self.pg_dir)
        return postmaster is not None and postmaster.ready

    def _make_home(self) -> None:
        home = self.pg_dir.parent
        if home.is_dir():
            return
        try:
            home.mkdir(parents=True, exist_ok=True)
            # As root the server's user must pass through; nobody needs to list it.
            home.chmod(0o711 if sys.platform != "win32" and os.geteuid() == 0 else 0o700)
        except OSError as problem:
            raise DatabaseStartError(
                f"The folder {home} for the database cannot be made ({problem.strerror}): set EVERLORE_DATA_DIR to one "
                "of yours."
            ) from problem

    @contextmanager
    def _lock(self, timeout_s: float) -> Iterator[None]:
        """One start or stop at a time; the system drops the lock when its holder dies."""
        place = self.pg_dir.with_name(f"{self.pg_dir.name}.lock")
        lock = FileLock(place, timeout=timeout_s, mode=0o600)
        try:
            lock.acquire(poll_interval=tunables.POLL_S)
        except Timeout as problem:
            raise DatabaseStartError(
                f"Another process has been starting or stopping this database for {timeout_s:.0f} s ({place} is "
                "locked)."
            ) from problem
        except OSError as problem:
            raise DatabaseStartError(
                f"{place} cannot be written ({problem.strerror}): run Everlore as the owner of that folder, or set "
                "EVERLORE_DATA_DIR to a folder of your own."
            ) from problem
        try:
            yield
        finally:
            lock.release()

    def _wait_while_changing(self, deadline: float) -> None:
        """Let a server that is starting or stopping finish."""
        while (postmaster := pidfile.find_postmaster(self.pg_dir)) and not postmaster.ready:
            if time.monotonic() >= deadline:
                log = diagnosis.read_from(self.pg_dir / LOG_NAME, 0)
                raise DatabaseStartError(
                    f"The database server (process {postmaster.pid}) is there but not ready. {diagnosis.explain(log)}"
                )
            time.sleep(tunables.POLL_S)

    def _start_stopped(self, deadline: float) -> None:
        version = cluster.data_version(self.pg_dir)
        account = server_account(self.pg_dir)
        check_reachable(self.pg_dir.parent, account)
        binaries = self._binaries or find_binaries(data_version=version)
        binaries = runnable_binaries(binaries, account, self.pg_dir)
        remove_old_copies(self.pg_dir, keep=binaries)
        try:
            if version is None:
                sync = self._overrides.get("fsync") != "off"
                cluster.create(self.pg_dir, binaries, account, sync=sync, timeout_s=tunables.INITDB_TIMEOUT_S)
            check_reachable(self.pg_dir, account)
            self._prepare(account)
            self._run_server(binaries, account, deadline)
        except OSError as problem:
            raise DatabaseStartError(
                f"The database in {self.pg_dir} cannot be started: {problem.strerror} ({problem.filename})."
            ) from problem

    def _prepare(self, account: Account) -> None:
        """Put in place what a start reads: socket folder, lock files of a dead server, configuration, log."""
        port = tcp.choose_port(self.pg_dir, account) if sys.platform == "win32" else None
        self._make_socket_dir(account)
        pidfile.disown(self.pg_dir, account)
        memory = configuration.shared_memory_bytes()
        chosen = configuration.settings(self.pg_dir, self._overrides, tcp_port=port, shared_memory=memory)
        configuration.write(self.pg_dir, chosen, account)
        log = self.pg_dir / LOG_NAME
        if diagnosis.size(log) > tunables.LOG_ROTATE_BYTES:
            log.replace(log.with_name(f"{LOG_NAME}.1"))

    def _run_server(self, binaries: Binaries, account: Account, deadline: float) -> None:
        """Run pg_ctl start, again while processes of a killed server still hold its shared memory."""
        log_file, began = self.pg_dir / LOG_NAME, time.monotonic()
        while True:
            offset, left = diagnosis.size(log_file), max(1.0, deadline - time.monotonic())
            result = run(
                [binaries.program("pg_ctl"), "start", "-w", "-s", "-t", _seconds(left), *self._start_arguments()],
                account,
                timeout_s=left + tunables.PROBE_TIMEOUT_S,
                cwd=self.pg_dir,
                environ={"PGDATA": str(self.pg_dir)},
            )
            if result.returncode == 0 and self._is_ready():
                return
            log = diagnosis.read_from(log_file, offset)
            if not diagnosis.ORPHANS.search(log) or time.monotonic() >= deadline:
                said = f"{result.stdout.strip()}\n{log}"
                raise DatabaseStartError(f"The database in {self.pg_dir} did not start. {diagnosis.explain(said)}")
            if time.monotonic() - began > tunables.ORPHAN_GRACE_S:
                logger.warning(
                    "Ending %d processes of a killed server of %s", pidfile.end_orphans(self.pg_dir), self.pg_dir
                )
            time.sleep(tunables.POLL_S)

    def _start_arguments(self) -> list[str]:
        """The data directory and the log, as pg_ctl takes them.

        On Unix pg_ctl puts its own -D and -l between double quotes of a shell command, where `$` and `"` mean
        something: there the folder comes quoted by us, through PGDATA and -o, and the log is named from the working
        directory.
        """
        if sys.platform == "win32":
            return ["-D", str(self.pg_dir), "-l", str(self.pg_dir / LOG_NAME)]
        return ["-o", f"-D {shlex.quote(str(self.pg_dir))}", "-l", LOG_NAME]

    def _program(self, name: str, account: Account) -> Path:
        """A program of the install that a running server came from."""
        binaries = self._binaries or find_binaries(data_version=cluster.data_version(self.pg_dir))
        return runnable_binaries(binaries, account, self.pg_dir).program(name)

    def _make_socket_dir(self, account: Account) -> None:
        """Make the short socket folder where one is needed; refuse one that somebody else could have put there."""
        place = locations.socket_dir(self.pg_dir)
        if place == self.pg_dir or sys.platform == "win32":
            return
        with suppress(FileExistsError):
            place.mkdir(mode=0o700)
            account.own(place)
        state = place.lstat()
        if not place.is_dir() or place.is_symlink() or state.st_uid != account.uid or state.st_mode & 0o077:
            raise DatabaseStartError(
                f"The path {self.pg_dir} is too long for a socket, and the folder {place} meant for it is not one of "
                f"the user {account.name!r} alone. Remove it, or set EVERLORE_DATA_DIR to a shorter path."
            )

    def _remove_socket_dir(self) -> None:
        place = locations.socket_dir(self.pg_dir)
        if place != self.pg_dir and sys.platform != "win32":
            with suppress(OSError):  # not empty, or gone: neither matters to the next start
                place.rmdir()


def _seconds(value: float) -> str:
    return str(max(1, round(value)))
