"""An observation's origin is set from the event and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memory_core.capture.origin import observation_origin
from memory_core.domain.events import Channel, HookEvent


def event(hook_type: str, data: Any = None, channel: Channel | None = None, detail: str = "") -> HookEvent:
    return HookEvent(
        hook_type=hook_type,
        session_id="s",
        project="p",
        cwd="/p",
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
        data=data,
        channel=channel,
        channel_detail=detail,
    )


@pytest.mark.parametrize(
    ("reported", "expected"),
    [
        pytest.param(event("prompt_submit", {"prompt": "x"}), (Channel.USER, ""), id="a prompt is the user's"),
        pytest.param(
            event("pre_tool_use", {"tool_name": "Bash"}), (Channel.TOOL, ""), id="before a tool there is no detail"
        ),
        pytest.param(event("post_tool_use", {"tool_name": "Bash"}), (Channel.TOOL, "Bash"), id="a tool"),
        pytest.param(event("post_tool_failure", {"tool_name": "Bash"}), (Channel.TOOL, "Bash"), id="a failed tool"),
        pytest.param(event("post_tool_use", ["odd"]), (Channel.TOOL, ""), id="a tool without a name"),
        pytest.param(event("subagent_stop", {}), (Channel.AGENT, ""), id="everything else is the agent's"),
        pytest.param(event("session_diff", {}), (Channel.AGENT, ""), id="extra hooks too"),
        pytest.param(
            event("post_tool_use", {"tool_name": "Bash"}, Channel.IMPORT, "jsonl"),
            (Channel.IMPORT, "jsonl"),
            id="an import stays one",
        ),
    ],
)
def test_the_origin_follows_the_hook(reported: HookEvent, expected: tuple[Channel, str]) -> None:
    assert observation_origin(reported) == expected
