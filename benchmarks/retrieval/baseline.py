"""The plain BM25 that comes with the data, on the same questions."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def baseline_rows(data: Path, set_name: str, kept: Path) -> list[dict[str, Any]]:
    """The baseline's run over a set, computed once and kept. Raises CalledProcessError when it fails."""
    run = kept / f"bm25-{set_name}.jsonl"
    if not run.exists():
        unfinished = run.with_suffix(".part")
        program = [sys.executable, str(data / "bm25_baseline.py"), str(data / set_name), str(unfinished)]
        subprocess.run([*program, "--sessions", "turns"], check=True, stdout=sys.stderr)
        unfinished.rename(run)
    with run.open(encoding="utf-8") as file:
        return [json.loads(text) for text in file if text.strip()]
