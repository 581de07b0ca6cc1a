"""A set's document as the hook event that an agent would have reported it by."""

from __future__ import annotations

from typing import Any

from memory_core.domain.events import Channel, HookEvent, HookType

from .sets import Document

NOTE = HookType.NOTIFICATION
"""Hook of texts that nobody said and no tool gave: passages, summaries, notes."""


def project_of(set_name: str, project: str) -> str:
    """The project that a set's project becomes: sets do not see each other."""
    return f"{set_name}:{project}"


def event_id(set_name: str, doc_id: str) -> str:
    """The id by which a document is stored once and found again."""
    return f"{set_name}:{doc_id}"


def report(document: Document) -> tuple[HookType, dict[str, Any]]:
    """Hook and payload of a document, by who said it."""
    match document.role:
        case "user":
            return HookType.PROMPT_SUBMIT, {"prompt": document.text}
        case "assistant":
            return HookType.STOP, {"last_assistant_message": document.text}
        case "tool":
            return HookType.POST_TOOL_USE, {"tool_name": document.tool_name or "tool", "tool_output": document.text}
        case _:
            return NOTE, {"message": document.text}


def event(set_name: str, document: Document) -> HookEvent:
    """The whole event; the text is all a document gives away, its id and gold labels stay outside."""
    hook, data = report(document)
    return HookEvent(
        hook_type=hook,
        session_id=f"{project_of(set_name, document.project)}:{document.session_id}",
        project=project_of(set_name, document.project),
        cwd=f"/benchmark/{set_name}",
        timestamp=document.timestamp,
        data=data,
        event_id=event_id(set_name, document.doc_id),
        channel=Channel.IMPORT,
        channel_detail="benchmark",
    )
