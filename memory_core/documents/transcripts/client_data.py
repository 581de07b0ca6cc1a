"""The `data` of a hook report, as the hook client makes it from what the host says.

An imported event carries the same data as the same event reported live, because the client itself makes both: its
handlers are pure, need only the standard library, and know the limits, the pictures and the memory's own tools.
"""

from __future__ import annotations

from typing import Any

from agents.hook import HANDLERS, OBSERVE, Call, from_json, to_json
from memory_core.documents.transcripts.moments import Moment
from memory_core.domain.events import Channel, HookEvent

IMPORT_ONLY = ("images", "summary")
"""What only a transcript knows: the pictures of a prompt, and the text a compaction left."""


def hook_event(moment: Moment) -> HookEvent | None:
    """The event that the hook client would have reported for `moment`, or None where it reports nothing.

    It reports nothing for the memory's own tools: what was recalled must not come back as new.
    """
    data = hook_data(moment)
    if data is None:
        return None
    return HookEvent(
        hook_type=moment.hook_type,
        session_id=moment.session_id,
        project=moment.project,
        cwd=moment.cwd,
        timestamp=moment.timestamp,
        data=data,
        event_id=moment.event_id,
        channel=Channel.IMPORT,
        channel_detail=moment.agent,
    )


def hook_data(moment: Moment) -> dict[str, Any] | None:
    """The client's `data` for one moment, with what only a transcript knows added under its own names.

    It goes through the client's JSON, which has no lone surrogates and no infinities. Raises RecursionError for data
    nested too deeply.
    """
    payload = {**moment.payload, "session_id": moment.session_id, "cwd": moment.cwd}
    call = Call(moment.hook_type, payload, {"EVERLORE_PROJECT": moment.project})
    reported = [request.body["data"] for request in HANDLERS[moment.hook_type](call) if request.path == OBSERVE]
    extra = {key: moment.payload[key] for key in IMPORT_ONLY if key in moment.payload}
    if not reported:
        return None
    data: dict[str, Any] = from_json(to_json({**reported[0], **extra}))
    return data
