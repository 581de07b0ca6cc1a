"""Keeps the processes of an instance running: starts them, passes their lines on, restarts what dies, stops all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from django.utils.translation import gettext as _

from memory_core.domain import tunables_workers as tunables
from memory_core.domain.errors import EverloreError
from workers.console import Console
from workers.processes import Process, environment

REFUSED = 2
"""Exit status of a child that would refuse again: its settings are wrong. It is not restarted."""

GUARD = Path(__file__).with_name("guard.py")


class Guard:
    """The process that clears away after a killed supervisor; started again when somebody kills it."""

    def __init__(self, at_end: Sequence[str], inherit: Sequence[int]) -> None:
        self._at_end, self._inherit = at_end, tuple(inherit)
        self._groups: set[int] = set()
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", str(GUARD), str(tunables.GUARD_GRACE_SECONDS), *self._at_end]
        return subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=self._inherit, start_new_session=True)

    def add(self, group: int) -> None:
        """Watch over a process group."""
        self._groups.add(group)
        self._tell(f"+{group}")

    def remove(self, group: int) -> None:
        """A process group has ended."""
        self._groups.discard(group)
        self._tell(f"-{group}")

    def ensure(self) -> None:
        """Start it again if it is gone."""
        if self._process.poll() is not None:
            self._process = self._start()
            for group in self._groups:
                self._tell(f"+{group}")

    def dismiss(self) -> None:
        """Everything is stopped: nothing is left to clear away."""
        self._tell("done")
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _tell(self, line: str) -> None:
        pipe = self._process.stdin
        with contextlib.suppress(OSError):  # it is dead: `ensure` tells the next one
            if pipe is not None:
                pipe.write(f"{line}\n".encode())
                pipe.flush()


class Supervisor:
    """Runs the processes of one instance; one object a run.

    `probe` says whether the first process answers; the others start when it does, then `on_ready` is called.
    `on_groups` is told the living process groups whenever they change. `tend` is run again and again beside them, to
    look after what is no child of ours; an EverloreError out of it stops everything.
    """

    def __init__(
        self,
        processes: Sequence[Process],
        console: Console,
        guard: Guard,
        *,
        probe: Callable[[], Awaitable[bool]],
        on_ready: Callable[[], None],
        on_groups: Callable[[Sequence[int]], None],
        tend: Callable[[], Awaitable[None]],
    ) -> None:
        self.processes, self.console, self.guard = processes, console, guard
        self.probe, self.on_ready, self.on_groups = probe, on_ready, on_groups
        self.tend = tend
        self.failure = ""
        self._stop = asyncio.Event()
        self._hurry = asyncio.Event()
        self._stopped_at = 0.0
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._keepers: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> int:
        """Run until a signal or a failure; 0 after a signal, 1 after a failure, which has been explained."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.stop)
        watch = asyncio.create_task(self._watch())
        try:
            await self._start()
            await self._stop.wait()
        finally:
            await self._stop_all()
            await watch
        if self.failure:
            self.console.say(self.failure)
        return 1 if self.failure else 0

    def stop(self) -> None:
        """Stop everything in order; called again a while later, at once (some callers send a signal twice)."""
        now = time.monotonic()
        if self._stop.is_set() and now - self._stopped_at > tunables.SECOND_SIGNAL_SECONDS:
            self._hurry.set()
        if not self._stop.is_set():
            self._stopped_at = now
            self.console.say(_("Stopping ..."))
        self._stop.set()

    def _fail(self, words: str) -> None:
        if not self._stop.is_set():
            self.failure = words
            self._stop.set()

    async def _start(self) -> None:
        first, *others = self.processes
        self._keep(first)
        if not await self._answers(first):
            return
        for process in others:
            self._keep(process)
        self.on_ready()

    async def _answers(self, process: Process) -> bool:
        deadline = time.monotonic() + tunables.READY_TIMEOUT_SECONDS
        while not self._stop.is_set():
            if await self.probe():
                return True
            if time.monotonic() > deadline:
                seconds = round(tunables.READY_TIMEOUT_SECONDS)
                self._fail(
                    _("{name} did not answer within {seconds} s; its lines above say why.").format(
                        name=process.name, seconds=seconds
                    )
                )
                break
            await self._pause(tunables.READY_POLL_SECONDS)
        return False

    async def _pause(self, seconds: float) -> None:
        """Wait, but not when everything stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)

    def _keep(self, process: Process) -> None:
        self._keepers[process.name] = asyncio.create_task(self._keep_running(process))

    async def _keep_running(self, process: Process) -> None:
        """Run a process again and again, with a growing pause, until it dies too often."""
        deaths: deque[float] = deque()
        while not self._stop.is_set():
            status = await self._run_once(process)
            if self._stop.is_set():
                return
            now = time.monotonic()
            deaths.append(now)
            while deaths[0] < now - tunables.CRASH_WINDOW_SECONDS:
                deaths.popleft()
            how = _ended(status)
            if status == REFUSED:
                self._fail(_("{name} refuses to run; its lines above say why.").format(name=process.name))
            elif len(deaths) >= tunables.CRASHES_IN_WINDOW:
                self._fail(
                    _(
                        "{name} {how}, for the {count}th time in {minutes} minutes: everything is stopped. Its lines above"
                        " say why; `everlore doctor` checks the rest."
                    ).format(
                        name=process.name,
                        how=how,
                        count=len(deaths),
                        minutes=round(tunables.CRASH_WINDOW_SECONDS / 60),
                    )
                )
            else:
                seconds = min(tunables.RESTART_BASE_SECONDS * 2 ** (len(deaths) - 1), tunables.RESTART_MOST_SECONDS)
                self.console.say(
                    _("{name} {how}; it is started again in {seconds} s.").format(
                        name=process.name, how=how, seconds=f"{seconds:g}"
                    )
                )
                await self._pause(seconds)

    async def _run_once(self, process: Process) -> int:
        """Run a process to its end, in a process group of its own; gives its exit status (negative: the signal)."""
        # A pipe of our own: with asyncio's, the wait lasts until the last grandchild has closed it, too.
        read, write = os.pipe()
        lines = asyncio.create_task(self._pass_on(process.name, os.fdopen(read, "rb")))
        try:
            child = await asyncio.create_subprocess_exec(
                *process.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=write,
                stderr=asyncio.subprocess.STDOUT,
                env=environment(process),
                process_group=0,  # a Ctrl-C of the terminal reaches us alone, and we stop the others in order
            )
        finally:
            os.close(write)
        self._running[process.name] = child
        self.guard.add(child.pid)
        self._tell_groups()
        try:
            return await child.wait()
        finally:
            _signal_group(child.pid, signal.SIGKILL)  # children of a process that died without them
            del self._running[process.name]
            self.guard.remove(child.pid)
            self._tell_groups()
            await asyncio.wait({lines}, timeout=tunables.LAST_LINES_SECONDS)
            lines.cancel()

    async def _pass_on(self, name: str, pipe: BinaryIO) -> None:
        """Write every line that comes out of a pipe, until all who can write to it are gone."""
        reader = asyncio.StreamReader(limit=tunables.LOG_LINE_BYTES)
        loop = asyncio.get_running_loop()
        transport, _protocol = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        try:
            async for line in _lines(reader):
                self.console.line(name, line.decode("utf-8", "replace").rstrip())
        finally:
            transport.close()

    def _tell_groups(self) -> None:
        self.on_groups([child.pid for child in self._running.values()])

    async def _stop_all(self) -> None:
        """Stop stage by stage: those that take requests first."""
        self._stop.set()
        for stage in sorted({process.stage for process in self.processes}):
            await asyncio.gather(*(self._stop_one(process) for process in self.processes if process.stage == stage))

    async def _stop_one(self, process: Process) -> None:
        keeper = self._keepers.get(process.name)
        if keeper is None:
            return
        if child := self._running.get(process.name):
            with contextlib.suppress(ProcessLookupError):
                child.send_signal(signal.SIGTERM)
            hurry = asyncio.create_task(self._hurry.wait())
            await asyncio.wait({keeper, hurry}, timeout=process.grace_s, return_when=asyncio.FIRST_COMPLETED)
            hurry.cancel()
            if not keeper.done():
                self.console.say(_("{name} did not stop in time and is killed.").format(name=process.name))
                _signal_group(child.pid, signal.SIGKILL)
        await keeper

    async def _watch(self) -> None:
        """Look after the guard, and after what `tend` does."""
        while not self._stop.is_set():
            await self._pause(tunables.TEND_SECONDS)
            self.guard.ensure()
            try:
                if not self._stop.is_set():
                    await self.tend()
            except EverloreError as problem:
                self._fail(str(problem))


async def _lines(stream: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The lines of a stream; one that is longer than the stream's limit comes in pieces."""
    while True:
        try:
            yield await stream.readuntil(b"\n")
        except asyncio.LimitOverrunError as long:
            yield await stream.read(max(long.consumed, 1))
        except asyncio.IncompleteReadError as end:
            if end.partial:
                yield end.partial
            return


def _signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _ended(status: int) -> str:
    if status < 0:
        return _("was ended by signal {number}").format(number=-status)
    return _("ended with status {status}").format(status=status)
