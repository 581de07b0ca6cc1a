"""How much an observation matters, 1..10, by rules that can be read in one minute."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_core.capture.fields import Fields
from memory_core.domain.events import HookType, ObservationType
from memory_core.domain.tunables_capture import (
    ACKNOWLEDGEMENT_LENGTH,
    IMPORTANCE,
    IMPORTANCE_ACKNOWLEDGEMENT,
    IMPORTANCE_COMMIT,
    IMPORTANCE_STANDING_WISH,
    IMPORTANCE_TELEMETRY,
    IMPORTANCE_TROUBLE,
)

_TELEMETRY = frozenset(
    {
        HookType.SESSION_START,
        HookType.PRE_TOOL_USE,
        HookType.PRE_COMPACT,
        HookType.STOP,
        HookType.SESSION_END,
    }
    | {
        "session_status",
        "session_compacted",
        "session_updated",
        "message_removed",
        "step_finish",
        "compaction_event",
    }
    | {
        "agent_selected",
        "retry_attempt",
        "permission_replied",
        "llm_params",
        "config_loaded",
    }
)
_STANDING_WISH = re.compile(
    r"\b(?:always|never|from now on|remember (?:that|this|to)|we (?:decided|agreed|chose)|i (?:prefer|decided)|"
    r"prefer to|instead of|by convention|must not|make sure)\b"
    r"|记住|总是|永远|以后|必须|不要|覚えて|必ず|今後|항상|절대|앞으로",
    re.IGNORECASE,
)
_COMMIT = re.compile(
    r"\bgit[ \t](?:-[cC][ \t]\S{1,200}[ \t]|-\S{1,64}[ \t]){0,4}(?:commit|merge|revert|reset|tag|push|rebase)\b(?!-)"
)


def importance(kind: ObservationType, fields: Fields, errors: Sequence[str]) -> int:
    """The kind's weight, moved by what was said: a lasting wish up, an acknowledgement down, trouble up."""
    base = IMPORTANCE[kind]
    if fields.hook_type == HookType.STOP and fields.assistant_response:
        return base  # what the agent says at the end of a turn: what it did, found and decided
    if fields.hook_type in _TELEMETRY:
        return IMPORTANCE_TELEMETRY
    if fields.hook_type == HookType.PROMPT_SUBMIT:
        return _of_prompt(fields.user_prompt or "", base)
    if kind == ObservationType.COMMAND_RUN:
        command = fields.arguments.get("command")
        if isinstance(command, str) and _COMMIT.search(command):
            return IMPORTANCE_COMMIT
        return IMPORTANCE_TROUBLE if errors else base
    return base


def _of_prompt(prompt: str, base: int) -> int:
    if _STANDING_WISH.search(prompt):
        return IMPORTANCE_STANDING_WISH
    said = prompt.strip()
    if said.isascii() and len(said) <= ACKNOWLEDGEMENT_LENGTH and len(said.split()) <= 3:
        return IMPORTANCE_ACKNOWLEDGEMENT
    return base
