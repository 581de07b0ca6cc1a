"""The identity of an event's content, by which the dedup window knows a repetition."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from memory_core.capture.tree import rewrite
from memory_core.domain.events import HookType, Json

_VOLATILE = frozenset(
    {
        "timestamp",
        "duration",
        "duration_ms",
        "durationMs",
        "call_id",
        "callID",
        "callId",
    }
    | {"tool_use_id", "toolUseId", "tool_call_id", "toolCallId"}
)
"""Keys of a hook's data that differ between two reports of one thing."""

_VOLATILE_OUTPUT = frozenset({"duration", "duration_ms", "durationMs", "durationSeconds"})
"""Keys of a tool's output that measure the run and say nothing of its result."""

_TOLD_ONCE: dict[str, frozenset[str]] = {
    HookType.PROMPT_SUBMIT: frozenset({"images"}),
    HookType.PRE_COMPACT: frozenset({"summary", "custom_instructions"}),
}
"""Keys by event that only a transcript (a prompt's pictures, a compaction's summary) or only a hook tells."""

_OUTPUT_KEYS = frozenset({"tool_output", "tool_response", "tool_result", "toolResult"})


def fingerprint(event_type: str, session_id: str, data: Any) -> str:
    """64 hex digits, equal exactly for equal events: type, session and all of the data but its volatile keys.

    The protocol's key is the tool's name and the first 500 characters of its input, so it loses a PASS behind a FAIL
    and every prompt that begins like another. Here the whole input, output and prompt count; only clocks, durations
    and call ids are left out, at the top of the data and durations of the output. `data` has been cleaned.
    """
    canonical = json.dumps([event_type, session_id, _steady(data)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def shared_fingerprint(event_type: str, session_id: str, data: Any) -> str:
    """The fingerprint of what a hook and a transcript both tell of an event, so that a report knows its import.

    `data` may come back from `jsonb`, which writes 1e3 as 1000: a number counts by its value.
    """
    if isinstance(data, dict):
        told_once = _TOLD_ONCE.get(event_type, frozenset())
        data = {key: value for key, value in data.items() if key not in told_once}
    return fingerprint(event_type, session_id, rewrite(data, _by_value, str))


def _by_value(node: Any, _key: str | None) -> Json:
    if isinstance(node, float) and node.is_integer():
        return int(node)
    kept: Json = node
    return kept


def _steady(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    return {key: _steady_output(key, value) for key, value in data.items() if key not in _VOLATILE}


def _steady_output(key: str, value: Any) -> Any:
    if key in _OUTPUT_KEYS and isinstance(value, dict):
        return {name: part for name, part in value.items() if name not in _VOLATILE_OUTPUT}
    return value
