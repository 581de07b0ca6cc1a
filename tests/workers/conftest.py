"""A real instance for the tests: `everlore up` in a process of its own, on a free port, with a data directory of its own."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from memory_core.domain import locations

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = Path(os.environ.get("EVERLORE_TEST_CACHE") or ROOT / ".cache" / "tests")
NOT_THEIRS = ("EVERLORE_", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")  # ours are of the tests
START_S = 150.0
STOP_S = 45.0


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eventually(what: str, check: Callable[[], Any], timeout_s: float) -> Any:
    """What `check` gives as soon as it is true; fails in words when the time is up."""
    deadline = time.monotonic() + timeout_s
    while not (found := check()):
        if time.monotonic() > deadline:
            pytest.fail(f"after {timeout_s:.0f} s still not: {what}")
        time.sleep(0.02)
    return found


class Instance:
    """One data directory and port, and the `everlore up` that serves them, if one runs."""

    def __init__(self, home: Path, **settings: str) -> None:
        self.home, self.port = home, free_port()
        self.settings = settings
        self.process: subprocess.Popen[str] | None = None
        self.lines: list[str] = []

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of its commands: only the settings that it names."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_THEIRS)}
        own = {"EVERLORE_DATA_DIR": str(self.home), "EVERLORE_PORT": str(self.port), "EVERLORE_ENV_FILE": os.devnull}
        return {**kept, **own, "PYTHONUNBUFFERED": "1", **self.settings, **more}

    def command(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run another command of the same instance to its end."""
        return subprocess.run(
            [sys.executable, "manage.py" if words[0] != "everlore" else "-m", *words[words[0] == "everlore" :]],
            cwd=ROOT, env=self.environment(**more), capture_output=True, text=True, timeout=START_S, check=False,
        )  # fmt: skip

    def up(self) -> Instance:
        """Start it, and return when it says that it is ready."""
        self.lines = []
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=ROOT, env=self.environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        eventually(
            f"ready\n{self.output}", lambda: "is ready" in self.output or self.process.poll() is not None, START_S
        )
        assert "is ready" in self.output, self.output
        return self

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self.lines.append(line)

    @property
    def output(self) -> str:
        """Everything it has written since it was started."""
        return "".join(self.lines)

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request; the status and the JSON of its answer."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            sent = None if body is None else json.dumps(body)
            client.request(method, f"/agentmemory/{path}", sent, {"Content-Type": "application/json"})
            answer = client.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            client.close()

    def answers(self) -> bool:
        """Whether `livez` answers 200."""
        try:
            return self.call("GET", "livez")[0] == 200
        except OSError:
            return False

    def observe(self, text: str, event_id: str) -> str:
        """Store one prompt; gives the observation's id."""
        status, answer = self.call("POST", "observe", {
            "hookType": "prompt_submit", "sessionId": "s", "project": "p", "cwd": "/p", "eventId": event_id,
            "timestamp": "2026-05-04T10:00:00Z", "data": {"prompt": text},
        })  # fmt: skip
        assert status == 201, answer
        return str(answer["observationId"])

    def search(self, query: str) -> list[str]:
        """The ids of what answers a question."""
        _status, answer = self.call("POST", "smart-search", {"query": query, "project": "p"})
        return [hit["obsId"] for hit in answer["results"]]

    def sql(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Ask its database."""
        where = locations.connection_parameters(locations.postgres_dir(self.home))
        with psycopg.connect(**where, dbname="everlore", autocommit=True) as connection:
            cursor = connection.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []

    def child(self, word: str) -> psutil.Process:
        """The supervisor's child whose command line has a word."""
        assert self.process is not None
        found = [c for c in psutil.Process(self.process.pid).children() if word in " ".join(c.cmdline())]
        assert len(found) == 1, found
        return found[0]

    def everybody(self) -> list[psutil.Process]:
        """The supervisor with everything below it, and the database."""
        assert self.process is not None
        supervisor = psutil.Process(self.process.pid)
        pid_file = locations.postgres_dir(self.home) / "postmaster.pid"
        postmaster = psutil.Process(int(pid_file.read_text().splitlines()[0]))
        return [supervisor, *supervisor.children(recursive=True), postmaster, *postmaster.children(recursive=True)]

    def stop(self, number: int = signal.SIGINT) -> float:
        """Stop it as a terminal's Ctrl-C does; gives the seconds it took."""
        assert self.process is not None
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(STOP_S)
        return time.monotonic() - began

    def kill_all(self) -> None:
        """End whatever is left, for the next test."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
        subprocess.run(
            [sys.executable, "-m", "workers.postgres", "stop"], cwd=ROOT, env=self.environment(), timeout=STOP_S,
            stdout=subprocess.DEVNULL, check=False,
        )  # fmt: skip


@pytest.fixture(scope="session")
def make_instance() -> Iterator[Callable[..., Instance]]:
    """Makes instances; whatever they left is ended and removed after the tests."""
    made: list[Instance] = []

    def make(**settings: str) -> Instance:
        home = Path(tempfile.mkdtemp(prefix="everlore-up-"))
        home.chmod(0o755)  # as root the database runs as another user, who must pass through
        (CACHE / "models").mkdir(parents=True, exist_ok=True)
        (home / "models").symlink_to(CACHE / "models")
        if (CACHE / "secret-rules").is_dir():  # copied: a link would not be taken for a cache
            shutil.copytree(CACHE / "secret-rules", home / "secret-rules")
        made.append(Instance(home, **settings))
        return made[-1]

    yield make
    for instance in made:
        instance.kill_all()
        shutil.rmtree(instance.home, ignore_errors=True)
