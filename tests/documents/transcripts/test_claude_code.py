"""A Claude Code transcript gives the events that its live hooks would have given."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_core.documents.transcripts import read_transcript
from memory_core.domain.events import Channel, HookEvent

Write = Callable[..., Path]


def of_type(path: Path, hook_type: str) -> list[HookEvent]:
    return [event for event in read_transcript(path).events if event.hook_type == hook_type]


def record(kind: str, uuid: str, content: Any, **fields: Any) -> str:
    message = {"role": kind, "content": content}
    base = {"type": kind, "uuid": uuid, "sessionId": "s", "cwd": "/gone/pots", "timestamp": "2026-02-03T10:00:00Z"}
    return json.dumps({**base, "message": message, **fields})


def call(uuid: str, call_id: str) -> str:
    return record("assistant", uuid, [{"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": "x"}}])


def result(uuid: str, call_id: str) -> str:
    return record("user", uuid, [{"type": "tool_result", "tool_use_id": call_id, "content": "y"}])


def test_only_what_the_user_typed_becomes_a_prompt(transcripts: Path) -> None:
    prompts = [event.data["prompt"] for event in of_type(transcripts / "claude_code.jsonl", "prompt_submit")]

    assert prompts == [
        "How hot does the kiln get?",
        "What is on this picture?",
        "also count the shelves",
        "/glaze in blue",
        "Use green instead, 緑がいい",
    ]


def test_a_call_and_its_structured_result_are_one_event(transcripts: Path) -> None:
    first = of_type(transcripts / "claude_code.jsonl", "post_tool_use")[0]

    assert first.data == {
        "tool_name": "Bash",
        "tool_input": {"command": "tail kiln.log"},
        "tool_output": {"stdout": "1240", "stderr": "", "interrupted": False},
    }
    assert first.channel is Channel.IMPORT
    assert first.channel_detail == "claude-code"


def test_a_failure_has_its_input_as_text_and_its_error_unwrapped(transcripts: Path) -> None:
    [failure] = of_type(transcripts / "claude_code.jsonl", "post_tool_failure")

    assert failure.data["error"] == "File does not exist."
    assert json.loads(failure.data["tool_input"]) == {"file_path": "/somewhere/else/kiln/none.txt"}


def test_each_finished_turn_stops_with_its_last_text_and_an_interrupted_one_does_not(transcripts: Path) -> None:
    stops = [e.data["last_assistant_message"] for e in of_type(transcripts / "claude_code.jsonl", "stop")]

    assert stops == ["1240 degrees.", "A kiln shelf; there are four.", "Green it is."]


def test_a_stop_has_the_time_of_its_text_and_not_of_the_next_prompt(write: Write) -> None:
    said = record("assistant", "2", [{"type": "text", "text": "yes"}], timestamp="2026-02-03T10:00:05Z")
    path = write([record("user", "1", "is it?"), said, record("user", "3", "thanks", timestamp="2026-02-04T10:00:00Z")])

    [stop] = of_type(path, "stop")

    assert stop.timestamp.isoformat() == "2026-02-03T10:00:05+00:00"


@pytest.mark.parametrize(
    ("name", "agent_id", "agent_type", "message"),
    [
        ("claude_code.jsonl", "a1b2c3d", "Explore", "The plan is in shelf-plan.md."),
        ("claude_code_sidechain.jsonl", "toolu_00000000000000000011", "general-purpose", "There is no sensor."),
    ],
    ids=["progress records of 2.1", "sidechain records of 1.0, which have no agent id"],
)
def test_a_sub_agent_stops_once(transcripts: Path, name: str, agent_id: str, agent_type: str, message: str) -> None:
    [stop] = of_type(transcripts / name, "subagent_stop")

    assert stop.data == {"agent_id": agent_id, "agent_type": agent_type, "last_message": message}


def test_a_sub_agents_tool_calls_are_events_and_its_prompt_is_none(transcripts: Path) -> None:
    events = read_transcript(transcripts / "claude_code_sidechain.jsonl").events

    assert [e.hook_type for e in events] == [
        "prompt_submit",
        "post_tool_failure",
        "subagent_stop",
        "post_tool_use",
        "stop",
    ]


def test_a_sub_agents_own_file_gives_its_calls_and_its_end(transcripts: Path) -> None:
    events = read_transcript(transcripts / "claude_code_agent.jsonl").events

    assert [(e.hook_type, e.data.get("last_message")) for e in events] == [
        ("post_tool_use", None),
        ("subagent_stop", "Two files."),
    ]


def test_a_compaction_summary_is_marked_as_one(transcripts: Path) -> None:
    [compaction] = of_type(transcripts / "claude_code.jsonl", "pre_compact")

    assert compaction.data == {"trigger": "manual", "summary": "Summary: the kiln reaches 1240 degrees."}


def test_a_picture_in_a_prompt_stays_a_block_and_one_in_a_result_goes_where_the_hook_puts_it(transcripts: Path) -> None:
    events = read_transcript(transcripts / "claude_code.jsonl").events

    [prompt] = [e for e in events if e.hook_type == "prompt_submit" and "images" in e.data]
    [picture] = [e for e in events if "image_data" in e.data]

    assert prompt.data["images"][0]["source"]["media_type"] == "image/png"
    assert picture.data["image_data"].startswith("iVBORw0KGgo")
    assert picture.data["tool_output"]["file"]["base64"] == "[image data extracted]"


def test_the_memorys_own_tools_are_left_out_and_reported(transcripts: Path) -> None:
    transcript = read_transcript(transcripts / "claude_code.jsonl")

    assert not [e for e in transcript.events if "memory_recall" in e.data.get("tool_name", "")]
    assert any("own tools" in problem for problem in transcript.problems)


@pytest.mark.parametrize(
    ("lines", "names", "problem"),
    [
        ([call("1", "c1")], [], "tool call c1 (Bash) has no result"),
        ([result("1", "c1")], ["unknown"], "the result of tool call c1 comes without the call"),
        ([result("1", "c1"), call("2", "c1")], ["unknown"], "a tool call repeats"),
        ([call("1", "c1"), call("1", "c1"), result("2", "c1"), result("2", "c1")], ["Bash"], "a record repeats"),
        ([call("1", "c1"), result("2", "c1"), call("3", "c1"), result("4", "c1")], ["Bash"], "a tool call repeats"),
        ([record("user", "1", None)], [], "a message record has no content"),
        ([record("hologram", "1", "x"), record("user", "2", "")], [], "unknown type 'hologram'"),
        ([record("user", "1", [{"type": "tool_result"}])], [], "a tool result names no call"),
    ],
    ids=[
        "crash before the result",
        "the call is lost",
        "the result stands first",
        "copied lines",
        "one call id used twice",
        "null content",
        "a type of the future",
        "result without an id",
    ],
)
def test_what_does_not_fit_is_reported(write: Write, lines: list[str], names: list[str], problem: str) -> None:
    transcript = read_transcript(write(lines))

    assert [e.data["tool_name"] for e in transcript.events] == names
    assert any(problem in text for text in transcript.problems)


def test_both_branches_of_a_rewound_conversation_are_kept(write: Write) -> None:
    path = write([record("user", "1", "go left"), record("user", "2", "go right", parentUuid=None)])

    assert [e.data["prompt"] for e in of_type(path, "prompt_submit")] == ["go left", "go right"]


def test_a_resumed_copy_under_a_new_session_id_has_the_same_event_ids(transcripts: Path, write: Write) -> None:
    original = transcripts / "claude_code_sidechain.jsonl"
    session = read_transcript(original).session_id
    copy = write(original.read_bytes().replace(session.encode(), b"11111111-0000-4000-8000-000000000001"))

    assert [e.event_id for e in read_transcript(copy).events] == [e.event_id for e in read_transcript(original).events]


def test_each_event_keeps_its_own_session_when_a_file_holds_several(write: Write) -> None:
    said = record("assistant", "2", [{"type": "text", "text": "old answer"}], sessionId="old")
    path = write([record("user", "1", "old", sessionId="old"), said, record("user", "3", "new", sessionId="session")])

    transcript = read_transcript(path)

    assert [e.session_id for e in transcript.events] == ["old", "old", "session"]
    assert transcript.session_id == "session", "the session that gives the file its name"


def test_a_change_of_directory_does_not_split_the_project(write: Write) -> None:
    path = write([record("user", "1", "a"), record("user", "2", "b", cwd="/gone/pots/glaze")])

    events = read_transcript(path).events

    assert [e.project for e in events] == ["pots", "pots"]
    assert [e.cwd for e in events] == ["/gone/pots", "/gone/pots/glaze"]


def test_a_queued_message_is_one_prompt_whatever_became_of_it(write: Write) -> None:
    def queue(operation: str, **fields: str) -> str:
        return json.dumps(
            {"type": "queue-operation", "operation": operation, "timestamp": "2026-02-03T10:00:01Z"} | fields
        )

    delivered = [queue("enqueue", content="mid-turn"), queue("remove")]
    attached = json.dumps(
        {
            "type": "attachment",
            "uuid": "9",
            "timestamp": "2026-02-03T10:00:02Z",
            "attachment": {"type": "queued_command", "prompt": "mid-turn"},
        }
    )
    later = [queue("enqueue", content="after"), queue("dequeue"), record("user", "2", "after")]
    taken_back = [queue("enqueue", content="never sent"), queue("popAll")]
    path = write([record("user", "1", "start"), *delivered, attached, *later, *taken_back])

    assert [e.data["prompt"] for e in of_type(path, "prompt_submit")] == ["start", "mid-turn", "after"]
