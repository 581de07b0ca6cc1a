"""What happened in a session, as the agent would have told a hook, before the hook client shapes it.

`Recorder` is what the four readers share: it joins tool calls to their results, drops what was read before, gives every
moment its stable id, its time and its project, and reports what does not fit.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from agents.hook import tool_event_id
from memory_core.documents.transcripts.problems import Problems
from memory_core.documents.transcripts.project import project_of
from memory_core.domain.events import HookType
from memory_core.domain.tunables_transcripts import DIGEST_BYTES, MAX_ID_CHARS, MAX_OPEN_CALLS

UNKNOWN_TOOL = "unknown"
"""Name of a tool whose result is in the file and whose call is not."""

_GLOBAL_ID = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?::[0-9a-f]+)?|(?:toolu|call)_\w{16,}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One thing a hook would have reported.

    `payload` has the host's field names: `prompt`, or `tool_name` `tool_input` `tool_response`, or `tool_name`
    `tool_input` `error`, or `last_assistant_message`, or `agent_id` `agent_type` `last_assistant_message`, or
    `trigger` `summary`; tools add `tool_use_id`. `event_id` is the same in every copy of the transcript.
    """

    agent: str
    hook_type: HookType
    session_id: str
    project: str
    cwd: str
    timestamp: datetime
    event_id: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that waits for its result."""

    name: str
    input: Any


@dataclass(frozen=True, slots=True)
class Place:
    """Where and when something happened: `time` is aware UTC, `project` a slug."""

    session_id: str
    project: str
    cwd: str
    time: datetime


class Recorder:
    """State of reading one file. `fallback_time` (aware) serves until the first timestamp, `session_id` until the first id."""

    def __init__(self, *, agent: str, session_id: str, fallback_time: datetime, problems: Problems) -> None:
        self.agent = agent
        self.session_id = session_id
        self.problems = problems
        self.cwd = ""
        self.now = fallback_time
        self.started_at: datetime | None = None
        self.ended_at: datetime | None = None
        self.sessions: dict[str, None] = {}
        self._first_cwd: dict[str, str] = {}
        self._projects: dict[str, str] = {}
        self._seen: set[bytes] = set()
        self._calls: dict[str, ToolCall] = {}

    # Where and when ------------------------------------------------------------------------------------------------

    def in_session(self, session_id: Any, cwd: Any) -> None:
        """Take over the session and the directory of a record; a record without them keeps the last ones."""
        if isinstance(session_id, str) and session_id.strip():
            self.session_id = session_id
            self.sessions.setdefault(session_id)
        if isinstance(cwd, str) and cwd.strip():
            self.cwd = cwd
            self._first_cwd.setdefault(self.session_id, cwd)

    def at(self, value: Any) -> None:
        """Take over a record's timestamp; without a readable one the last one stays, and that is reported."""
        time = parse_time(value)
        if time is None:
            self.problems.count("a record has no readable timestamp, the one before it is used")
            return
        if self.started_at is not None and time < self.now:
            self.problems.count("a timestamp is earlier than the one before it, the order of the file is kept")
        self.now = time
        self.started_at = min(self.started_at or time, time)
        self.ended_at = max(self.ended_at or time, time)

    def project(self) -> str:
        """The project of the current session: of its first directory, so that a `cd` does not split a session."""
        cwd = self.first_cwd(self.session_id)
        if cwd not in self._projects:
            self._projects[cwd] = project_of(cwd)
        return self._projects[cwd]

    def place(self) -> Place:
        """Where and when the current record stands."""
        return Place(self.session_id, self.project(), self.cwd, self.now)

    def first_cwd(self, session_id: str) -> str:
        """The first directory of a session, "" when none was named."""
        return self._first_cwd.get(session_id, self.cwd)

    # Once only -----------------------------------------------------------------------------------------------------

    def is_new(self, kind: str, own_id: str) -> bool:
        """Remember an id of the file; False when it was there before."""
        key = _digest(f"{kind}\0{own_id}")
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def moment(
        self, hook_type: HookType, kind: str, own_id: str, payload: dict[str, Any], *, place: Place | None = None
    ) -> list[Moment]:
        """One moment, or none when its id was seen before. `kind` and `own_id` make the event id, `place` is where it
        happened when that was before the current record.
        """
        here = place or self.place()
        event_id = self.event_id(kind, own_id, here.session_id)
        if not self.is_new("event", event_id):
            self.problems.count("a record repeats an earlier one and is dropped")
            return []
        return [
            Moment(
                agent=self.agent,
                hook_type=hook_type,
                session_id=here.session_id,
                project=here.project,
                cwd=here.cwd,
                timestamp=here.time,
                event_id=event_id,
                payload=payload,
            )
        ]

    def event_id(self, kind: str, own_id: str, session_id: str) -> str:
        """`agent:kind:id`. A UUID or a call id of a model is unique in the world, and stays the same when a resumed
        session copies it under a new session id; any other id is only unique within its session. A tool's event has
        the id under which the hook client reports it.
        """
        if kind == "tool" and (reported_as := tool_event_id(own_id)):
            return reported_as
        scope = "" if _GLOBAL_ID.fullmatch(own_id) else f"{session_id}:"
        event_id = f"{self.agent}:{kind}:{scope}{own_id}"
        return event_id if len(event_id) <= MAX_ID_CHARS else f"{self.agent}:{kind}:{_digest(event_id).hex()}"

    # Tools ---------------------------------------------------------------------------------------------------------

    def call(self, call_id: str, name: Any, tool_input: Any) -> None:
        """A tool was called; its result comes later."""
        if not self.is_new("call", call_id):
            self.problems.count("a tool call repeats an earlier one and is dropped")
            return
        if len(self._calls) >= MAX_OPEN_CALLS:
            oldest = next(iter(self._calls))
            self.problems.count("a tool call has no result")
            del self._calls[oldest]
        self._calls[call_id] = ToolCall(name if isinstance(name, str) and name else UNKNOWN_TOOL, tool_input)

    def open_call(self, call_id: str) -> ToolCall | None:
        """The call that waits under this id, if any."""
        return self._calls.get(call_id)

    def result(self, call_id: str, response: Any) -> list[Moment]:
        """A tool answered."""
        payload = self._answered(call_id) | {"tool_response": response}
        return self.moment(HookType.POST_TOOL_USE, "tool", call_id, payload)

    def failure(self, call_id: str, error: str) -> list[Moment]:
        """A tool failed, or the user refused it."""
        payload = self._answered(call_id) | {"error": error}
        return self.moment(HookType.POST_TOOL_FAILURE, "tool", call_id, payload)

    def interrupted(self, call_id: str) -> None:
        """The user broke a call off: no hook is told, so no moment, but a problem."""
        call = self._calls.pop(call_id, None)
        self.is_new("call", call_id)
        self.problems.note(
            f"tool call {call_id[:MAX_ID_CHARS]} ({call.name if call else UNKNOWN_TOOL}) was interrupted"
        )

    def finish(self) -> None:
        """The file ended: calls that still wait never got a result (a crash, or the session is still running)."""
        for call_id, call in self._calls.items():
            self.problems.note(f"tool call {call_id[:MAX_ID_CHARS]} ({call.name}) has no result")
        self._calls.clear()

    def _answered(self, call_id: str) -> dict[str, Any]:
        """The call that this result answers; one without a call keeps its output under an unknown name."""
        call = self._calls.pop(call_id, None)
        if call is not None:
            return {"tool_name": call.name, "tool_input": call.input, "tool_use_id": call_id}
        if self.is_new("call", call_id):
            self.problems.note(f"the result of tool call {call_id[:MAX_ID_CHARS]} comes without the call")
        return {"tool_name": UNKNOWN_TOOL, "tool_input": {}, "tool_use_id": call_id}


def parse_time(value: Any) -> datetime | None:
    """An aware UTC time from ISO 8601 text or from milliseconds since 1970; None for anything else."""
    try:
        if isinstance(value, str):
            time = datetime.fromisoformat(value)
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def content_id(*parts: str) -> str:
    """An id for records that carry none: a digest of what they say, never of where they stand."""
    return _digest("\0".join(parts)).hex()


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()
