"""The live feed: one row for each thing that happened, written in the caller's transaction."""

from __future__ import annotations

from typing import Any

from memory_core.models import ActivityEvent, AuditEntry


def record(
    kind: str, *, project: str = "", agent: str = "", session: str = "", object_id: str = "", data: Any = None
) -> None:
    """Append one event to the feed."""
    ActivityEvent.objects.create(
        kind=kind, project_slug=project, agent_id=agent, session_id=session, object_id=object_id, data=data or {}
    )


def audit(
    entry_id: str, *, now: Any, operation: str, function: str, targets: list[str], user: str = "", details: Any = None
) -> None:
    """Write who changed what; part of the change's own transaction."""
    AuditEntry.objects.create(
        id=entry_id,
        timestamp=now,
        operation=operation,
        function_id=function,
        user_id=user,
        target_ids=targets,
        details=details or {},
    )
