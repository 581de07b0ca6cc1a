"""Records as the protocol's JSON; keys that have nothing to say are absent, never null."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from memory_core.models import Memory, Observation, Session


def timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds.

    >>> timestamp(datetime(2026, 1, 31, 12, tzinfo=UTC))
    '2026-01-31T12:00:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _origin(record: Observation | Memory, captured: datetime) -> dict[str, Any]:
    origin = {"channel": record.channel, "capturedAt": timestamp(captured)}
    if record.channel_detail:
        origin["detail"] = record.channel_detail
    return origin


def observation(record: Observation, *, raw: bool = False) -> dict[str, Any]:
    """A compressed observation; `raw` adds the payload it came from."""
    row: dict[str, Any] = {
        "id": record.id,
        "sessionId": record.session_id,
        "timestamp": timestamp(record.timestamp),
        "type": record.type,
        "title": record.title,
        "facts": record.facts,
        "narrative": record.narrative,
        "concepts": record.concepts,
        "files": record.files,
        "importance": record.importance,
        "confidence": record.confidence,
        "modality": record.modality,
        "origin": _origin(record, record.timestamp),
        "hookType": record.hook_type,
        "project": record.project_id,
    }
    if record.subtitle:
        row["subtitle"] = record.subtitle
    if record.tool_name:
        row["toolName"] = record.tool_name
    if record.agent_id:
        row["agentId"] = record.agent_id
    if record.images:
        row["imageData"] = record.images[0]
        row["images"] = record.images
    if raw:
        row["raw"] = record.raw
    return row


def memory(record: Memory) -> dict[str, Any]:
    """A memory, one version of it."""
    row: dict[str, Any] = {
        "id": record.id,
        "createdAt": timestamp(record.created_at),
        "updatedAt": timestamp(record.updated_at),
        "type": record.type,
        "title": record.title,
        "content": record.content,
        "concepts": record.concepts,
        "files": record.files,
        "sessionIds": record.session_ids,
        "strength": int(record.strength) if float(record.strength).is_integer() else record.strength,
        "version": record.version,
        "supersedes": record.supersedes,
        "sourceObservationIds": record.source_observation_ids,
        "isLatest": record.is_latest,
        "origin": _origin(record, record.created_at),
    }
    if record.parent_id:
        row["parentId"] = record.parent_id
    if record.related_ids:
        row["relatedIds"] = record.related_ids
    if record.forget_after:
        row["forgetAfter"] = timestamp(record.forget_after)
    if record.project_id:
        row["project"] = record.project_id
    if record.agent_id:
        row["agentId"] = record.agent_id
    if record.images:
        row["imageRef"] = record.images[0]
    if record.metadata:
        row["metadata"] = record.metadata
    return row


def memory_as_observation(record: Memory) -> dict[str, Any]:
    """A memory in the shape of an observation, as searches give it back."""
    row: dict[str, Any] = {
        "id": record.id,
        "sessionId": record.session_ids[0] if record.session_ids else "memory",
        "timestamp": timestamp(record.created_at),
        "type": "decision",
        "title": record.title,
        "facts": [record.content],
        "narrative": record.content,
        "concepts": record.concepts,
        "files": record.files,
        "importance": max(1, min(10, round(record.strength))),
        "memoryType": record.type,
        "version": record.version,
        "origin": _origin(record, record.created_at),
    }
    if record.agent_id:
        row["agentId"] = record.agent_id
    if record.project_id:
        row["project"] = record.project_id
    return row


def session(record: Session) -> dict[str, Any]:
    """A session as clients list it."""
    row: dict[str, Any] = {
        "id": record.id,
        "project": record.project_id,
        "cwd": record.cwd,
        "startedAt": timestamp(record.started_at),
        "updatedAt": timestamp(record.updated_at),
        "status": record.status,
        "observationCount": record.observation_count,
    }
    if record.ended_at:
        row["endedAt"] = timestamp(record.ended_at)
    optional = {
        "model": record.model,
        "tags": record.tags,
        "firstPrompt": record.first_prompt,
        "summary": record.title,
        "commitShas": record.commit_shas,
        "agentId": record.agent_id,
        "refusedCount": record.refused_count,
    }
    row.update({name: value for name, value in optional.items() if value})
    return row
