"""One stream for the lines of every process, each with its name before it."""

from __future__ import annotations

import os
import sys
import threading
from typing import TextIO

COLOURS = {"everlore": "36", "web": "32", "worker": "35", "jobs": "33"}
WIDTH = max(map(len, COLOURS))


class Console:
    """Writes whole lines, from any thread; a reader that went away does not stop the processes."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.colour = self.stream.isatty() and "NO_COLOR" not in os.environ
        self._lock = threading.Lock()

    def line(self, name: str, text: str) -> None:
        """One line of the process `name`."""
        prefix = f"{name:<{WIDTH}} |"
        if self.colour:
            prefix = f"\x1b[{COLOURS.get(name, '37')}m{prefix}\x1b[0m"
        self._write(f"{prefix} {text}\n")

    def say(self, text: str) -> None:
        """Our own words, a prefix before each of their lines."""
        for line in text.splitlines() or [""]:
            self.line("everlore", line)

    def plain(self, text: str) -> None:
        """Text as it is."""
        self._write(f"{text}\n")

    def _write(self, text: str) -> None:
        encoding = self.stream.encoding or "utf-8"
        with self._lock:
            try:
                self.stream.write(text.encode(encoding, "replace").decode(encoding))
                self.stream.flush()
            except (BrokenPipeError, ValueError):  # `everlore up | head`: nobody reads on
                self.stream = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as we live
