"""Whatever is private or secret is taken out before anything is stored, on every way in."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from memory_core.models import Memory, Observation
from tests.fakes import tables
from tests.fakes.client import Answer, Caller

pytestmark = pytest.mark.django_db

Write = Callable[[Caller, str], Answer]


def _session(caller: Caller, **changes: str) -> Answer:
    return caller.post("session/start", {"sessionId": "s1", "project": "orchard", "cwd": "/work"} | changes)


def _tool(**data: object) -> Write:
    """A tool's report; `TEXT` in it stands for the text."""

    def write(caller: Caller, text: str) -> Answer:
        filled = json.loads(json.dumps({"tool_name": "Bash"} | data).replace("TEXT", json.dumps(text)[1:-1]))
        return caller.observe(data=filled)

    return write


def _forget(caller: Caller, text: str) -> Answer:
    memory = caller.remember("pears grow here")["memory"]["id"]
    return caller.post("forget", {"memoryId": memory, "reason": text})


WAYS_IN: dict[str, Write] = {
    "a prompt": lambda caller, text: caller.prompted(text),
    "a tool's input": _tool(tool_input={"command": "TEXT"}),
    "a tool's output": _tool(tool_output="TEXT"),
    "a tool's error": _tool(error="TEXT"),
    "deep inside": _tool(tool_output={"a": [1, {"b": ["TEXT"]}]}),
    "a key": _tool(tool_output={"TEXT": 1}),
    "JSON in a string": _tool(tool_output='{"a": "TEXT"}'),
    "data that is a text": lambda caller, text: caller.observe(data=text),
    "an answer": lambda caller, text: caller.observe(hookType="stop", data={"assistant_response": text}),
    "a memory's content": lambda caller, text: caller.remember(text),
    "a memory's title": lambda caller, text: caller.remember("pears", title=text),
    "a memory's concepts": lambda caller, text: caller.remember("pears", concepts=["fruit", text]),
    "a memory's files": lambda caller, text: caller.remember("pears", files=[text]),
    "a memory's sources": lambda caller, text: caller.remember("pears", sourceObservationIds=[text]),
    "a session's title": lambda caller, text: _session(caller, title=text),
    "why it is forgotten": _forget,
}

SECRETS = {
    "private": ("tell <private>the gate code is quaternion</private> nobody", "quaternion"),
    "unclosed private": ("tell <private>the gate code is quaternion", "quaternion"),
    "GitHub": ("push with ghp_" + "Zq7R" * 9 + " please", "Zq7R" * 9),
    "AWS": ("key AKIA" + "Q7RZ" * 4, "Q7RZ" * 4),
    "bearer": ("curl -H 'Authorization: Bearer " + "k9Xw" * 8 + "'", "k9Xw" * 8),
    "assignment": ("api_key=" + "v8Tq" * 7, "v8Tq" * 7),
}


@pytest.mark.parametrize("way", WAYS_IN)
@pytest.mark.parametrize("kind", SECRETS)
def test_a_secret_is_in_no_table_whatever_the_way(owner: Caller, way: str, kind: str) -> None:
    text, secret = SECRETS[kind]

    answer = WAYS_IN[way](owner, text)

    assert answer.status in (200, 201), answer
    assert secret.lower() not in tables.everything().lower()


def test_a_redaction_never_breaks_the_payload(owner: Caller) -> None:
    token = "ghp_" + "Zq7R" * 9
    data = {
        "tool_name": "Bash",
        "tool_input": {"command": f'curl "x?password={token}"', "n": 1},
        "tool_output": [token],
    }

    stored = Observation.objects.get(pk=owner.observe(data=data)["observationId"])

    assert set(stored.raw) == set(data)
    assert stored.raw["tool_input"]["n"] == 1
    assert stored.raw["tool_output"] == ["[REDACTED_SECRET]"]


def test_what_is_left_of_a_scrubbed_text_is_found(owner: Caller) -> None:
    memory = owner.remember("graft the <private>quaternion</private> medlar")["memory"]

    assert memory["content"] == "graft the [REDACTED] medlar"
    assert owner.found("medlar") == [memory["id"]]
    assert owner.found("quaternion") == []


def test_ids_of_sources_are_no_secrets(owner: Caller) -> None:
    source = owner.observe()["observationId"]

    memory = owner.remember("pears grow here", sourceObservationIds=[source], sessionId="s1")["memory"]

    assert Memory.objects.get(pk=memory["id"]).source_observation_ids == [source]
