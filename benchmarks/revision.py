"""Which version was measured."""

from __future__ import annotations

import subprocess
from pathlib import Path


def commit(root: Path) -> str:
    """The checkout's commit, with a plus when files differ from it; empty outside a checkout."""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty=+", "--exclude=*"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else ""
