"""The window in which an event is known again, to the second."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_core.domain.events import Channel, HookEvent
from memory_core.flows.observe import Duplicate, Outcome, Stored, observe

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only", "own_images")]

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
WINDOW = timedelta(seconds=300)


def seen(after: timedelta, **changes: Any) -> Outcome:
    values: dict[str, Any] = {
        "hook_type": "post_tool_use",
        "session_id": "s1",
        "project": "orchard",
        "cwd": "/work",
        "timestamp": NOW + after,
        "data": {"tool_name": "Bash", "tool_input": {"command": "ls"}},
    }
    return observe(HookEvent(**(values | changes)), now=NOW + after)


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (timedelta(0), Duplicate),
        (WINDOW - timedelta(milliseconds=1), Duplicate),
        (WINDOW, Stored),
        (WINDOW + timedelta(days=1), Stored),
    ],
    ids=str,
)
def test_within_it_is_known_and_after_it_is_news(after: timedelta, kind: type) -> None:
    assert isinstance(seen(timedelta(0)), Stored)

    assert isinstance(seen(after), kind)


def test_a_repetition_does_not_stretch_it() -> None:
    seen(timedelta(0))
    seen(timedelta(seconds=200))

    assert isinstance(seen(WINDOW), Stored)


def test_a_new_one_opens_it_anew() -> None:
    seen(timedelta(0))
    seen(WINDOW)

    assert isinstance(seen(WINDOW + timedelta(seconds=1)), Duplicate)


@pytest.mark.parametrize(
    "volatile", [{"duration_ms": 7}, {"tool_use_id": "call_2"}, {"timestamp": "later"}], ids=lambda v: next(iter(v))
)
def test_clocks_and_call_ids_make_no_news(volatile: dict[str, Any]) -> None:
    data = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    seen(timedelta(0), data=data)

    assert isinstance(seen(timedelta(seconds=1), data=data | volatile), Duplicate)


def test_an_import_is_known_by_its_id_alone() -> None:
    imported = {"channel": Channel.IMPORT}

    first, second = (seen(timedelta(0), event_id=id, **imported) for id in ("claude:1", "claude:2"))
    again = seen(timedelta(days=9), event_id="claude:1", **imported)

    assert isinstance(first, Stored)
    assert isinstance(second, Stored)
    assert again == Duplicate("s1", first.observation_id)
