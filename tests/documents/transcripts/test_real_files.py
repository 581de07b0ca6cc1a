"""Real session files, where there are any: EVERLORE_TRANSCRIPTS names a folder with a meta.json that counts them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memory_core.documents.transcripts import read_transcript

FOLDER = os.environ.get("EVERLORE_TRANSCRIPTS", "")
FILES: list[dict[str, Any]] = (
    json.loads((Path(FOLDER) / "meta.json").read_text())["files"] if FOLDER and Path(FOLDER).is_dir() else []
)

pytestmark = pytest.mark.skipif(not FILES, reason="EVERLORE_TRANSCRIPTS names no folder of real transcripts")


@pytest.mark.parametrize("counted", FILES, ids=[entry["file"] for entry in FILES])
def test_every_call_of_a_real_file_is_told_once(counted: dict[str, Any]) -> None:
    transcript = read_transcript(Path(FOLDER) / counted["file"])

    kinds = [str(event.hook_type) for event in transcript.events]
    interrupted = sum("was interrupted" in problem and "tool call" in problem for problem in transcript.problems)
    ids = {event.event_id for event in transcript.events}
    assert len(ids) == len(transcript.events)
    assert kinds.count("post_tool_failure") == counted.get("tool_errors", 0) - interrupted
    calls = kinds.count("post_tool_use") + kinds.count("post_tool_failure") + interrupted
    nested = calls - counted["tool_calls"]
    assert nested == 0 or (nested > 0 and counted.get("subagent_progress_lines", 0) >= 2 * nested)
    assert not any("no result" in p or "without the call" in p or "unknown type" in p for p in transcript.problems)
