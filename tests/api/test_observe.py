"""A hook event that is reported is stored whole, at once, and found by its words."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.models import Observation, Session
from tests.api.conftest import Configure
from tests.fakes import tables
from tests.fakes.client import Caller

pytestmark = pytest.mark.django_db

HOOKS: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("session_start", {"source": "startup quince"}, "other", "agent", ""),
    ("prompt_submit", {"prompt": "plant a quince"}, "conversation", "user", ""),
    ("pre_tool_use", {"tool_name": "Read", "tool_input": {"file_path": "quince.py"}}, "file_read", "tool", ""),
    (
        "post_tool_use",
        {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_output": "quince"},
        "command_run",
        "tool",
        "Bash",
    ),
    (
        "post_tool_failure",
        {"tool_name": "Bash", "tool_input": {"command": "x"}, "error": "quince: not found"},
        "error",
        "tool",
        "Bash",
    ),
    ("pre_compact", {"trigger": "quince"}, "other", "agent", ""),
    ("subagent_start", {"agent_type": "quince"}, "other", "agent", ""),
    ("subagent_stop", {"agent_type": "explorer", "last_message": "quince"}, "subagent", "agent", ""),
    ("notification", {"message": "quince is ripe"}, "notification", "agent", ""),
    ("task_completed", {"task": "quince"}, "subagent", "agent", ""),
    ("stop", {"reason": "quince"}, "other", "agent", ""),
    ("session_end", {"reason": "quince"}, "other", "agent", ""),
    ("weather_changed", {"forecast": "quince"}, "other", "agent", ""),
]


@pytest.mark.parametrize(("hook", "data", "kind", "channel", "detail"), HOOKS, ids=[row[0] for row in HOOKS])
def test_every_hook_is_stored_with_its_payload_and_found(
    owner: Caller, hook: str, data: dict[str, Any], kind: str, channel: str, detail: str
) -> None:
    answer = owner.observe(hookType=hook, data=data)

    assert answer.status == 201
    stored = Observation.objects.get(pk=answer["observationId"])
    assert (stored.hook_type, stored.raw, stored.type) == (hook, data, kind)
    assert (stored.channel, stored.channel_detail) == (channel, detail)
    assert owner.found("quince") == [stored.pk]


@pytest.mark.parametrize("data", [None, "quince", 17, [1, "quince"], {}, False], ids=repr)
def test_data_of_any_json_is_stored_as_it_is(owner: Caller, data: Any) -> None:
    event = owner.event() | {"data": data}

    answer = owner.post("observe", event)

    assert answer.status == 201
    assert Observation.objects.get(pk=answer["observationId"]).raw == data


def test_the_raw_payload_is_kept_beside_the_compressed_fields(owner: Caller) -> None:
    owner.ran("cat notes", "quince " * 400)

    shown = owner.get("observations?sessionId=s1&raw=true")["observations"][0]

    assert shown["raw"]["tool_output"] == "quince " * 400
    assert len(shown["narrative"]) <= 400
    assert "raw" not in owner.get("observations?sessionId=s1")["observations"][0]


@pytest.mark.parametrize("at", [399, 401, 50_000, 900_000])
def test_a_word_is_found_wherever_it_stands_in_the_output(owner: Caller, at: int) -> None:
    answer = owner.ran("cat log", "so it was " * (at // 10) + " persimmon " + "so it was " * 100)

    assert owner.found("persimmon") == [answer["observationId"]]


def test_a_text_with_more_terms_than_one_vector_holds_is_found_by_all_of_them(owner: Caller) -> None:
    answer = owner.ran("cat words", " ".join(f"word{number}x" for number in range(20_000)))

    for number in (0, 9_999, 19_999):
        assert owner.found(f"word{number}x") == [answer["observationId"]]


class TestRepetitions:
    def test_the_same_event_within_the_window_is_stored_once(self, owner: Caller) -> None:
        owner.ran("make test", "2 passed")

        again = owner.ran("make test", "2 passed", timestamp="2026-03-01T12:00:05Z")

        assert (again.status, again.body) == (201, {"deduplicated": True, "sessionId": "s1"})
        assert Observation.objects.count() == 1
        assert Session.objects.get().observation_count == 1

    NEWS = (
        ("a PASS after a FAIL", {"tool_output": "1 failed"}, {"tool_output": "1 passed"}),
        ("another input", {"tool_input": {"command": "a"}}, {"tool_input": {"command": "b"}}),
        ("prompts that differ late", {"prompt": "x" * 500 + "a"}, {"prompt": "x" * 500 + "b"}),
        ("outputs that differ at the end", {"tool_output": "x" * 9000 + "a"}, {"tool_output": "x" * 9000 + "b"}),
    )

    @pytest.mark.parametrize(("first", "second"), [row[1:] for row in NEWS], ids=[row[0] for row in NEWS])
    def test_what_differs_anywhere_is_news(self, owner: Caller, first: dict[str, Any], second: dict[str, Any]) -> None:
        same = {"tool_name": "Bash", "tool_input": {"command": "make test"}}

        answers = [owner.observe(data=same | part) for part in (first, second)]

        assert len({answer["observationId"] for answer in answers}) == 2

    def test_another_session_may_say_the_same(self, owner: Caller) -> None:
        owner.ran("ls", "pears")

        assert "observationId" in owner.ran("ls", "pears", sessionId="s2").body

    def test_a_window_of_zero_keeps_every_repetition(self, owner: Caller, configure: Configure) -> None:
        configure(EVERLORE_DEDUP_WINDOW_SECONDS=0)

        answers = [owner.ran("ls", "pears") for _ in range(2)]

        assert all("observationId" in answer.body for answer in answers)

    def test_an_event_with_an_id_is_stored_once_for_ever(self, owner: Caller, configure: Configure) -> None:
        configure(EVERLORE_DEDUP_WINDOW_SECONDS=0)
        owner.observe(eventId="claude:tool:1")

        again = owner.observe(eventId="claude:tool:1", data={"tool_name": "Bash", "tool_output": "something else"})

        assert again.body == {"deduplicated": True, "sessionId": "s1"}
        assert Observation.objects.count() == 1


class TestFullSession:
    @pytest.fixture(autouse=True)
    def _small(self, configure: Configure) -> None:
        configure(EVERLORE_MAX_OBSERVATIONS_PER_SESSION=2)

    def test_the_answer_says_so_and_the_session_counts_it(self, owner: Caller) -> None:
        for number in range(2):
            owner.ran(f"echo {number}", "")

        answer = owner.ran("echo 2", "")

        assert (answer.status, answer.body) == (
            201,
            {"success": False, "error": "Session observation limit reached (2)"},
        )
        shown = owner.get("sessions")["sessions"][0]
        assert (shown["observationCount"], shown["refusedCount"]) == (2, 1)

    def test_nothing_of_a_refused_event_is_stored(self, owner: Caller) -> None:
        for number in range(2):
            owner.ran(f"echo {number}", "")
        before = tables.counts()

        owner.ran("echo 2", "medlar")

        assert tables.counts() == before
        assert owner.found("medlar") == []

    def test_another_session_goes_on(self, owner: Caller) -> None:
        for number in range(3):
            owner.ran(f"echo {number}", "")

        assert "observationId" in owner.ran("ls", "", sessionId="s2").body

    def test_zero_is_no_limit(self, owner: Caller, configure: Configure) -> None:
        configure(EVERLORE_MAX_OBSERVATIONS_PER_SESSION=0)

        assert all("observationId" in owner.ran(f"echo {number}", "").body for number in range(4))
