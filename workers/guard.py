"""Clears away what a killed supervisor leaves; standard library only, run as `python -I -S guard.py GRACE [COMMAND...]`.

It reads lines from the supervisor: `+123` a process group to watch over, `-123` that group has ended, `done` the
supervisor stopped everything itself. When the line breaks off instead, the supervisor is dead, however it died: the
groups are asked to end, killed after GRACE seconds, and COMMAND is run (it stops the database). The instance's lock is
inherited by this process, so no other start begins before it is through.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable


def send(groups: Iterable[int], number: int) -> None:
    """Send a signal to each group that still has a process."""
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def alive(group: int) -> bool:
    """Whether the group still has a process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS: only zombies are left
        return False
    return True


def end(groups: set[int], grace_s: float) -> None:
    """Ask the groups to end, and kill what is left after the grace."""
    send(groups, signal.SIGTERM)
    deadline = time.monotonic() + grace_s
    while time.monotonic() < deadline and any(alive(group) for group in groups):
        time.sleep(0.05)
    send(groups, signal.SIGKILL)


def main(arguments: list[str]) -> int:
    """Watch until the supervisor says `done` or dies."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        word = line.strip()
        if word == "done":
            return 0
        if word.startswith("+"):
            groups.add(int(word[1:]))
        elif word.startswith("-"):
            groups.discard(int(word[1:]))
    end(groups, float(arguments[0]))
    if command := arguments[1:]:
        subprocess.run(command, check=False, stdin=subprocess.DEVNULL)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
