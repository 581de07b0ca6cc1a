"""Many hooks at once, and hooks that are killed."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.hook import OBSERVE, Lock, Request, Spool, parsed, spooled
from tests.agents.recorder import Hook, RecordingServer, prompt, prompts

TOGETHER = 12


def submit_together(hook: Hook, texts: list[str]) -> None:
    processes = [hook.start("UserPromptSubmit", prompt(text)) for text in texts]
    for process in processes:
        assert process.communicate(timeout=60) == (b"", b"")
        assert process.returncode == 0


def drain(hook: Hook) -> None:
    for number in range(50):
        hook.run("UserPromptSubmit", prompt(f"drain {number}"))
        if not hook.waiting():
            return


def test_hooks_at_once_lose_nothing_and_repeat_nothing_when_the_server_comes_back(
    hook: Hook, server: RecordingServer
) -> None:
    before = [f"down {n}" for n in range(TOGETHER)]
    after = [f"up {n}" for n in range(TOGETHER)]
    server.down()
    submit_together(hook, before)
    spooled_order = prompts(hook.waiting())
    server.up()
    submit_together(hook, after)

    drain(hook)

    arrived = [text for text in prompts(server.bodies()) if not text.startswith("drain")]
    assert sorted(spooled_order) == sorted(before)
    assert arrived[:TOGETHER] == spooled_order
    assert sorted(arrived) == sorted(before + after)
    assert max(Counter(body["eventId"] for body in server.bodies()).values()) == 1


def test_an_event_left_by_a_hook_that_found_the_lock_taken_is_delivered_by_its_holder(
    hook: Hook, server: RecordingServer
) -> None:
    server.delay = 0.15
    first = hook.start("UserPromptSubmit", prompt("first"))
    while not hook.waiting():
        time.sleep(0.002)

    hook.run("UserPromptSubmit", prompt("second"))
    first.communicate(timeout=30)

    assert prompts(server.bodies()) == ["first", "second"]


def test_the_last_hook_of_a_session_waits_for_its_turn(hook: Hook, server: RecordingServer) -> None:
    server.delay = 0.4
    first = hook.start("UserPromptSubmit", prompt("first"))
    while not hook.waiting():
        time.sleep(0.002)

    hook.run("SessionEnd", {"session_id": "s1"})
    first.communicate(timeout=30)

    assert hook.waiting() == []
    assert [request.path for request in server.received] == ["/agentmemory/observe", "/agentmemory/session/end"]


def test_a_hook_killed_while_it_delivers_loses_nothing(hook: Hook, server: RecordingServer) -> None:
    server.down()
    hook.run("UserPromptSubmit", prompt("one"))
    server.delay = 5.0
    server.up()
    victim = hook.start("UserPromptSubmit", prompt("two"))
    while len(hook.waiting()) < 2:
        time.sleep(0.002)
    time.sleep(0.1)

    victim.kill()
    victim.communicate()
    waiting = hook.waiting()
    server.delay = 0.0
    hook.run("UserPromptSubmit", prompt("three"))

    assert prompts(waiting) == ["one", "two"]
    assert prompts(server.bodies()) == ["one", "two", "three"]


@pytest.mark.slow
def test_hooks_killed_at_any_moment_lose_nothing_that_was_spooled(hook: Hook, server: RecordingServer) -> None:
    moments = random.Random(7)
    spooled_ids: set[str] = set()
    for number in range(40):
        if number % 8 == 0:
            server.down()
        if number % 8 == 4:
            server.up()
        process = hook.start("UserPromptSubmit", prompt(str(number)))
        time.sleep(moments.uniform(0.01, 0.08))
        process.kill()
        process.communicate()
        spooled_ids |= {body["eventId"] for body in hook.waiting()}

    drain(hook)

    assert spooled_ids <= {body["eventId"] for body in server.bodies()}
    order = [int(text) for text in dict.fromkeys(prompts(server.bodies())) if not text.startswith("drain")]
    assert order == sorted(order)


def spool_at(path: Path, **settings: str) -> Spool:
    return Spool({"EVERLORE_SPOOL_DIR": str(path), **settings}, "server")


def line(name: str) -> bytes:
    return spooled(Request(OBSERVE, {"eventId": name, "data": {"filler": "x" * 100}}))


def drained(spool: Spool) -> list[str]:
    names: list[Any] = []
    while first := spool.first():
        entry = parsed(first)
        names.append(entry[0] if entry else None)
        spool.remove(first)
    return names


def test_removing_a_line_twice_removes_it_once(tmp_path: Path) -> None:
    spool = spool_at(tmp_path)
    spool.append([line("a"), line("b")])
    first = spool.first()

    spool.remove(first)
    spool.remove(first)

    assert drained(spool) == ["b"]


def test_a_line_dropped_for_room_while_it_was_under_way_takes_no_other_with_it(tmp_path: Path) -> None:
    spool = spool_at(tmp_path, EVERLORE_SPOOL_MAX_BYTES="1500")
    spool.append([line("a")])
    under_way = spool.first()
    for number in range(8):
        spool.append([line(str(number))])

    spool.remove(under_way)

    overflow, *names = drained(spool)
    assert overflow not in {"a", *map(str, range(8))}
    assert names == [str(n) for n in range(8 - len(names), 8)]


@pytest.mark.parametrize(
    "touch", [lambda spool: spool.append([line("b")]), Spool.first, lambda spool: spool.remove(b"")]
)
def test_nobody_touches_the_spool_while_another_writes(tmp_path: Path, touch: Callable[[Spool], Any]) -> None:
    spool = spool_at(tmp_path)
    spool.append([line("a")])

    with Lock(spool.base + ".lock", 0.0), pytest.raises(TimeoutError):
        touch(spool)


def test_an_event_that_finds_the_spool_taken_is_sent_at_once(hook: Hook, server: RecordingServer) -> None:
    hook.run("UserPromptSubmit", prompt("one"))
    (lock,) = hook.spool.glob("*.lock")

    with Lock(str(lock), 0.0):
        hook.run("UserPromptSubmit", prompt("two"))

    assert prompts(server.bodies()) == ["one", "two"]


def test_an_emptied_spool_leaves_no_file_to_grow(tmp_path: Path) -> None:
    spool = spool_at(tmp_path)
    spool.append([line("a")])

    drained(spool)

    assert list(tmp_path.glob("*.jsonl")) == []
