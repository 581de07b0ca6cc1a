"""The demo's sessions and questions, read from the file beside this one; and a plain keyword search to compare with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("sessions.json")
_STOP_WORDS = frozenset(
    "a an and are be for get how in is it of on should the to was what when where which who why".split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class Event:
    """One hook event; `event_id` is the same at every load, so that it is stored once."""

    event_id: str
    session: str
    project: str
    cwd: str
    hook_type: str
    data: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything of it that a keyword search reads."""
        return " ".join(_strings(self.data))


@dataclass(frozen=True, slots=True)
class Question:
    """A question, where it is asked, and the session that holds the answer."""

    project: str
    query: str
    session: str


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)


@cache
def _content() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def events() -> list[Event]:
    """Every event, in the order it happened."""
    return [
        Event(
            f"{session['id']}:{number}",
            session["id"],
            session["project"],
            session["cwd"],
            event["hookType"],
            event["data"],
        )
        for session in _content()["sessions"]
        for number, event in enumerate(session["events"])
    ]


def questions() -> list[Question]:
    """The questions, none of which repeats the words of its answer."""
    return [Question(**row) for row in _content()["questions"]]


def other_project() -> tuple[Question, str]:
    """A question whose answer lies in another project, and that project."""
    row = _content()["other_project"]
    return Question(row["project"], row["query"], ""), row["hidden"]


def sessions() -> list[str]:
    """The ids of the sessions."""
    return [session["id"] for session in _content()["sessions"]]


def keyword_hits(question: Question) -> list[Event]:
    """What `grep` finds: events of the project that hold every word of the question that means something."""
    words = [word for word in re.findall(r"\w+", question.query.lower()) if word not in _STOP_WORDS]
    return [
        event
        for event in events()
        if event.project == question.project and all(word in event.text.lower() for word in words)
    ]
