"""`everlore up`: everything from the lock to the last line, in order."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from django.conf import settings
from django.db import connections
from django.utils.translation import gettext as _

from memory_core.domain import tunables_workers as tunables
from memory_core.domain.errors import EverloreError
from memory_core.flows import embedding
from workers import guard as guard_process
from workers import instance, secret_rules, start
from workers.console import Console
from workers.postgres import EmbeddedPostgres
from workers.postgres.server import LOG_NAME
from workers.processes import Process, environment, processes
from workers.supervisor import Guard, Supervisor


@dataclass(slots=True)
class Instance:
    """One run of `everlore up`: its settings, where it writes, and what it has started so far."""

    values: dict[str, Any]
    console: Console
    with_jobs: bool
    lock: instance.InstanceLock
    began: float
    database: EmbeddedPostgres | None = None
    deaths: deque[float] = field(default_factory=deque)

    @property
    def url(self) -> str:
        """Where it answers."""
        return start.url_of(self.values["EVERLORE_HOST"], self.values["EVERLORE_PORT"])

    def groups(self, living: Sequence[int]) -> None:
        """Keep who runs in the lock file, for a second start and for the one after a crash."""
        known = []
        for group in living:
            with contextlib.suppress(psutil.Error):
                known.append((group, psutil.Process(group).create_time()))
        self.lock.write(instance.Holder(os.getpid(), self.url, tuple(known)))


def up(values: dict[str, Any], *, with_jobs: bool) -> int:
    """Run the instance until it is stopped; gives the exit status: 0 stopped by a signal, 1 it could not go on."""
    console = Console()
    home = Path(settings.DATA_HOME)
    home.mkdir(parents=True, exist_ok=True)
    lock = instance.InstanceLock(home)
    dead = instance.read(lock.path)
    try:
        lock.take(tunables.TAKEOVER_SECONDS)
    except instance.InstanceRuns as running:
        console.say(_already_runs(home, running.holder))
        return 1
    run = Instance(values, console, with_jobs, lock, time.monotonic())
    with _signals_interrupt():
        try:
            guard_process.end(set(instance.leftovers(dead)), tunables.GUARD_GRACE_SECONDS)
            return _up(run)
        except EverloreError as problem:
            console.say(str(problem))
            return 1
        except KeyboardInterrupt:
            console.say(_("Stopped before it was ready."))
            return 0
        finally:
            lock.leave()


def _already_runs(home: Path, holder: instance.Holder | None) -> str:
    if holder is None:
        return _("Another process is just starting or stopping Everlore in {home}. Try again in a moment.").format(
            home=home
        )
    return _(
        "Everlore already runs with the data in {home}: process {pid}, {url}. Stop it with `kill {pid}`, or set"
        " EVERLORE_DATA_DIR and EVERLORE_PORT for a second instance."
    ).format(home=home, pid=holder.pid, url=holder.url)


@contextlib.contextmanager
def _signals_interrupt() -> Iterator[None]:
    """Until the supervisor takes the signals over, every one of them stops the start like Ctrl-C does."""

    def interrupt(*_signal: object) -> None:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _up(run: Instance) -> int:
    values = run.values
    start.check_port(values["EVERLORE_HOST"], values["EVERLORE_PORT"])
    run.groups([])
    try:
        _prepare(run)
        return _supervise(run)
    finally:
        if run.database is not None:
            start.stop_database(run.database)
            run.console.say(_("The database has stopped. Everything that was answered is kept."))


def _prepare(run: Instance) -> None:
    """Database, tables, embedding space: what must be right before anything serves."""
    compiling = secret_rules.begin(Path(settings.SECRET_RULES_DIR))
    try:
        _prepare_database(run)
    finally:
        secret_rules.finish(compiling)


def _prepare_database(run: Instance) -> None:
    if settings.EMBEDDED_DATABASE:
        run.console.say(_("Starting the database ..."))
        run.database = EmbeddedPostgres(
            Path(settings.POSTGRES_DIR)
        )  # known before it starts: it stops whatever happens
    start.start_database()
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)  # the server of static files warns without it
    if steps := start.migrate():
        run.console.say(_("Brought the tables up to date ({steps} steps).").format(steps=steps))
    embedding.refuse_other_space()
    connections.close_all()


async def _tend(run: Instance) -> None:
    """Start the database again when it died. Raises EverloreError where it does not start, or dies too often."""
    if run.database is None or await asyncio.to_thread(run.database.is_running):
        return
    now = time.monotonic()
    run.deaths.append(now)
    while run.deaths[0] < now - tunables.CRASH_WINDOW_SECONDS:
        run.deaths.popleft()
    if len(run.deaths) >= tunables.CRASHES_IN_WINDOW:
        place = Path(settings.POSTGRES_DIR) / LOG_NAME
        raise start.CannotStart(_("The database dies again and again; its log is {place}.").format(place=place))
    run.console.say(_("The database has died; it is started again."))
    await asyncio.to_thread(run.database.start)


def _supervise(run: Instance) -> int:
    at_end: list[str] = []
    if run.database is not None:
        inner = Process("guard", (sys.executable, "-m", "workers.postgres", "stop"), 0, 0)
        os.environ["EVERLORE_DATA_DIR"] = str(settings.DATA_HOME)  # also where the platform's usual place was meant
        os.environ["PYTHONPATH"] = environment(inner)["PYTHONPATH"]
        at_end = list(inner.command)
    watcher = Guard(at_end, inherit=[run.lock.descriptor])
    host, port = run.values["EVERLORE_HOST"], run.values["EVERLORE_PORT"]

    async def answers() -> bool:
        return await asyncio.to_thread(start.live, host, port) is not None

    async def main() -> int:
        supervisor = Supervisor(
            processes(run.values, with_jobs=run.with_jobs),
            run.console,
            watcher,
            probe=answers,
            on_ready=lambda: run.console.plain(banner(run)),
            on_groups=run.groups,
            tend=lambda: _tend(run),
        )
        return await supervisor.run()

    try:
        return asyncio.run(main())
    finally:
        watcher.dismiss()


def _model_line() -> str:
    state = embedding.model_state()
    if state.ready:
        return _("{name}, ready").format(name=state.name)
    if state.name:
        return _("{name} is being prepared (about a minute, once); searches go by words until then").format(
            name=state.name
        )
    return state.reason


def banner(run: Instance) -> str:
    """What a person reads when everything answers."""
    database = str(settings.POSTGRES_DIR) if run.database else _("external (DATABASE_URL)")
    rows = [
        (_("Viewer and API"), run.url),
        (_("Data"), str(settings.DATA_HOME)),
        (_("Database"), database),
        (_("Model"), _model_line()),
        (_("Next"), _("`everlore demo` shows what it does, `everlore doctor` checks it; Ctrl-C stops it")),
    ]
    width = max(len(name) for name, _text in rows)
    seconds = f"{time.monotonic() - run.began:.1f}"
    title = _("Everlore is ready ({seconds} s)").format(seconds=seconds)
    line = "-" * min(78, shutil.get_terminal_size().columns)
    return "\n".join([line, title, *(f"  {name:<{width}}  {text}" for name, text in rows), line])
