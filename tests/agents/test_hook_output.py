"""What each host reads on stdout."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.agents.recorder import Hook, RecordingServer

CONTEXT = '<agentmemory-context project="garden">water at dawn — 朝</agentmemory-context>'
READ = {"tool_name": "Read", "tool_input": {"file_path": "bed.md"}}
CLAUDE = {"CLAUDE_PROJECT_DIR": "/tmp"}


@pytest.fixture
def remembering(server: RecordingServer) -> RecordingServer:
    server.answer = lambda path, body: (200, {"context": CONTEXT})
    return server


def output_of(event: str) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": CONTEXT}})


SHOWN = [
    pytest.param("SessionStart", {"hook_event_name": "SessionStart"}, CLAUDE, CONTEXT, id="Claude Code start: text"),
    pytest.param(
        "SessionStart",
        {"cursor_version": "1.7"},
        {},
        json.dumps({"additional_context": CONTEXT}),
        id="Cursor by its version",
    ),
    pytest.param(
        "SessionStart",
        {"hook_event_name": "sessionStart"},
        {},
        json.dumps({"additional_context": CONTEXT}),
        id="Cursor by its spelling",
    ),
    pytest.param(
        "SessionStart", {}, {"DEVIN_PROJECT_DIR": "/tmp"}, output_of("SessionStart"), id="Devin by its environment"
    ),
    pytest.param("SessionStart", {"prompt_id": "p"}, {}, output_of("SessionStart"), id="Devin by its payload"),
    pytest.param(
        "PreToolUse",
        {"hook_event_name": "PreToolUse", **READ},
        CLAUDE,
        output_of("PreToolUse"),
        id="Claude Code ignores plain text before a tool",
    ),
    pytest.param("PreToolUse", READ, {}, CONTEXT, id="other hosts before a tool: text"),
    pytest.param(
        "PreToolUse",
        {"hook_event_name": "PreToolUse", "permission_mode": "default", "turn_id": "t", **READ},
        {},
        CONTEXT,
        id="Codex borrows Claude Code's payload",
    ),
    pytest.param("PreCompact", {"hook_event_name": "PreCompact"}, CLAUDE, CONTEXT, id="before compaction: text"),
    pytest.param("UserPromptSubmit", {"prompt": "p"}, CLAUDE, "", id="a prompt shows nothing"),
]


@pytest.mark.parametrize(("event", "payload", "environ", "out"), SHOWN)
def test_context_is_shown_in_the_form_the_host_injects(
    hook: Hook, remembering: RecordingServer, event: str, payload: dict[str, Any], environ: dict[str, str], out: str
) -> None:
    payload = {"session_id": "s1", "cwd": str(hook.cwd), **payload}

    assert hook.run(event, payload, EVERLORE_INJECT_CONTEXT="true", **environ) == out


@pytest.mark.parametrize("event", ["SessionStart", "PreToolUse", "PreCompact"])
@pytest.mark.parametrize("setting", ["", "false", "${AGENTMEMORY_INJECT_CONTEXT}"])
def test_nothing_is_shown_and_nothing_asked_unless_injection_is_on(
    hook: Hook, remembering: RecordingServer, event: str, setting: str
) -> None:
    out = hook.run(event, {"session_id": "s1", **READ}, AGENTMEMORY_INJECT_CONTEXT=setting)

    assert out == ""
    assert {request.path for request in remembering.received} <= {
        "/agentmemory/session/start",
        "/agentmemory/observe",
    }


QUESTIONS = [
    pytest.param("Read", {"file_path": "a.py"}, ["a.py"], [], id="read"),
    pytest.param("Edit", {"path": "a.py", "file": "b.py"}, ["a.py", "b.py"], [], id="every key that names a file"),
    pytest.param("Glob", {"pattern": "*.py"}, ["*.py"], ["*.py"], id="glob: the pattern is a term too"),
    pytest.param("grep", {"pattern": "seed", "path": "src"}, ["src"], ["seed"], id="grep: the pattern is no file"),
]


@pytest.mark.parametrize(("tool", "given", "files", "terms"), QUESTIONS)
def test_before_a_file_tool_the_memory_is_asked_about_its_files(
    hook: Hook, remembering: RecordingServer, tool: str, given: dict[str, str], files: list[str], terms: list[str]
) -> None:
    payload = {"session_id": "s1", "tool_name": tool, "tool_input": given}

    hook.run("PreToolUse", payload, AGENTMEMORY_INJECT_CONTEXT="true")

    (request,) = remembering.received
    assert request.path == "/agentmemory/enrich"
    assert request.body == {"sessionId": "s1", "files": files, "terms": terms, "toolName": tool, "project": "garden"}


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        pytest.param("Bash", {"file_path": "a"}, id="not a file tool"),
        pytest.param("Read", {}, id="no file"),
        pytest.param("Read", "a.py", id="input that is no object"),
        pytest.param("grep", {"pattern": "seed"}, id="grep without a place"),
    ],
)
def test_before_any_other_tool_the_memory_is_not_asked(
    hook: Hook, remembering: RecordingServer, tool: str, given: Any
) -> None:
    hook.run("PreToolUse", {"tool_name": tool, "tool_input": given}, AGENTMEMORY_INJECT_CONTEXT="true")

    assert remembering.received == []


def test_before_compaction_a_bounded_context_is_asked_after_the_event(hook: Hook, remembering: RecordingServer) -> None:
    hook.run("PreCompact", {"session_id": "s1", "trigger": "auto"}, AGENTMEMORY_INJECT_CONTEXT="true")

    event, question = remembering.received
    assert event.body["hookType"] == "pre_compact"
    assert question.path == "/agentmemory/context"
    assert question.body == {"sessionId": "s1", "project": "garden", "budget": 1500}


def test_context_is_asked_apart_when_older_events_keep_the_session_start_waiting(
    hook: Hook, server: RecordingServer
) -> None:
    server.down()
    for number in range(8):
        hook.run("UserPromptSubmit", {"session_id": "s1", "prompt": str(number)})
    server.answer = lambda path, body: (200, {"context": CONTEXT if path.endswith("/context") else ""})
    server.delay = 0.1
    server.up()

    out = hook.run("SessionStart", {"session_id": "s2"}, AGENTMEMORY_INJECT_CONTEXT="true")

    assert out == CONTEXT
    assert hook.waiting()[-1]["sessionId"] == "s2"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param((200, {"context": ""}), id="nothing to say"),
        pytest.param((200, {"context": 5}), id="not text"),
        pytest.param((200, ["context"]), id="not an object"),
        pytest.param((500, {"context": "x"}), id="a failure"),
    ],
)
def test_an_answer_without_context_shows_nothing(hook: Hook, server: RecordingServer, answer: tuple[int, Any]) -> None:
    server.answer = lambda path, body: answer

    assert hook.run("SessionStart", {"session_id": "s1"}, AGENTMEMORY_INJECT_CONTEXT="true") == ""
    assert hook.run("PreToolUse", READ, AGENTMEMORY_INJECT_CONTEXT="true") == ""


@pytest.mark.parametrize("event", ["SessionStart", "PreToolUse", "PreCompact"])
def test_a_server_that_is_down_shows_nothing(hook: Hook, server: RecordingServer, event: str) -> None:
    server.down()

    assert hook.run(event, {"session_id": "s1", **READ}, AGENTMEMORY_INJECT_CONTEXT="true") == ""
