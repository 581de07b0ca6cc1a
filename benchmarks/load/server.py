"""The server under load, started as a person would and stopped at the end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import instance
from benchmarks.freshness import ROOT
from memory_core.domain import locations

from . import processes

START_SECONDS = 120.0
STOP_SECONDS = 30.0
QUIET_SECONDS = 2.0
QUIET_SHARE = 0.05
"""The web processes are ready when together they use less than this share of a core for so long."""

ROLE_WORDS = {"web": "uvicorn", "worker": "worker", "jobs": "jobs"}
"""The word of a command line by which each of the supervisor's children is known."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where it listens; `roots`: the first process of each role, empty for a server that somebody else started."""

    host: str
    port: int
    roots: dict[str, int] = field(default_factory=dict)


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_up(server: Server, process: subprocess.Popen[bytes] | None = None) -> None:
    """Return once the server says it lives. Raises RuntimeError when it ends or takes longer than START_SECONDS."""
    deadline = time.monotonic() + START_SECONDS
    address = f"http://{server.host}:{server.port}/agentmemory/livez"
    while time.monotonic() < deadline:
        if process is not None and process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}: its log says why")
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"no answer from {address} within {START_SECONDS:.0f} s")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def command_line(pid: int) -> list[str]:
    """A process' arguments; empty when it is gone."""
    try:
        return (processes.PROC / str(pid) / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


def roles(supervisor: int) -> dict[str, int]:
    """The supervisor's children by what they do, from the words of their commands."""
    found: dict[str, int] = {}
    for pid in processes.children(supervisor):
        words = command_line(pid)
        for role, word in ROLE_WORDS.items():
            if word in words:
                found.setdefault(role, pid)
    return found


def wait_until_quiet(server: Server) -> None:
    """Return once the web processes have loaded what a start loads: dictionaries, rules, model. Then, or after
    START_SECONDS, measuring begins."""
    deadline = time.monotonic() + START_SECONDS
    used = processes.cpu_seconds(server.roots["web"])
    while time.monotonic() < deadline:
        time.sleep(QUIET_SECONDS)
        now = processes.cpu_seconds(server.roots["web"])
        if now - used < QUIET_SHARE * QUIET_SECONDS:
            return
        used = now


def all_roles(supervisor: int) -> dict[str, int]:
    """Every role's process, once the last has started. Raises RuntimeError when one does not."""
    deadline = time.monotonic() + START_SECONDS
    while len(found := roles(supervisor)) < len(ROLE_WORDS):
        if time.monotonic() > deadline:
            raise RuntimeError(f"only {', '.join(found)} of {', '.join(ROLE_WORDS)} started: the server's log says why")
        time.sleep(0.2)
    return found


@contextmanager
def serve(home: Path, *, web_processes: int) -> Iterator[Server]:
    """`everlore up` on the instance in `home`, its log beside the data. It stops the database, too, when it ends."""
    port = free_port()
    given = {"EVERLORE_PORT": str(port), "EVERLORE_WEB_PROCESSES": str(web_processes), "EVERLORE_LOG_LEVEL": "WARNING"}
    with (home / "server.log").open("ab") as log:
        command = [sys.executable, "manage.py", "up"]
        process = subprocess.Popen(command, cwd=ROOT, env=instance.environment(home, **given), stdout=log, stderr=log)
        try:
            wait_until_up(Server("127.0.0.1", port), process)
            server = Server("127.0.0.1", port, all_roles(process.pid) | {"postgres": postmaster(home)})
            wait_until_quiet(server)
            yield server
        finally:
            _stop(process)


def postmaster(home: Path) -> int:
    """The process id of the instance's database server."""
    return int((locations.postgres_dir(home) / "postmaster.pid").read_text().split()[0])


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0))
