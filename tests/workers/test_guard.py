"""What a killed supervisor leaves is cleared away by its guard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psutil

from workers.supervisor import GUARD

from .conftest import eventually

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(60)"


def start_guard(*command: str, grace: str = "0.3") -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-I", "-S", GUARD, grace, *command], stdin=subprocess.PIPE)


def start_deaf() -> subprocess.Popen[bytes]:
    """A process in a group of its own that takes no SIGTERM."""
    process = subprocess.Popen([sys.executable, "-I", "-S", "-c", DEAF], stdout=subprocess.PIPE, process_group=0)
    assert process.stdout is not None
    with process.stdout as lines:
        assert lines.readline() == b"deaf\n"
    return process


def test_the_groups_end_and_the_last_command_runs_when_the_line_breaks_off(tmp_path: Path) -> None:
    process, proof = start_deaf(), tmp_path / "stopped"
    guard = start_guard(sys.executable, "-c", f"open({str(proof)!r}, 'w').close()")

    guard.communicate(f"+{process.pid}\n".encode(), timeout=20)

    assert process.wait(5) == -9
    assert proof.exists()


def test_nothing_is_touched_when_the_supervisor_says_that_it_is_done(tmp_path: Path) -> None:
    process, proof = start_deaf(), tmp_path / "stopped"
    guard = start_guard(sys.executable, "-c", f"open({str(proof)!r}, 'w').close()")

    guard.communicate(f"+{process.pid}\ndone\n".encode(), timeout=20)

    assert process.poll() is None
    assert not proof.exists()
    process.kill()
    process.wait()


def test_a_group_that_has_ended_is_left_alone() -> None:
    process = start_deaf()
    guard = start_guard()

    guard.communicate(f"+{process.pid}\n-{process.pid}\n".encode(), timeout=20)

    assert process.poll() is None
    process.kill()
    process.wait()


def test_the_guard_stays_when_the_terminal_says_stop() -> None:
    guard = start_guard()
    eventually("it listens to no signal", lambda: _ignores(guard.pid), 10)
    for number in (1, 2, 15):
        guard.send_signal(number)

    assert guard.poll() is None
    guard.communicate(b"done\n", timeout=20)
    assert guard.returncode == 0


def _ignores(pid: int) -> bool:
    """Whether SIGHUP, SIGINT and SIGTERM are ignored there, as the kernel tells it; elsewhere a moment must do."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return psutil.Process(pid).cpu_times().user > 0
    mask = int(next(line for line in status.read_text().splitlines() if line.startswith("SigIgn")).split()[1], 16)
    wanted = 1 << 0 | 1 << 1 | 1 << 14
    return mask & wanted == wanted
