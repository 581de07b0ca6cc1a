"""Codex, Copilot CLI and Gemini CLI transcripts give the same kinds of events."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_core.documents.transcripts import read_transcript

Write = Callable[..., Path]


@pytest.mark.parametrize(
    ("name", "agent", "counts"),
    [
        ("codex.jsonl", "codex", {"prompt_submit": 4, "post_tool_use": 3, "stop": 2, "pre_compact": 1}),
        ("codex_bare.jsonl", "codex", {"prompt_submit": 1, "post_tool_failure": 1, "stop": 1}),
        ("copilot.jsonl", "copilot", {"prompt_submit": 1, "post_tool_use": 1, "post_tool_failure": 1, "stop": 1}),
        ("gemini.json", "gemini", {"prompt_submit": 1, "post_tool_use": 1, "post_tool_failure": 1, "stop": 1}),
        ("gemini_lines.jsonl", "gemini", {"prompt_submit": 1, "post_tool_use": 1, "post_tool_failure": 1, "stop": 1}),
    ],
)
def test_every_agent_is_told_by_its_records(transcripts: Path, name: str, agent: str, counts: dict[str, int]) -> None:
    transcript = read_transcript(transcripts / name)

    assert transcript.agent == agent
    assert Counter(str(e.hook_type) for e in transcript.events) == counts


def test_codex_arguments_are_parsed_and_free_text_stays(transcripts: Path) -> None:
    tools = [e.data for e in read_transcript(transcripts / "codex.jsonl").events if e.hook_type == "post_tool_use"]

    assert [tool["tool_input"] for tool in tools[:2]] == [{"cmd": "ls clay"}, "*** Begin Patch"]


def test_an_aborted_codex_turn_and_an_empty_compaction_are_reported(transcripts: Path) -> None:
    problems = read_transcript(transcripts / "codex.jsonl").problems

    assert "a turn was interrupted by the user and has no stop event" in problems
    assert "a compaction keeps no summary" in problems


def test_a_codex_sub_agents_rollout_has_no_prompts_and_ends_as_a_sub_agent(transcripts: Path, write: Write) -> None:
    lines = (transcripts / "codex.jsonl").read_text().splitlines()
    meta = json.loads(lines[0])
    meta["payload"]["source"] = {"subagent": "review"}

    events = read_transcript(write([json.dumps(meta), *lines[1:]])).events

    kinds = Counter(str(e.hook_type) for e in events)
    assert (kinds["prompt_submit"], kinds["stop"], kinds["subagent_stop"]) == (0, 0, 2)


def test_copilot_rounds_of_the_model_are_no_turns(transcripts: Path) -> None:
    events = read_transcript(transcripts / "copilot.jsonl").events

    assert [e.data["last_assistant_message"] for e in events if e.hook_type == "stop"] == ["Painted."]


def test_a_cancelled_gemini_call_is_no_event_but_a_problem(transcripts: Path) -> None:
    transcript = read_transcript(transcripts / "gemini.json")

    assert "tool call run-3 (write_file) was interrupted" in transcript.problems


def test_gemini_takes_its_directory_from_the_file_beside_the_chats(transcripts: Path, tmp_path: Path) -> None:
    chats = tmp_path / "hash" / "chats"
    chats.mkdir(parents=True)
    (tmp_path / "hash" / ".project_root").write_text("/gone/bowls\n")
    (chats / "session-1.json").write_bytes((transcripts / "gemini.json").read_bytes())

    assert read_transcript(chats / "session-1.json").project == "bowls"


def test_a_gzipped_document_reads_like_a_plain_one(transcripts: Path, write: Write) -> None:
    path = transcripts / "gemini.json"
    zipped = write(gzip.compress(path.read_bytes()), "gemini.json.gz")

    assert read_transcript(zipped).events == read_transcript(path).events
