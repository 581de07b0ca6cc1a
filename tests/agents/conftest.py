"""A recording server and a hook that reports to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.recorder import Hook, RecordingServer


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    recorder = RecordingServer()
    recorder.up()
    yield recorder
    recorder.down()


@pytest.fixture
def hook(server: RecordingServer, tmp_path: Path) -> Hook:
    project = tmp_path / "garden"
    project.mkdir()
    (tmp_path / "home").mkdir()
    return Hook(server=server, home=tmp_path / "home", cwd=project)
