"""Where the hand-written transcripts are, and how to write a damaged one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "transcripts"


@pytest.fixture
def transcripts() -> Path:
    """The folder of hand-written transcripts."""
    return FIXTURES


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write bytes or lines to a file of the test's own and return its path."""

    def write_file(content: bytes | list[str], name: str = "session.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode())
        return path

    return write_file
