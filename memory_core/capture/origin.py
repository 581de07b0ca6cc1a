"""Where an observation came from; set once and inherited by everything derived from it."""

from __future__ import annotations

from memory_core.capture.fields import read_fields
from memory_core.domain.events import Channel, HookEvent, HookType

_TOOL_HOOKS = frozenset({HookType.PRE_TOOL_USE, HookType.POST_TOOL_USE, HookType.POST_TOOL_FAILURE})
_DETAIL_HOOKS = frozenset({HookType.POST_TOOL_USE, HookType.POST_TOOL_FAILURE})


def observation_origin(event: HookEvent) -> tuple[Channel, str]:
    """Channel and detail (a tool's name, or '') of an event; a channel that the event brings along is kept.

    A prompt is the user's, a tool report is the tool's, everything else is the agent's (types.md section 1). A `tool`
    channel is the least trusted: what a tool read may have been written by anybody.
    """
    if event.channel is not None:
        return event.channel, event.channel_detail
    if event.hook_type == HookType.PROMPT_SUBMIT:
        return Channel.USER, event.channel_detail
    if event.hook_type not in _TOOL_HOOKS:
        return Channel.AGENT, event.channel_detail
    if event.hook_type in _DETAIL_HOOKS and not event.channel_detail:
        return Channel.TOOL, read_fields(event.hook_type, event.data).tool_name or ""
    return Channel.TOOL, event.channel_detail
