"""The supervisor with small processes: it passes lines on, restarts what dies, gives up in words, and stops in order."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from memory_core.domain import tunables_workers as tunables
from memory_core.domain.errors import DatabaseStartError
from workers.console import Console
from workers.processes import Process
from workers.supervisor import REFUSED, Guard, Supervisor

SLEEP = "import time; time.sleep(60)"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"


def python(name: str, code: str, stage: int = 1, grace_s: float = 5.0) -> Process:
    """A process that runs some Python."""
    return Process(name, (sys.executable, "-I", "-S", "-c", code), grace_s, stage)


class Run:
    """A supervisor with what it said and which groups it told of."""

    def __init__(
        self, processes: Sequence[Process], stop_when: str = "", answers: bool = True, trouble: str = ""
    ) -> None:
        self.stream = io.StringIO()
        self.groups: list[list[int]] = []
        self.ready = self.tended = 0
        self._trouble = trouble
        self._processes, self._stop_when, self._answers = processes, stop_when, answers

    @property
    def output(self) -> str:
        """Every line so far."""
        return self.stream.getvalue()

    def _on_ready(self) -> None:
        self.ready += 1

    async def _tend(self) -> None:
        self.tended += 1
        if self._trouble:
            raise DatabaseStartError(self._trouble)

    async def _probe(self) -> bool:
        return self._answers

    async def _run(self) -> int:
        guard = Guard([], inherit=[])
        supervisor = Supervisor(
            self._processes, Console(self.stream), guard,
            probe=self._probe, on_ready=self._on_ready, tend=self._tend,
            on_groups=lambda groups: self.groups.append(list(groups)),
        )  # fmt: skip
        task = asyncio.create_task(supervisor.run())
        deadline = time.monotonic() + 20
        while (
            self._stop_when and self._stop_when not in self.output and time.monotonic() < deadline and not task.done()
        ):
            await asyncio.sleep(0.02)
        if self._stop_when:
            os.kill(os.getpid(), signal.SIGTERM)
        try:
            return await asyncio.wait_for(task, 20)
        finally:
            guard.dismiss()

    def status(self) -> int:
        """Run it to its end and give its exit status."""
        return asyncio.run(self._run())


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "RESTART_BASE_SECONDS", 0.01)
    monkeypatch.setattr(tunables, "RESTART_MOST_SECONDS", 0.02)


def test_every_line_has_the_name_of_its_process() -> None:
    run = Run([python("web", f"print('one\\ntwo', flush=True); {SLEEP}")], stop_when="two")

    assert run.status() == 0
    assert "web      | one\n" in run.output
    assert "web      | two\n" in run.output
    assert run.ready == 1


def test_a_line_longer_than_the_limit_comes_in_pieces_and_holds_nothing_up() -> None:
    length = tunables.LOG_LINE_BYTES * 3
    run = Run([python("web", f"print('x' * {length} + 'end', flush=True); {SLEEP}")], stop_when="end")

    run.status()

    assert run.output.count("x") >= length


def test_the_others_start_when_the_first_answers() -> None:
    run = Run([python("web", SLEEP), python("jobs", f"print('at work', flush=True); {SLEEP}", 2)], stop_when="at work")

    assert run.status() == 0
    assert len(run.groups[0]) == 1
    assert max(map(len, run.groups)) == 2


def test_one_that_does_not_answer_stops_everything_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "READY_TIMEOUT_SECONDS", 0.2)
    run = Run([python("web", SLEEP), python("jobs", SLEEP, 2)], answers=False)

    assert run.status() == 1
    assert "web did not answer within" in run.output
    assert run.ready == 0


def test_what_dies_is_reported_and_started_again(tmp_path: Path) -> None:
    once = tmp_path / "once"
    code = f"""
import os, pathlib, time
here = pathlib.Path({str(once)!r})
if not here.exists():
    here.touch()
    os.kill(os.getpid(), 9)
print('back again', flush=True)
time.sleep(60)"""
    run = Run([python("web", code)], stop_when="back again")

    assert run.status() == 0
    assert "web was ended by signal 9" in run.output


def test_what_dies_again_and_again_stops_everything() -> None:
    run = Run([python("web", SLEEP), python("jobs", "raise SystemExit(7)", 2)])

    assert run.status() == 1
    assert f"jobs ended with status 7, for the {tunables.CRASHES_IN_WINDOW}th time" in run.output
    assert run.output.count("is started again") == tunables.CRASHES_IN_WINDOW - 1


def test_what_it_tends_may_stop_everything_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "TEND_SECONDS", 0.01)
    run = Run([python("web", SLEEP)], trouble="the disk is full")

    assert run.status() == 1
    assert "the disk is full" in run.output
    assert run.tended == 1


def test_what_refuses_its_settings_is_not_started_again() -> None:
    run = Run([python("web", SLEEP), python("worker", f"print('because'); raise SystemExit({REFUSED})", 2)])

    assert run.status() == 1
    assert run.output.count("because") == 1
    assert "worker refuses to run" in run.output


def test_the_stages_stop_one_after_the_other() -> None:
    say = (
        "import signal, sys, time\n"
        "def end(*a):\n print('{} ends', flush=True); time.sleep({}); sys.exit()\n"
        "signal.signal(15, end)\n"
    )
    web = python("web", say.format("web", 0.3) + SLEEP)
    jobs = python("jobs", say.format("jobs", 0) + "print('go', flush=True)\n" + SLEEP, 2)
    run = Run([web, jobs], stop_when="go")

    assert run.status() == 0
    assert run.output.index("web ends") < run.output.index("jobs ends")
    assert "killed" not in run.output


def test_one_that_does_not_listen_is_killed_after_its_grace() -> None:
    run = Run([python("web", DEAF, grace_s=0.2)], stop_when="deaf")

    began = time.monotonic()

    assert run.status() == 0
    assert time.monotonic() - began < 10
    assert "web did not stop in time and is killed" in run.output


def test_children_of_a_process_that_died_without_them_are_ended() -> None:
    code = (
        "import subprocess, sys, time; p = subprocess.Popen([sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)']);"
        " print('child', p.pid, flush=True); import os; os.kill(os.getpid(), 9)"
    )
    run = Run([python("web", code)], stop_when="is started again")

    run.status()

    pid = int(run.output.split("child ")[1].split()[0])
    assert not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_reader_that_went_away_stops_nothing() -> None:
    read, write = os.pipe()
    os.close(read)
    pipe = os.fdopen(write, "w")
    console = Console(pipe)

    console.line("web", "nobody reads this")
    console.line("web", "nor this")

    assert console.stream.name == os.devnull
    console.stream.close()
    with pytest.raises(BrokenPipeError):
        pipe.close()
