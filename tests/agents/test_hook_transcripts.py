"""What stop and session end read out of transcripts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.agents.recorder import Hook, RecordingServer, prompts


def said(kind: str, *texts: str, **more: Any) -> dict[str, Any]:
    """A line of Claude Code's transcript."""
    return {"type": kind, "message": {"role": kind, "content": [{"type": "text", "text": t} for t in texts]}, **more}


def cursor(role: str, text: str) -> dict[str, Any]:
    """A line of Cursor's transcript."""
    return {"role": role, "message": {"content": [{"type": "text", "text": text}]}}


TOOL_RESULT = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "ok"}]}}
TOOL_USE = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "name": "Bash"}]}}


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def write(path: Path, *lines: Any) -> dict[str, Any]:
    """The payload that names the written transcript."""
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return {"session_id": "s1", "transcript_path": str(path)}


ANSWERS = [
    pytest.param([said("user", "dig"), said("assistant", "dug")], "dug", id="the last text"),
    pytest.param([said("assistant", "old"), said("user", "dig")], None, id="an answer to an earlier prompt"),
    pytest.param([said("user", "dig"), said("assistant", "dug"), TOOL_USE, TOOL_RESULT], "dug", id="tools are no text"),
    pytest.param([said("assistant", "a", "b")], "a\nb", id="several blocks"),
    pytest.param([said("assistant", "main"), said("assistant", "side", isSidechain=True)], "main", id="not a subagent"),
    pytest.param([said("assistant", "done"), '{"type":"assistant","mess'], "done", id="a half written line"),
    pytest.param(["[" * 5000, "null", said("assistant", "done")], "done", id="hostile lines"),
    pytest.param([cursor("user", "dig"), cursor("assistant", "dug")], "dug", id="Cursor"),
    pytest.param([{"type": "user", "message": {"content": "dig"}}], None, id="a prompt as plain text"),
    pytest.param([], None, id="empty"),
]


@pytest.mark.parametrize(("lines", "answer"), ANSWERS)
def test_stop_takes_the_last_answer_of_this_turn_from_the_transcript(
    hook: Hook, server: RecordingServer, transcript: Path, lines: list[Any], answer: str | None
) -> None:
    hook.run("Stop", write(transcript, *lines))

    found = [body["data"]["last_assistant_message"] for body in server.bodies("/observe")]
    assert found == ([answer] if answer else [])
    assert server.received[-1].path == "/agentmemory/session/end"


def test_only_the_tail_of_a_long_transcript_is_read(hook: Hook, server: RecordingServer, transcript: Path) -> None:
    hook.run("Stop", write(transcript, said("assistant", "early"), *[TOOL_RESULT] * 5000))
    hook.run("Stop", write(transcript, *[TOOL_RESULT] * 5000, said("assistant", "late")))

    assert [body["data"]["last_assistant_message"] for body in server.bodies("/observe")] == ["late"]


@pytest.mark.parametrize("name", ["absent.jsonl", "notes.txt", ".", "fifo.jsonl", "nul\0.jsonl"])
def test_a_transcript_that_is_none_is_not_opened(
    hook: Hook, server: RecordingServer, tmp_path: Path, name: str
) -> None:
    (tmp_path / "notes.txt").write_text(json.dumps(said("assistant", "private")))
    os.mkfifo(tmp_path / "fifo.jsonl")
    payload = {"session_id": "s1", "transcript_path": f"{tmp_path}/{name}"}

    hook.run("Stop", payload)
    hook.run("SessionEnd", payload)

    assert [request.path for request in server.received] == ["/agentmemory/session/end"] * 2


def test_session_end_reports_the_prompts_of_a_cursor_transcript(
    hook: Hook, server: RecordingServer, transcript: Path
) -> None:
    lines = [
        cursor("user", "<context>x</context><user_query>\n dig \n</user_query>"),
        cursor("assistant", "dug"),
        cursor("user", "plant"),
    ]

    hook.run("SessionEnd", write(transcript, *lines))

    assert prompts(server.bodies()) == ["dig", "plant"]
    assert server.received[-1].path == "/agentmemory/session/end"


def test_a_transcript_read_twice_gives_the_same_event_ids(
    hook: Hook, server: RecordingServer, transcript: Path
) -> None:
    payload = write(transcript, cursor("user", "dig"), cursor("user", "dig"))

    hook.run("SessionEnd", payload)
    hook.run("SessionEnd", payload)

    ids = [body["eventId"] for body in server.bodies("/observe")]
    assert ids[:2] == ids[2:]
    assert len(set(ids)) == 2


def test_at_most_fifty_prompts_are_reported(hook: Hook, server: RecordingServer, transcript: Path) -> None:
    hook.run("SessionEnd", write(transcript, *(cursor("user", str(n)) for n in range(60))))
    hook.run("SessionEnd", {"session_id": "s1"})

    assert prompts(server.bodies()) == [str(n) for n in range(50)]


def test_prompts_that_claude_code_reported_already_are_not_reported_again(
    hook: Hook, server: RecordingServer, transcript: Path
) -> None:
    hook.run("SessionEnd", write(transcript, said("user", "dig"), said("assistant", "dug")))

    assert [request.path for request in server.received] == ["/agentmemory/session/end"]
