"""The table of processes that make up an instance, in the order they start; they stop in the same order."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory_core import cli
from memory_core.domain import tunables_workers as tunables

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Process:
    """One child of the supervisor. `grace_s`: how long it may take to stop. Those of one `stage` stop together."""

    name: str
    command: tuple[str, ...]
    grace_s: float
    stage: int
    environment: Mapping[str, str] = field(default_factory=dict)


def web_command(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The ASGI server: REST, pages and websocket on one port."""
    return (
        sys.executable,
        "-m",
        "uvicorn",
        "viewer.asgi:application",
        "--host",
        values["EVERLORE_HOST"],
        "--port",
        str(values["EVERLORE_PORT"]),
        "--workers",
        str(values["EVERLORE_WEB_PROCESSES"]),
        "--no-access-log",
        "--log-level",
        "warning",
        "--timeout-keep-alive",
        str(tunables.KEEP_ALIVE_SECONDS),
        "--timeout-graceful-shutdown",
        str(tunables.WEB_GRACEFUL_SECONDS),
        "--backlog",
        str(tunables.LISTEN_BACKLOG),
    )


def management_command(*words: str) -> tuple[str, ...]:
    """One of our own commands in a process of its own."""
    return (sys.executable, "-m", "memory_core.cli", *words)


def processes(values: Mapping[str, Any], *, with_jobs: bool = True) -> list[Process]:
    """The children of an instance with these settings."""
    threads = str(values["EVERLORE_EMBEDDING_THREADS"])
    rows = [
        Process("web", web_command(values), tunables.WEB_GRACE_SECONDS, 1, _threads("1")),
        Process("worker", management_command("worker"), tunables.WORKER_GRACE_SECONDS, 2, _threads(threads)),
        Process("jobs", management_command("jobs"), tunables.JOBS_GRACE_SECONDS, 2, _threads("1")),
    ]
    return [row for row in rows if with_jobs or row.name != "jobs"]


def _threads(number: str) -> dict[str, str]:
    """Numeric libraries take a thread for each core unless told otherwise."""
    return {
        "OMP_NUM_THREADS": number,
        "MALLOC_ARENA_MAX": "2",  # threads share few heaps, so that less memory is held for nothing
        "OPENBLAS_NUM_THREADS": number,
        "MKL_NUM_THREADS": number,
        "TOKENIZERS_PARALLELISM": "false",
    }


def environment(process: Process, parent: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a child sees: ours, its own, unbuffered output, and our packages wherever it is started from."""
    module = parent.get("DJANGO_SETTINGS_MODULE", cli.SETTINGS)
    if process.name == "web" and module == cli.LIGHT_SETTINGS:
        module = cli.SETTINGS
    path = os.pathsep.join(part for part in (str(ROOT), parent.get("PYTHONPATH", "")) if part)
    ours = {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": module}
    return {**parent, **ours, **process.environment}
