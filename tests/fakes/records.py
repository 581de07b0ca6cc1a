"""Rows as the database takes them; a test names only what it is about."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pgvector import SparseVector

from memory_core.models import (
    AccessLog,
    EmbeddingBacklog,
    EmbeddingSpace,
    GraphEdge,
    GraphNode,
    Image,
    Memory,
    Observation,
    Project,
    RecallLog,
    SearchEntry,
    Session,
    StreamWeights,
    SynonymGroupUse,
)
from memory_core.models.search import SPARSE_DIMENSIONS

MOMENT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def project(slug: str = "orchard") -> Project:
    """The project, made when there is none."""
    return Project.objects.get_or_create(slug=slug)[0]


def session(id: str = "s1", **changes: Any) -> Session:
    """A session of `project`."""
    values = {"project": project(), "started_at": MOMENT, "updated_at": MOMENT} | changes
    return Session.objects.create(id=id, **values)


def observation(id: str = "obs_1", **changes: Any) -> Observation:
    """An observation of the session `s1` unless the changes name another."""
    own = changes.pop("session", None) or Session.objects.filter(pk="s1").first() or session()
    values: dict[str, Any] = {
        "session": own,
        "project": own.project,
        "hook_type": "post_tool_use",
        "timestamp": MOMENT,
        "created_at": MOMENT,
        "channel": "tool",
        "raw": {},
        "type": "command_run",
        "title": "ls",
        "importance": 5,
        "confidence": 0.3,
    }
    return Observation.objects.create(id=id, **(values | changes))


def memory(id: str = "mem_1", **changes: Any) -> Memory:
    """The first version of a chain of its own."""
    values: dict[str, Any] = {
        "chain": id,
        "project": project(),
        "title": "a title",
        "content": "some content",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }
    return Memory.objects.create(id=id, **(values | changes))


def entry(object_id: str = "obs_1", **changes: Any) -> SearchEntry:
    """A search entry without a word."""
    values: dict[str, Any] = {
        "kind": "observation",
        "piece": 0,
        "project": project(),
        "occurred_at": MOMENT,
        "term_count": 0,
        "terms": "",
        "weights": SparseVector({}, SPARSE_DIMENSIONS),
        "average_length": 60.0,
    }
    return SearchEntry.objects.create(object_id=object_id, **(values | changes))


def space(**changes: Any) -> EmbeddingSpace:
    """An embedding space that is not read."""
    return EmbeddingSpace.objects.create(**({"provider": "fake", "model": "one", "dimensions": 4} | changes))


def image(name: str = "a.png", **changes: Any) -> Image:
    """An image that one record uses."""
    return Image.objects.create(name=name, **({"size": 10, "reference_count": 1} | changes))


def node(key: str = "quince", **changes: Any) -> GraphNode:
    """A thing that one record names."""
    values: dict[str, Any] = {"project": project(), "type": "concept", "name": key, "records": 1}
    return GraphNode.objects.create(key=key, **(values | changes))


def edge(**changes: Any) -> GraphEdge:
    """A belief about two nodes, held since MOMENT, of what is always so."""
    own = changes.get("source") or node(f"source {GraphNode.objects.count()}")
    values: dict[str, Any] = {
        "project": own.project,
        "source": own,
        "target": changes.get("target") or node(f"target {GraphNode.objects.count()}"),
        "type": "related_to",
        "weight": 0.4,
        "records": 1,
        "valid_during": (None, None),
        "recorded_during": (MOMENT, None),
    }
    return GraphEdge.objects.create(**(values | changes))


def waiting(own: SearchEntry, **changes: Any) -> EmbeddingBacklog:
    """An entry's place in the embedding backlog."""
    return EmbeddingBacklog.objects.create(entry=own, **({"not_before": MOMENT} | changes))


def access(object_id: str = "obs_1", **changes: Any) -> AccessLog:
    """How often a record was read."""
    return AccessLog.objects.create(object_id=object_id, **({"last_at": MOMENT} | changes))


def group_use(group: str = "k8s kubernetes", **changes: Any) -> SynonymGroupUse:
    """The counters of a group of synonyms, which was never needed."""
    return SynonymGroupUse.objects.create(group=group, **({"asked": 1, "hits": 0, "last_used_at": MOMENT} | changes))


def weights(**changes: Any) -> StreamWeights:
    """Weights of the project that won, and are not in use."""
    values: dict[str, Any] = {
        "project": project(),
        "fitted_at": MOMENT,
        "outcome": "won",
        "questions": 8,
        "held_out": 3,
    }
    return StreamWeights.objects.create(**(values | changes))


def asked(**changes: Any) -> RecallLog:
    """An answered question that gave one record."""
    values: dict[str, Any] = {"project": project(), "asked_at": MOMENT, "digest": b"0" * 16, "shown": ["obs_1"]}
    return RecallLog.objects.create(**(values | changes))
