"""What processes cost, read from /proc (Linux): CPU seconds, resident and proportional memory, the machine's load."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Size:
    """Memory of one process or the sum of several; unit: bytes. PSS shares out what several processes map."""

    rss: int
    pss: int


def _stat(pid: int) -> list[str] | None:
    """Fields of /proc/<pid>/stat behind the command's name, None when the process is gone."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def _children() -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (fields := _stat(int(entry.name))):
            found.setdefault(int(fields[1]), []).append(int(entry.name))
    return found


def children(pid: int) -> list[int]:
    """The processes that a process has started and that live."""
    return sorted(_children().get(pid, []))


def tree(root: int) -> list[int]:
    """A process and all its descendants."""
    below = _children()
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += below.get(pid, [])
    return found


def cpu_seconds(root: int) -> float:
    """User plus system time of a tree, with that of children that ended."""
    ticks = 0
    for pid in tree(root):
        if fields := _stat(pid):
            ticks += int(fields[11]) + int(fields[12]) + int(fields[13]) + int(fields[14])
    return ticks / TICKS


def size(pid: int) -> Size | None:
    """Memory of one process, None when it is gone."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return None
    values = {line.partition(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.endswith(" kB")}
    return Size(values.get("Rss", 0), values.get("Pss", 0))


def sizes(root: int) -> list[Size]:
    """Memory of each process of a tree, the largest first."""
    found = [one for pid in tree(root) if (one := size(pid))]
    return sorted(found, key=lambda one: -one.rss)


def total(sizes_: Iterable[Size]) -> Size:
    """The sum; only PSS may be added without counting shared pages twice."""
    listed = list(sizes_)
    return Size(sum(one.rss for one in listed), sum(one.pss for one in listed))


def machine_busy_seconds() -> float:
    """CPU seconds that all processes of the machine have used, idle and waiting for disks left out."""
    fields = [int(value) for value in (PROC / "stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICKS


def usage(roots: Mapping[str, int]) -> dict[str, float]:
    """CPU seconds so far by role."""
    return {role: cpu_seconds(pid) for role, pid in roots.items()}
