"""What each event sends: one row a case."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from agents.hook import HANDLERS, event_named
from tests.agents.recorder import Hook, RecordingServer

TOOL = {"tool_name": "Bash", "tool_input": {"command": "make"}}

OBSERVED = [
    pytest.param("UserPromptSubmit", {"prompt": "plant"}, "prompt_submit", {"prompt": "plant"}, id="prompt"),
    pytest.param("UserPromptSubmit", {"userPrompt": "p"}, "prompt_submit", {"prompt": "p"}, id="prompt of Copilot"),
    pytest.param("UserPromptSubmit", {}, "prompt_submit", {}, id="absent prompt is an absent key"),
    pytest.param(
        "PostToolUse",
        {**TOOL, "tool_response": {"stdout": "ok"}},
        "post_tool_use",
        {**TOOL, "tool_output": {"stdout": "ok"}},
        id="tool of Claude Code",
    ),
    pytest.param(
        "PostToolUse",
        {"toolName": "bash", "toolArgs": {"c": 1}, "toolResult": {"textResultForLlm": "done"}},
        "post_tool_use",
        {"tool_name": "bash", "tool_input": {"c": 1}, "tool_output": "done"},
        id="tool of Copilot",
    ),
    pytest.param(
        "PostToolUse",
        {**TOOL, "tool_output": "iVBORw0KGgoAAA"},
        "post_tool_use",
        {**TOOL, "tool_output": "[image data extracted]", "image_data": "iVBORw0KGgoAAA"},
        id="output that is an image",
    ),
    pytest.param(
        "PostToolUseFailure",
        {**TOOL, "error": "exit 2"},
        "post_tool_failure",
        {"tool_name": "Bash", "tool_input": '{"command": "make"}', "error": "exit 2"},
        id="failure: the input is text",
    ),
    pytest.param(
        "PreCompact",
        {"trigger": "auto", "custom_instructions": ""},
        "pre_compact",
        {"trigger": "auto", "custom_instructions": ""},
        id="compaction",
    ),
    pytest.param(
        "SubagentStart",
        {"agent_id": "a1", "agent_type": "Explore"},
        "subagent_start",
        {"agent_id": "a1", "agent_type": "Explore"},
        id="subagent",
    ),
    pytest.param(
        "SubagentStart",
        {"agentName": "scout"},
        "subagent_start",
        {"agent_id": "scout", "agent_type": "scout"},
        id="subagent of Copilot",
    ),
    pytest.param(
        "SubagentStop",
        {"agent_id": "a1", "agent_type": "Explore", "last_assistant_message": "found"},
        "subagent_stop",
        {"agent_id": "a1", "agent_type": "Explore", "last_message": "found"},
        id="subagent's end",
    ),
    pytest.param(
        "SubagentStop", {"agent_id": "a"}, "subagent_stop", {"agent_id": "a", "last_message": ""}, id="silent subagent"
    ),
    pytest.param(
        "Notification",
        {"notification_type": "permission_prompt", "title": "T", "message": "M"},
        "notification",
        {"notification_type": "permission_prompt", "title": "T", "message": "M"},
        id="permission prompt",
    ),
    pytest.param(
        "TaskCompleted",
        {"task_id": "1", "task_subject": "dig", "task_description": "d", "teammate_name": "t", "team_name": "n"},
        "task_completed",
        {"task_id": "1", "task_subject": "dig", "task_description": "d", "teammate_name": "t", "team_name": "n"},
        id="task",
    ),
    pytest.param("Stop", {"last_assistant_message": "ok"}, "stop", {"last_assistant_message": "ok"}, id="stop"),
]


@pytest.mark.parametrize(("event", "payload", "hook_type", "data"), OBSERVED)
def test_an_event_is_observed_with_the_fields_of_the_protocol(
    hook: Hook, server: RecordingServer, event: str, payload: dict[str, Any], hook_type: str, data: dict[str, Any]
) -> None:
    out = hook.run(event, {"session_id": "s1", **payload})

    body = server.received[0].body
    assert server.received[0].path == "/agentmemory/observe"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", body.pop("timestamp"))
    assert re.fullmatch(r"[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}", body.pop("eventId"))
    expected = {"hookType": hook_type, "sessionId": "s1", "project": "garden", "cwd": str(hook.cwd), "data": data}
    assert body == expected
    assert out == ""


NOTHING = [
    pytest.param("Notification", {"notification_type": "idle_prompt"}, {}, id="other notifications"),
    pytest.param("PostToolUseFailure", {**TOOL, "is_interrupt": True}, {}, id="the user interrupted"),
    pytest.param("PreToolUse", {"tool_name": "Read", "tool_input": {"file_path": "a"}}, {}, id="nothing to inject"),
    pytest.param("PostToolUse", {**TOOL, "entrypoint": "sdk-ts"}, {}, id="child of the memory, by payload"),
    pytest.param("PostToolUse", TOOL, {"AGENTMEMORY_SDK_CHILD": "1"}, id="child of the memory, by environment"),
    pytest.param("PostToolUse", {"tool_name": "mcp__everlore__memory_recall"}, {}, id="own tool"),
    pytest.param("PostToolUse", {"tool_name": "mcp__agentmemory__memory_save"}, {}, id="own tool, published name"),
    pytest.param("PostToolUse", {"tool_name": "mcp__plugin_everlore_everlore__memory_save"}, {}, id="own plugin tool"),
    pytest.param("PostToolUse", {"tool_name": "memory_smart_search"}, {}, id="own tool without its server"),
    pytest.param("PostToolUseFailure", {"tool_name": "agentmemory-memory_save"}, {}, id="own tool that failed"),
    pytest.param("Lunch", {}, {}, id="an event nobody knows"),
]


@pytest.mark.parametrize(("event", "payload", "environ"), NOTHING)
def test_what_is_not_to_be_captured_sends_nothing(
    hook: Hook, server: RecordingServer, event: str, payload: dict[str, Any], environ: dict[str, str]
) -> None:
    out = hook.run(event, payload, **environ)

    assert (out, server.received, hook.waiting()) == ("", [], [])


def test_a_tool_of_another_memory_is_captured(hook: Hook, server: RecordingServer) -> None:
    hook.run("PostToolUse", {"tool_name": "mcp__notes__memory_recall", "tool_input": {}})

    assert server.bodies()[0]["data"]["tool_name"] == "mcp__notes__memory_recall"


def test_session_start_and_end_name_the_session(hook: Hook, server: RecordingServer) -> None:
    hook.run("SessionStart", {"session_id": "s1"})
    hook.run("SessionEnd", {"session_id": "s1"})

    start, end = server.received
    assert start.path == "/agentmemory/session/start"
    assert start.body.items() >= {"sessionId": "s1", "project": "garden", "cwd": str(hook.cwd)}.items()
    assert end.path == "/agentmemory/session/end"
    assert end.body["sessionId"] == "s1"


def test_stop_reports_the_answer_and_then_ends_the_session(hook: Hook, server: RecordingServer) -> None:
    hook.run("Stop", {"session_id": "s1", "last_assistant_message": "done"})

    assert [request.path for request in server.received] == ["/agentmemory/observe", "/agentmemory/session/end"]


def test_stop_without_an_answer_only_ends_the_session(hook: Hook, server: RecordingServer) -> None:
    hook.run("Stop", {"session_id": "s1"})

    assert [request.path for request in server.received] == ["/agentmemory/session/end"]


@pytest.mark.parametrize("event", ["PreCompact", "SessionEnd"])
def test_the_bridge_is_synchronised_when_it_is_on(hook: Hook, server: RecordingServer, event: str) -> None:
    hook.run(event, {"session_id": "s1"}, CLAUDE_MEMORY_BRIDGE="true")

    assert server.received[-1].path == "/agentmemory/claude-bridge/sync"


SESSIONS = [
    pytest.param({"session_id": "a", "sessionId": "b"}, "a", id="Claude Code first"),
    pytest.param({"session_id": "", "sessionId": "b"}, "b", id="an empty id is no id"),
    pytest.param({"conversation_id": "c"}, "c", id="Cursor"),
    pytest.param({"session_id": 7}, "7", id="a number becomes text, which the server requires"),
    pytest.param({"session_id": ["x"]}, "unknown", id="a list is no id"),
]


@pytest.mark.parametrize(("payload", "session_id"), SESSIONS)
def test_the_session_id_is_the_first_usable_one(
    hook: Hook, server: RecordingServer, payload: dict[str, Any], session_id: str
) -> None:
    hook.run("UserPromptSubmit", {**payload, "prompt": "p"})

    assert server.bodies()[0]["sessionId"] == session_id


def test_a_session_without_an_id_gets_one_at_its_start(hook: Hook, server: RecordingServer) -> None:
    hook.run("SessionStart", {})

    assert re.fullmatch(r"ses_[0-9a-z]{8,}", server.bodies()[0]["sessionId"])


SPELLINGS = [
    ("SessionStart", "session_start"),
    ("session-start", "session_start"),
    ("sessionStart", "session_start"),
    ("prompt-submit", "prompt_submit"),
    ("UserPromptSubmit", "prompt_submit"),
    ("userPromptSubmitted", "prompt_submit"),
    ("beforeSubmitPrompt", "prompt_submit"),
    ("post-tool-failure", "post_tool_failure"),
    ("PostToolUseFailure", "post_tool_failure"),
    ("agentStop", "stop"),
    ("SUBAGENT_STOP", "subagent_stop"),
    ("", None),
    ("posttool", None),
]


@pytest.mark.parametrize(("name", "event"), SPELLINGS)
def test_an_event_may_be_spelled_in_any_way(name: str, event: str | None) -> None:
    assert event_named(name) == event


def test_every_event_of_the_protocol_has_a_handler() -> None:
    assert len(HANDLERS) == 12


def test_without_an_argument_the_payload_names_the_event(hook: Hook, server: RecordingServer) -> None:
    hook.run("", {"hook_event_name": "UserPromptSubmit", "prompt": "p"})

    assert server.bodies()[0]["hookType"] == "prompt_submit"


def test_the_published_variables_are_read_and_ours_win(hook: Hook, server: RecordingServer) -> None:
    environ = {"EVERLORE_URL": "", "AGENTMEMORY_URL": f"{server.url}/", "AGENTMEMORY_SECRET": "theirs"}

    hook.run("UserPromptSubmit", {"prompt": "p"}, **environ, AGENTMEMORY_PROJECT_NAME="theirs", AGENT_ID="gardener")
    hook.run("UserPromptSubmit", {"prompt": "q"}, **environ, EVERLORE_SECRET="ours", EVERLORE_PROJECT="ours")

    assert [request.authorization for request in server.received] == ["Bearer theirs", "Bearer ours"]
    assert [body["project"] for body in server.bodies()] == ["theirs", "ours"]
    assert server.bodies()[0]["agentId"] == "gardener"


def test_a_placeholder_the_host_left_unexpanded_is_no_value(hook: Hook, server: RecordingServer) -> None:
    placeholders = {name: f"${{{name}}}" for name in ("EVERLORE_URL", "EVERLORE_SECRET", "EVERLORE_PROJECT")}

    hook.run("UserPromptSubmit", {"prompt": "p"}, AGENTMEMORY_URL=server.url, **placeholders)

    assert server.received[0].authorization is None
    assert server.bodies()[0]["project"] == "garden"


def test_a_server_behind_a_path_prefix_is_reached(hook: Hook, server: RecordingServer) -> None:
    hook.run("UserPromptSubmit", {"prompt": "p"}, EVERLORE_URL=f"{server.url}/memory/")

    assert server.received[0].path == "/memory/agentmemory/observe"


def test_a_prompt_is_never_cut(hook: Hook, server: RecordingServer) -> None:
    text = "word " * 200_000

    hook.run("UserPromptSubmit", {"prompt": text})

    assert server.bodies()[0]["data"]["prompt"] == text


def test_non_ascii_text_arrives_as_it_is(hook: Hook, server: RecordingServer) -> None:
    hook.run("UserPromptSubmit", json.dumps({"prompt": "庭に水 🌱"}, ensure_ascii=False).encode())

    assert server.bodies()[0]["data"]["prompt"] == "庭に水 🌱"
