"""CPU that one hook costs the agent's machine, beside a Python process that does nothing.

    python -m benchmarks.hook_cost [runs]

User plus system time of the whole process, median of the runs, in milliseconds. "cached" starts the hook as
an imported module, whose compiled form Python keeps; a script is compiled anew at every start.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOOK = Path(__file__).parents[1] / "agents" / "hook.py"
CACHED = f"import sys; sys.path.insert(0, {str(HOOK.parent)!r}); import hook; hook.script()"
PAYLOAD = json.dumps(
    {
        "session_id": "benchmark",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make test"},
        "tool_response": {"stdout": "ok\n" * 700, "stderr": ""},
    }
).encode()
DOWN = "http://127.0.0.1:1"
RUNS = 20


class Accepting(BaseHTTPRequestHandler):
    """Answers every POST as a healthy server does."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr, where the figures go by."""


@contextmanager
def accepting_server() -> Iterator[str]:
    """URL of a loopback server in a thread of this process, whose CPU is not counted."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Accepting)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def cpu_ms(command: Sequence[str], environ: dict[str, str]) -> float:
    """User plus system milliseconds of one process from start to end."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environ)
    assert process.stdin is not None
    process.stdin.write(PAYLOAD)
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (usage.ru_utime + usage.ru_stime) * 1000


def measure(runs: int = RUNS) -> dict[str, float]:
    """Median CPU milliseconds by way of starting; the ways take turns, so that load on the machine hits all alike."""
    python = os.path.realpath(sys.executable)
    bare = [python, "-I", "-S"]
    with accepting_server() as url, tempfile.TemporaryDirectory() as home:
        ways = {
            "python3 -c pass": ([python, "-c", "pass"], url),
            "python3 -I -S -c pass": ([*bare, "-c", "pass"], url),
            "python3 hook.py, server up": ([python, str(HOOK), "PostToolUse"], url),
            "python3 -I -S hook.py, server up": ([*bare, str(HOOK), "PostToolUse"], url),
            "python3 -I -S hook.py, server down": ([*bare, str(HOOK), "PostToolUse"], DOWN),
            "python3 -I -S, cached, server up": ([*bare, "-c", CACHED, "PostToolUse"], url),
        }
        figures: dict[str, list[float]] = {name: [] for name in ways}
        for number in range(runs + 1):
            for name, (command, target) in ways.items():
                environ = {"HOME": home, "EVERLORE_URL": target, "EVERLORE_SPOOL_DIR": f"{home}/spool"}
                cost = cpu_ms(command, environ)
                if number:  # the first round warms the file cache and compiles the module
                    figures[name].append(cost)
    return {name: round(statistics.median(costs), 1) for name, costs in figures.items()}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    for name, cost in measure(runs).items():
        print(f"{cost:7.1f} ms CPU  {name}")


if __name__ == "__main__":
    main()
