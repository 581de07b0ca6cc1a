"""A memory server that records what hooks send it, and a hook process run as a host runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HOOK = Path(__file__).parents[2] / "agents" / "hook.py"


@dataclass(frozen=True)
class Received:
    """One POST as the server saw it, and the status it answered."""

    path: str
    body: Any
    status: int
    authorization: str | None


def accept(path: str, body: Any) -> tuple[int, Any]:
    """What a healthy server answers."""
    return (201, {"observationId": "obs_1"}) if path.endswith("/observe") else (200, {"success": True})


@dataclass
class RecordingServer:
    """Loopback server on one port for its whole life; may go down and come back, stall or refuse."""

    answer: Callable[[str, Any], tuple[int, Any]] = accept
    delay: float = 0.0
    protocol: str = "HTTP/1.1"
    received: list[Received] = field(default_factory=list)
    port: int = 0
    _server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def accepted(self) -> list[Received]:
        return [request for request in self.received if request.status < 300]

    def bodies(self, path: str = "") -> list[Any]:
        return [request.body for request in self.accepted if request.path.endswith(path)]

    def up(self) -> None:
        self._server = _Listener(("127.0.0.1", self.port), _handler(self))
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def down(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A hook that was killed or gave up closed the connection: expected here."""


def _handler(recorder: RecordingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = recorder.protocol
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            body = json.loads(raw) if raw else None
            time.sleep(recorder.delay)
            status, answer = recorder.answer(self.path, body)
            authorization = self.headers.get("Authorization")
            recorder.received.append(Received(self.path, body, status, authorization))
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing on the test's stderr."""

    return Handler


@dataclass
class Hook:
    """Runs `hook.py` in its own process with a bare environment."""

    server: RecordingServer
    home: Path
    cwd: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def spool(self) -> Path:
        return self.home / "spool"

    def start(self, event: str, payload: Any, **environ: str) -> subprocess.Popen[bytes]:
        settings = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.home),
            "EVERLORE_URL": self.server.url,
            "EVERLORE_SPOOL_DIR": str(self.spool),
            **self.environ,
            **environ,
        }
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(HOOK), *([event] if event else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.cwd,
            env=settings,
        )
        assert process.stdin is not None
        try:
            process.stdin.write(payload if isinstance(payload, bytes) else json.dumps(payload).encode())
            process.stdin.close()
        except BrokenPipeError:
            pass  # the hook had nothing to read
        process.stdin = None
        return process

    def run(self, event: str, payload: Any, **environ: str) -> str:
        """stdout of one run that ended as every run must: status 0, nothing on stderr."""
        process = self.start(event, payload, **environ)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, b"")
        return out.decode()

    def waiting(self) -> list[Any]:
        """Bodies in the spool that the server has not accepted, oldest first."""
        return [entry["body"] for entry in self._lines("*.jsonl")]

    def set_aside(self) -> list[Any]:
        return list(self._whole_lines("*.bad"))

    def complaints(self) -> str:
        """What the hook logged because it could not show it."""
        log = self.spool / "hook.log"
        return log.read_text() if log.exists() else ""

    def _lines(self, pattern: str) -> Iterator[Any]:
        for path in self.spool.glob(pattern):
            raw = path.read_bytes()
            place = json.loads(raw.partition(b"\n")[0])["next"]
            yield from (json.loads(line) for line in raw[place:].splitlines())

    def _whole_lines(self, pattern: str) -> Iterator[Any]:
        for path in self.spool.glob(pattern):
            yield from (json.loads(line) for line in path.read_bytes().splitlines())


def prompt(text: str, session: str = "s1") -> dict[str, Any]:
    return {"session_id": session, "prompt": text}


def prompts(bodies: list[Any]) -> list[str]:
    return [body["data"]["prompt"] for body in bodies if body.get("hookType") == "prompt_submit"]
