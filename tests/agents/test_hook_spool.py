"""A server that is down, slow or refuses: nothing is lost, nothing overtakes, nothing holds the agent up."""

from __future__ import annotations

import json
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from tests.agents.recorder import Hook, RecordingServer, accept, prompt, prompts


def submit(hook: Hook, *texts: str, **environ: str) -> None:
    for text in texts:
        assert hook.run("UserPromptSubmit", prompt(text), **environ) == ""


def refuse(status: int) -> Any:
    return lambda path, body: (status, {"error": "no"})


def test_events_wait_in_order_while_the_server_is_down(hook: Hook, server: RecordingServer) -> None:
    server.down()

    submit(hook, "one", "two", "three")

    assert prompts(hook.waiting()) == ["one", "two", "three"]


def test_the_next_event_delivers_the_backlog_before_itself(hook: Hook, server: RecordingServer) -> None:
    server.down()
    submit(hook, "one", "two")
    waiting = [body["eventId"] for body in hook.waiting()]
    server.up()

    submit(hook, "three")

    assert prompts(server.bodies()) == ["one", "two", "three"]
    assert [body["eventId"] for body in server.bodies()][:2] == waiting
    assert hook.waiting() == []


def test_session_calls_keep_their_place_among_the_events(hook: Hook, server: RecordingServer) -> None:
    server.down()
    hook.run("SessionStart", {"session_id": "s1"})
    submit(hook, "one")
    hook.run("Stop", {"session_id": "s1", "last_assistant_message": "done"})
    server.up()

    hook.run("SessionEnd", {"session_id": "s1"})

    paths = [request.path.removeprefix("/agentmemory/") for request in server.received]
    assert paths == ["session/start", "observe", "observe", "session/end", "session/end"]


@pytest.mark.parametrize("status", [500, 502, 503, 504, 401, 403, 429])
def test_an_event_waits_when_the_server_may_take_it_later(hook: Hook, server: RecordingServer, status: int) -> None:
    server.answer = refuse(status)
    submit(hook, "one", "two")
    server.answer = accept

    submit(hook, "three")

    assert prompts(server.bodies()) == ["one", "two", "three"]
    assert hook.set_aside() == []


@pytest.mark.parametrize("status", [400, 404, 413, 422])
def test_an_event_the_server_rejects_is_set_aside_with_the_reason(
    hook: Hook, server: RecordingServer, status: int
) -> None:
    server.answer = lambda path, body: (status, {"error": "no"}) if body["data"]["prompt"] == "bad" else (201, {})

    submit(hook, "bad", "good")

    assert prompts(server.bodies()) == ["good"]
    (row,) = hook.set_aside()
    assert f"status {status}" in row["reason"]
    assert json.loads(row["line"])["body"]["data"] == {"prompt": "bad"}
    assert hook.waiting() == []


def test_one_event_answered_500_for_an_hour_no_longer_blocks_the_others(hook: Hook, server: RecordingServer) -> None:
    server.answer = lambda path, body: (500, {}) if body["data"]["prompt"] == "bad" else (201, {})
    submit(hook, "bad")
    (trouble,) = hook.spool.glob("*.trouble")
    known = json.loads(trouble.read_text())
    trouble.write_text(json.dumps({**known, "since": known["since"] - 3700}))

    submit(hook, "good")

    assert prompts(server.bodies()) == ["good"]
    assert [row["reason"][:10] for row in hook.set_aside()] == ["status 500"]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"\0" * 300 + b"\n", id="zeros after a power cut"),
        pytest.param(b'{"path":"/agentmemory/observe","bo', id="half a line"),
        pytest.param(b'["not", "an", "event"]\n', id="JSON of another shape"),
        pytest.param(b'{"path":"/elsewhere","body":{"eventId":"e"}}\n', id="a path outside the protocol"),
        pytest.param(b"\xff\xfe\n", id="not text"),
        pytest.param(b"\n", id="an empty line"),
    ],
)
def test_a_damaged_line_is_set_aside_and_blocks_nothing(hook: Hook, server: RecordingServer, damage: bytes) -> None:
    server.down()
    submit(hook, "one")
    (spool,) = hook.spool.glob("*.jsonl")
    spool.write_bytes(spool.read_bytes() + damage)
    submit(hook, "two")
    server.up()

    submit(hook, "three")

    assert prompts(server.bodies()) == ["one", "two", "three"]
    assert [row["reason"] for row in hook.set_aside()] == ["unreadable"]


@pytest.mark.parametrize(
    "header",
    [
        pytest.param(b"garbage\n", id="overwritten"),
        pytest.param(b"", id="gone"),
        pytest.param(b'{"everlore_spool":1,"next":         999}\n', id="a place beyond the end"),
        pytest.param(b'{"everlore_spool":1,"next":          50}\n', id="a place inside a line"),
    ],
)
def test_a_damaged_header_loses_no_event(hook: Hook, server: RecordingServer, header: bytes) -> None:
    server.down()
    submit(hook, "one", "two")
    (spool,) = hook.spool.glob("*.jsonl")
    spool.write_bytes(header + spool.read_bytes().partition(b"\n")[2])
    server.up()

    submit(hook, "three")

    assert prompts(server.bodies()) == ["one", "two", "three"]
    assert hook.waiting() == []


def test_a_full_spool_drops_the_oldest_and_says_how_many(hook: Hook, server: RecordingServer) -> None:
    server.down()
    submit(hook, *(f"{n:02d} {'x' * 400}" for n in range(30)), EVERLORE_SPOOL_MAX_BYTES="8000")
    (spool,) = hook.spool.glob("*.jsonl")
    size = spool.stat().st_size
    server.up()

    submit(hook, "last")

    first, *kept = server.bodies()
    numbers = [int(text[:2]) for text in prompts(kept)[:-1]]
    assert size <= 8000
    assert first["hookType"] == "spool_overflow"
    assert first["data"]["dropped"] + len(numbers) == 30
    assert numbers == list(range(30 - len(numbers), 30))
    assert prompts(kept)[-1] == "last"


def test_an_event_larger_than_the_spool_is_sent_at_once(hook: Hook, server: RecordingServer) -> None:
    submit(hook, "x" * 5000, EVERLORE_SPOOL_MAX_BYTES="4000")

    assert prompts(server.bodies()) == ["x" * 5000]


def test_without_a_place_for_the_spool_events_are_still_sent(hook: Hook, server: RecordingServer) -> None:
    hook.spool.write_text("a file where the directory should be")

    submit(hook, "one")

    assert prompts(server.bodies()) == ["one"]


def test_a_slow_answer_leaves_the_event_in_the_spool_and_the_agent_goes_on(hook: Hook, server: RecordingServer) -> None:
    server.delay = 10.0
    started = time.monotonic()

    submit(hook, "one", EVERLORE_HOOK_TIMEOUT_MS="100")

    assert time.monotonic() - started < 8.0
    assert prompts(hook.waiting()) == ["one"]


def test_a_slow_server_is_left_alone_for_a_while_and_then_gets_everything(hook: Hook, server: RecordingServer) -> None:
    server.delay = 1.0
    submit(hook, "one", EVERLORE_HOOK_TIMEOUT_MS="200")
    server.delay = 0.0
    received = len(server.received)

    submit(hook, "two", EVERLORE_HOOK_TIMEOUT_MS="200")
    paused = len(server.received)
    time.sleep(1.2)
    submit(hook, "three", EVERLORE_HOOK_TIMEOUT_MS="200")

    assert paused == received
    assert prompts(hook.waiting()) == []
    assert prompts(server.bodies())[-3:] == ["one", "two", "three"]
    assert len({body["eventId"] for body in server.bodies()}) == 3


def test_a_long_backlog_does_not_hold_the_agent_up_and_is_not_overtaken(hook: Hook, server: RecordingServer) -> None:
    server.down()
    submit(hook, *(str(n) for n in range(8)))
    server.delay = 0.5
    server.up()
    started = time.monotonic()

    submit(hook, "8")
    elapsed = time.monotonic() - started
    first_pass = prompts(server.bodies())
    server.delay = 0.0
    submit(hook, "9")

    assert elapsed < 3.5  # all of it would take four seconds
    assert first_pass == [str(n) for n in range(len(first_pass))]
    assert 0 < len(first_pass) < 8
    assert prompts(server.bodies()) == [str(n) for n in range(10)]


@pytest.mark.parametrize("protocol", ["HTTP/1.0", "HTTP/1.1"])
def test_a_server_may_close_or_keep_the_connection(hook: Hook, server: RecordingServer, protocol: str) -> None:
    server.down()
    submit(hook, "one", "two")
    server.protocol = protocol
    server.up()

    submit(hook, "three")

    assert prompts(server.bodies()) == ["one", "two", "three"]


def test_events_of_one_server_never_go_to_another(hook: Hook, server: RecordingServer) -> None:
    submit(hook, "for nobody", EVERLORE_URL="http://127.0.0.1:1")

    submit(hook, "for this one")

    assert prompts(server.bodies()) == ["for this one"]
    assert prompts(hook.waiting()) == ["for nobody"]


def test_the_spool_is_private_and_keeps_no_secret(hook: Hook, server: RecordingServer) -> None:
    server.down()
    url = server.url.replace("//", "//someone:hidden@")

    submit(hook, "one", EVERLORE_URL=url, EVERLORE_SECRET="hidden")

    (spool,) = hook.spool.glob("*.jsonl")
    assert stat.S_IMODE(spool.stat().st_mode) == 0o600
    assert stat.S_IMODE(hook.spool.stat().st_mode) == 0o700
    assert "hidden" not in spool.name + spool.read_text()


def test_the_spool_follows_the_state_directory_of_the_user(hook: Hook, server: RecordingServer, tmp_path: Path) -> None:
    server.down()

    submit(hook, "one", EVERLORE_SPOOL_DIR="", XDG_STATE_HOME=str(tmp_path / "state"))
    submit(hook, "two", EVERLORE_SPOOL_DIR="", XDG_STATE_HOME="")

    assert list((tmp_path / "state" / "everlore").glob("*.jsonl"))
    assert list((hook.home / ".local" / "state" / "everlore").glob("*.jsonl"))
