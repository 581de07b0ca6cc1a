"""What an agent's hook reports, as a frozen value between the edges and `capture`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

GLOBAL_PROJECT = ""
"""Slug of the project whose memories every other project may read; never shown on the wire."""

NO_AGENT = ""
"""Agent id of records that no agent claimed; never shown on the wire."""


class HookType(StrEnum):
    """The twelve hooks of the protocol. The server stores any other string too."""

    SESSION_START = "session_start"
    PROMPT_SUBMIT = "prompt_submit"
    PRE_TOOL_USE = "pre_tool_use"
    POST_TOOL_USE = "post_tool_use"
    POST_TOOL_FAILURE = "post_tool_failure"
    PRE_COMPACT = "pre_compact"
    SUBAGENT_START = "subagent_start"
    SUBAGENT_STOP = "subagent_stop"
    NOTIFICATION = "notification"
    TASK_COMPLETED = "task_completed"
    STOP = "stop"
    SESSION_END = "session_end"


class Channel(StrEnum):
    """Where a record came from; set once, inherited, never changed."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    IMPORT = "import"
    SHARED = "shared"


class ObservationType(StrEnum):
    """Kinds of observation, the union of the wire protocol."""

    FILE_READ = "file_read"
    FILE_WRITE = "file_write"
    FILE_EDIT = "file_edit"
    COMMAND_RUN = "command_run"
    SEARCH = "search"
    WEB_FETCH = "web_fetch"
    CONVERSATION = "conversation"
    ERROR = "error"
    DECISION = "decision"
    DISCOVERY = "discovery"
    SUBAGENT = "subagent"
    NOTIFICATION = "notification"
    TASK = "task"
    IMAGE = "image"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """One report of a hook, parsed and checked, not yet scrubbed.

    `data` is the hook's own JSON, `timestamp` is aware and in UTC. `event_id` names the event
    for ever (a retry or a second import of it stores nothing new); without one the dedup window
    is all there is. `channel_detail` says more about an imported event, such as its format.
    """

    hook_type: str
    session_id: str
    project: str
    cwd: str
    timestamp: datetime
    data: Any
    event_id: str | None = None
    agent_id: str = NO_AGENT
    channel: Channel | None = None
    channel_detail: str = ""
