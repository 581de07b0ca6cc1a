"""A real browser for the pages: Chromium, started afresh for every look, with a profile that is thrown away."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
TIMEOUT_SECONDS = 60


def find() -> str | None:
    """The browser's path: CHROME_BIN, or the first of the usual names that is installed."""
    return os.environ.get("CHROME_BIN") or next((found for name in NAMES if (found := shutil.which(name))), None)


@dataclass(frozen=True)
class Seen:
    """What the browser made of a page: the document after loading, and what it complained about."""

    document: str
    complaints: list[str]


@dataclass(frozen=True)
class Browser:
    """Looks at addresses; `dark`, `width` and `language` are the reader's."""

    program: str
    dark: bool = False
    width: int = 1100
    height: int = 900
    language: str = "en"

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory(prefix="everlore-browser-", ignore_cleanup_errors=True) as profile:
            command = [
                self.program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                f"--user-data-dir={profile}",
                f"--window-size={self.width},{self.height}",
                f"--lang={self.language}",
                f"--accept-lang={self.language}",
                *(["--blink-settings=preferredColorScheme=0", "--force-dark-mode"] if self.dark else []),
                *arguments,
            ]
            return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True)

    def look(self, address: str) -> Seen:
        """The document, and every line of the console."""
        done = self._run("--dump-dom", address)
        return Seen(done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line])

    def picture(self, address: str, path: Path) -> Path:
        """A screenshot as PNG."""
        self._run(f"--screenshot={path}", address)
        return path
