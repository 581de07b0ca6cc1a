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
from memory_core.domain import locations

START_SECONDS = 120.0
STOP_SECONDS = 30.0
ROOT = Path(__file__).resolve().parent.parent.parent


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


def has_worker() -> bool:
    """Whether this version has a worker to start beside the web processes."""
    from django.core.management import get_commands

    return "worker" in get_commands()


@contextmanager
def serve(home: Path, *, web_processes: int) -> Iterator[Server]:
    """A server on the instance in `home`, whose database runs already: web processes and the worker, logs in `home`."""
    port = free_port()
    environ = instance.environment(home, EVERLORE_PORT=str(port), EVERLORE_LOG_LEVEL="WARNING")
    python = sys.executable
    web = [python, "-m", "uvicorn", "viewer.asgi:application", "--port", str(port), "--workers", str(web_processes)]
    commands = {"web": [*web, "--no-access-log", "--log-level", "warning"]}
    if has_worker():
        commands["worker"] = [python, "manage.py", "worker"]
    started: dict[str, subprocess.Popen[bytes]] = {}
    with (home / "server.log").open("ab") as log:
        try:
            for role, command in commands.items():
                started[role] = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=log)
            roots = {role: process.pid for role, process in started.items()}
            roots["postgres"] = postmaster(home)
            server = Server("127.0.0.1", port, roots)
            wait_until_up(server, started["web"])
            yield server
        finally:
            for process in started.values():
                _stop(process)


def postmaster(home: Path) -> int:
    """The process id of the instance's database server."""
    return int((locations.postgres_dir(home) / "postmaster.pid").read_text().split()[0])


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0))
