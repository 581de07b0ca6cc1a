"""Whether what a kept database holds is what this version would store."""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WRITE_PATH = (
    "memory_core/text",
    "memory_core/capture",
    "memory_core/index",
    "memory_core/models",
    "memory_core/migrations",
    "memory_core/flows/observe.py",
    "memory_core/flows/texts.py",
)
"""Sources that decide what is stored for an event; a change of one makes a kept database stale."""


def write_path_digest(root: Path = ROOT, also: tuple[str, ...] = ()) -> str:
    """A digest of the sources in WRITE_PATH and `also`, in hex."""
    digest = hashlib.sha256()
    for place in WRITE_PATH + also:
        path = root / place
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
