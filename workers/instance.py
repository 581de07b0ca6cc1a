"""One running instance a data directory: a lock that the system drops when its holder dies, and who holds it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import psutil

NAME = "everlore.run"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who runs the instance: its supervisor, where it answers, and its children's process groups with their start times."""

    pid: int
    url: str
    groups: tuple[tuple[int, float], ...] = ()


class InstanceRuns(Exception):
    """Another supervisor serves this data directory."""

    def __init__(self, holder: Holder | None) -> None:
        super().__init__("this data directory is in use")
        self.holder = holder


class InstanceLock:
    """The lock of a data directory; `descriptor` may be inherited by a process that is to hold it, too."""

    def __init__(self, data_home: Path) -> None:
        self.path = data_home / NAME
        self.descriptor = -1

    def take(self, wait_for_dead_s: float) -> Self:
        """Take the lock, or raise InstanceRuns. Where the holder is dead and its guard still clears away, wait for it."""
        self.descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + wait_for_dead_s
        while not self._try():
            holder = read(self.path)
            if (holder is not None and _lives(holder.pid)) or time.monotonic() >= deadline:
                os.close(self.descriptor)
                raise InstanceRuns(holder)
            time.sleep(0.1)
        return self

    def _try(self) -> bool:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def write(self, holder: Holder) -> None:
        """Say who holds it; read by a second start, by the doctor, and after a crash."""
        text = json.dumps(asdict(holder)).encode()
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, text, 0)

    def leave(self) -> None:
        """Give the lock back; the file stays, empty."""
        with contextlib.suppress(OSError):
            os.ftruncate(self.descriptor, 0)
            os.close(self.descriptor)


def _lives(pid: int) -> bool:
    """Whether a process runs; one that is dead and waits for its parent to notice does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def read(path: Path) -> Holder | None:
    """Who holds the instance or held it last; None when nobody did or the file is damaged."""
    try:
        found = json.loads(path.read_bytes())
        groups = tuple((int(group), float(began)) for group, began in found["groups"])
        return Holder(int(found["pid"]), str(found["url"]), groups)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_held(data_home: Path) -> bool:
    """Whether a supervisor serves this data directory now."""
    try:
        descriptor = os.open(data_home / NAME, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def leftovers(holder: Holder | None) -> list[int]:
    """Process groups of a dead holder whose first process still lives, as a kill of supervisor and guard leaves them."""
    found = []
    for group, began in holder.groups if holder else ():
        with contextlib.suppress(psutil.Error):
            if abs(psutil.Process(group).create_time() - began) < 1:  # else the number belongs to somebody else now
                found.append(group)
    return found
