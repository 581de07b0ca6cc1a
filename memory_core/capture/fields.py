"""Read the parts of one hook's data, whatever client sent it and however broken it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from memory_core.capture.wording import plain
from memory_core.domain.events import HookType, Json
from memory_core.domain.tunables_capture import NESTED_JSON_LIMIT

_TOOL_HOOKS = frozenset({HookType.PRE_TOOL_USE, HookType.POST_TOOL_USE, HookType.POST_TOOL_FAILURE})
_NAME_KEYS = ("tool_name", "toolName")
_INPUT_KEYS = ("tool_input", "toolInput", "toolArgs")
_OUTPUT_KEYS = (
    "tool_output",
    "tool_response",
    "tool_result",
    "toolResult",
    "error",
    "errorMessage",
)
_PROMPT_KEYS = ("prompt", "userPrompt")
_RESPONSE_KEYS = ("last_message", "last_assistant_message")
_UNTOLD = frozenset(
    {
        "call_id",
        "callID",
        "tool_use_id",
        "toolUseId",
        "tool_call_id",
        "messageID",
        "parentID",
        "subtask_id",
    }
    | {"timestamp", "duration_ms", "durationMs"}
)
"""Ids and clocks: they name nothing that anybody searches for."""

CONVERSATION_TOOL = "conversation"
"""Clients without a hook for answers report a whole turn as a tool of this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The parts of one report. `arguments` is the tool's input as an object, also when it came as JSON in a string;
    `rest` is what of the data is in no other field."""

    hook_type: str
    tool_name: str | None
    tool_input: Json
    tool_output: Json
    arguments: dict[str, Any]
    user_prompt: str | None
    assistant_response: str | None
    rest: Json

    @property
    def label(self) -> str:
        """The tool, or the hook when there is none."""
        return self.tool_name or self.hook_type


def read_fields(hook_type: str, data: Any) -> Fields:
    """The fields of any JSON value; what is missing or of another type is None, nothing raises."""
    known = data if isinstance(data, dict) else {}
    tool = hook_type in _TOOL_HOOKS
    name = _first_truthy(known, _NAME_KEYS) if tool else None
    tool_name = name if isinstance(name, str) else None
    tool_input = _first_truthy(known, _INPUT_KEYS) if tool else None
    tool_output = _first_truthy(known, _OUTPUT_KEYS) if tool else None
    prompt = _first_truthy(known, _PROMPT_KEYS) if hook_type == HookType.PROMPT_SUBMIT else None
    response = _first_truthy(known, _RESPONSE_KEYS)
    if tool_name == CONVERSATION_TOOL:
        prompt, response = prompt or tool_input, response or tool_output
    return Fields(
        hook_type=hook_type,
        tool_name=tool_name,
        tool_input=tool_input,
        tool_output=tool_output,
        arguments=_arguments(tool_input),
        user_prompt=_text(prompt),
        assistant_response=_text(response),
        rest=_rest(data, tool=tool, prompted=prompt is not None),
    )


def _first_truthy(data: dict[str, Any], keys: tuple[str, ...]) -> Any:
    """The protocol falls through empty values: an empty output gives way to an error."""
    return next((data[key] for key in keys if data.get(key)), None)


def _text(value: Any) -> str | None:
    if value is None:
        return None
    return value if isinstance(value, str) else plain(value)


def _arguments(tool_input: Any) -> dict[str, Any]:
    if isinstance(tool_input, str) and tool_input.lstrip()[:1] == "{" and len(tool_input) <= NESTED_JSON_LIMIT:
        try:
            tool_input = json.loads(tool_input)
        except (
            ValueError,
            RecursionError,
        ):  # cut off by its client, or hostile: it stays text
            return {}
    return tool_input if isinstance(tool_input, dict) else {}


def _rest(data: Any, *, tool: bool, prompted: bool) -> Any:
    if not isinstance(data, dict):
        return data
    told = _UNTOLD.union(_RESPONSE_KEYS)
    if tool:
        told = told.union(_NAME_KEYS, _INPUT_KEYS)
        told |= {_output_key(data)}
    if prompted:
        told = told.union(_PROMPT_KEYS)
    return {key: value for key, value in data.items() if key not in told}


def _output_key(data: dict[str, Any]) -> str:
    return next((key for key in _OUTPUT_KEYS if data.get(key)), _OUTPUT_KEYS[0])
