"""Whichever statement of a write fails, nothing of it is in any table; and it works when it is sent again.

An image's file may stay behind: a job deletes files without a row (tests/workers).
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest
from django.db import OperationalError

from memory_core.domain.events import HookEvent
from memory_core.flows import observe, remember, session
from memory_core.knowledge.memories import NewMemory
from memory_core.models import Memory
from tests.fakes import tables
from tests.fakes.statements import listening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only", "own_images")]

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONTENT = "graft medlars onto quince stock in early spring"


def _picture(shade: int) -> dict[str, str]:
    png = b"\x89PNG\r\n\x1a\n" + bytes([shade]) * 64
    return {"tool_name": "Read", "tool_output": "data:image/png;base64," + base64.b64encode(png).decode()}


def _event(session_id: str, **changes: Any) -> HookEvent:
    values = {"hook_type": "post_tool_use", "project": "orchard", "cwd": "/work", "timestamp": NOW, "data": _picture(1)}
    return HookEvent(session_id=session_id, **(values | changes))


def _start(session_id: str) -> object:
    return session.start(session_id, project="orchard", cwd="/new", title="a title", agent="", now=NOW)


WRITES: dict[str, Callable[[], object]] = {
    "observe in a new session": lambda: observe.observe(_event("new", project="elsewhere"), now=NOW),
    "observe in a known session": lambda: observe.observe(_event("known", data=_picture(2)), now=NOW),
    "observe under an id": lambda: observe.observe(_event("known", event_id="e1", data=_picture(2)), now=NOW),
    "remember": lambda: remember.remember(NewMemory(content="pears grow here", project="new"), now=NOW),
    "remember anew": lambda: remember.remember(NewMemory(content=CONTENT + " only", project="orchard"), now=NOW),
    "start a session": lambda: _start("new"),
    "start it again": lambda: _start("known"),
    "end a session": lambda: session.end("known", now=NOW),
    "forget a session": lambda: remember.forget_session("known", now=NOW),
    "forget a memory": lambda: remember.forget_memory(Memory.objects.get().pk, now=NOW),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_write_that_fails_anywhere_leaves_nothing(write: str) -> None:
    observe.observe(_event("known"), now=NOW)
    remember.remember(NewMemory(content=CONTENT, project="orchard"), now=NOW)
    before = tables.everything()

    for at in count(1):
        try:
            with listening(cut_at=at):
                WRITES[write]()
        except OperationalError:
            assert tables.everything() == before, f"after statement {at}"
        else:
            break

    assert at > 3
    assert tables.everything() != before
