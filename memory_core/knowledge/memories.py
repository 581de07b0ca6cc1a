"""Memories: saved, superseded, forgotten. Text comes scrubbed and analysed; these functions only write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from memory_core import activity
from memory_core.domain import tunables_memory as tunables
from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.events import NO_AGENT, Channel
from memory_core.domain.ids import new_id
from memory_core.domain.scope import Scope
from memory_core.index import entries
from memory_core.models import Memory
from memory_core.retrieve import search
from memory_core.sql.capture import ENTER_PROJECT, LOCK_PROJECT
from memory_core.text.similarity import jaccard

_LOCK_CLASS = 0x4556  # the advisory locks of memories, so that no other lock of the database meets them


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """What somebody wants to be remembered; `content` is scrubbed."""

    content: str
    project: str
    agent: str = NO_AGENT
    type: str = Memory.Type.FACT
    title: str = ""
    concepts: Sequence[str] = ()
    files: Sequence[str] = ()
    session_ids: Sequence[str] = ()
    source_observation_ids: Sequence[str] = ()
    ttl_days: float | None = None
    channel: Channel = Channel.AGENT
    channel_detail: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that says much the same: `similarity` is the Jaccard index of their words, 0 to 1."""

    id: str
    title: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Saved:
    """The memory as stored; `similar` is the nearest other one, where it is near."""

    memory: Memory
    similar: Near | None


def title_of(content: str) -> str:
    """The first TITLE_LENGTH UTF-16 code units of the content; a character is never cut in two.

    >>> title_of("a" * 100) == "a" * 80
    True
    """
    units = content.encode("utf-16-le")[: 2 * tunables.TITLE_LENGTH]
    return units.decode("utf-16-le", "ignore")


def _expiry(ttl_days: float | None, now: datetime) -> datetime | None:
    if ttl_days is None or ttl_days <= 0:
        return None
    if ttl_days > tunables.MOST_TTL_DAYS:
        raise InvalidInput(f"ttlDays must be at most {tunables.MOST_TTL_DAYS}")
    return now + timedelta(days=ttl_days)


def _nearest(new: NewMemory, terms: Sequence[str], same_agent: bool) -> tuple[Memory, float] | None:
    """The latest memory of the same project that shares the most words, with the share."""
    request = search.Request(
        scope=Scope((new.project,), new.agent if same_agent else None),
        limit=tunables.SUPERSEDE_CANDIDATES,
        weights={"lexical": 1.0},
        kinds=("memory",),
    )
    ids = [hit.object_id for hit in search.search(terms, None, request)][: tunables.SUPERSEDE_CANDIDATES]
    best: tuple[Memory, float] | None = None
    for memory in Memory.objects.filter(pk__in=ids, is_latest=True).order_by("created_at", "pk"):
        share = jaccard(new.content, memory.content)
        if best is None or share > best[1]:
            best = (memory, share)
    return best


def save(new: NewMemory, *, pieces: Sequence[entries.Piece], same_agent: bool, now: datetime) -> Saved:
    """Store a memory; one that says nearly the same in this project becomes its older version and leaves the index.

    One writer a project at a time, so that two equal memories saved at once make one chain of two versions.
    """
    forget_after = _expiry(new.ttl_days, now)
    with transaction.atomic():
        ENTER_PROJECT.run({"project": new.project, "cwd": "", "now": now, "most_roots": tunables.MOST_ROOTS})
        LOCK_PROJECT.rows({"classid": _LOCK_CLASS, "project": new.project})
        near = _nearest(new, [term for piece in pieces for term in piece.counts], same_agent)
        old = near[0] if near and near[1] > tunables.SUPERSEDE_ABOVE else None
        memory = _insert(new, old, forget_after, now)
        entries.add(_searchable(memory, pieces), now=now)
        _record(memory, old, now)
    similar = None
    if near and old is None and near[1] > tunables.SIMILAR_ABOVE:
        similar = Near(near[0].pk, near[0].title, round(near[1], 2))
    return Saved(memory, similar)


def _insert(new: NewMemory, old: Memory | None, forget_after: datetime | None, now: datetime) -> Memory:
    memory_id = new_id("mem", now)
    if old is not None:
        Memory.objects.filter(pk=old.pk).update(is_latest=False, updated_at=now)
        entries.remove([old.pk])
    return Memory.objects.create(
        id=memory_id,
        chain=old.chain if old else memory_id,
        version=old.version + 1 if old else 1,
        parent=old,
        supersedes=[old.pk] if old else [],
        project_id=new.project,
        agent_id=new.agent,
        type=new.type,
        title=new.title or title_of(new.content),
        content=new.content,
        concepts=list(new.concepts),
        files=list(new.files),
        session_ids=list(new.session_ids),
        source_observation_ids=list(new.source_observation_ids),
        strength=tunables.DEFAULT_STRENGTH,
        forget_after=forget_after,
        channel=new.channel,
        channel_detail=new.channel_detail,
        metadata=new.metadata,
        created_at=now,
        updated_at=now,
    )


def _searchable(memory: Memory, pieces: Sequence[entries.Piece]) -> entries.Searchable:
    return entries.Searchable(
        kind="memory",
        object_id=memory.pk,
        project=memory.project_id,
        agent=memory.agent_id,
        session=memory.session_ids[0] if memory.session_ids else "",
        occurred_at=memory.created_at,
        pieces=pieces,
    )


def _record(memory: Memory, old: Memory | None, now: datetime) -> None:
    activity.record(
        "memory_saved",
        project=memory.project_id,
        agent=memory.agent_id,
        object_id=memory.pk,
        data={"title": memory.title},
    )
    activity.audit(
        new_id("aud", now),
        now=now,
        operation="remember",
        function="mem::remember",
        targets=[memory.pk, *([old.pk] if old else [])],
        user=memory.agent_id,
        details={"version": memory.version, "supersedes": memory.supersedes},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """What a memory shall say from now on, whole; `content` is scrubbed. An empty title is made from the content."""

    content: str
    title: str
    type: str
    concepts: Sequence[str]
    files: Sequence[str]
    forget_after: datetime | None

    @classmethod
    def of(cls, memory: Memory) -> Revision:
        """What the memory says now, to change parts of it with `dataclasses.replace`."""
        return cls(
            content=memory.content,
            title=memory.title,
            type=memory.type,
            concepts=memory.concepts,
            files=memory.files,
            forget_after=memory.forget_after,
        )


_CARRIED = (
    "chain",
    "project_id",
    "agent_id",
    "session_ids",
    "source_observation_ids",
    "related_ids",
    "strength",
    "images",
    "channel",
    "channel_detail",
    "metadata",
)
"""What a revision takes over unchanged; where a memory came from stays, whoever words it anew."""


def revise(memory_id: str, revision: Revision, *, pieces: Sequence[entries.Piece], user: str, now: datetime) -> Memory:
    """Store what a memory shall say from now on as the next version of its chain; the old one leaves the index.

    Raises NotFound for an unknown id, and InvalidInput for a version that is not the latest: whoever revises it has
    not seen what the memory says now.
    """
    with transaction.atomic():
        _lock_project_of(memory_id)
        old = Memory.objects.select_for_update().filter(pk=memory_id).first()
        if old is None:
            raise NotFound("memory not found")
        if not old.is_latest:
            raise InvalidInput("this memory has a newer version: read that one, then change it")
        Memory.objects.filter(pk=old.pk).update(is_latest=False, updated_at=now)
        entries.remove([old.pk])
        memory = Memory.objects.create(
            id=new_id("mem", now),
            version=old.version + 1,
            parent=old,
            supersedes=[old.pk],
            type=revision.type,
            title=revision.title or title_of(revision.content),
            content=revision.content,
            concepts=list(revision.concepts),
            files=list(revision.files),
            forget_after=revision.forget_after,
            created_at=now,
            updated_at=now,
            **{name: getattr(old, name) for name in _CARRIED},
        )
        entries.add(_searchable(memory, pieces), now=now)
        _record_revision(memory, old, user, now)
    return memory


def _lock_project_of(memory_id: str) -> None:
    """Be the one writer of the memory's project, as `save` is: nobody supersedes what is being changed or forgotten."""
    project = Memory.objects.filter(pk=memory_id).values_list("project_id", flat=True).first()
    if project is not None:
        LOCK_PROJECT.rows({"classid": _LOCK_CLASS, "project": project})


def _record_revision(memory: Memory, old: Memory, user: str, now: datetime) -> None:
    activity.record(
        "memory_revised",
        project=memory.project_id,
        agent=memory.agent_id,
        object_id=memory.pk,
        data={"title": memory.title},
    )
    activity.audit(
        new_id("aud", now),
        now=now,
        operation="evolve",
        function="mem::evolve",
        targets=[memory.pk, old.pk],
        user=user,
        details={"version": memory.version, "supersedes": memory.supersedes},
    )


def forget(memory_id: str, *, now: datetime, why: str, user: str = "") -> int:
    """Delete a memory and the older versions it replaced; gives how many rows. Unknown: 0.

    A forgotten memory's past goes with it: whoever asks to forget does not want the previous wording kept.
    """
    with transaction.atomic():
        _lock_project_of(memory_id)
        memory = Memory.objects.select_for_update().filter(pk=memory_id).first()
        if memory is None:
            return 0
        older = Memory.objects.select_for_update().filter(chain=memory.chain, version__lte=memory.version)
        ids = list(older.order_by("-version").values_list("pk", flat=True))
        Memory.objects.filter(chain=memory.chain, version=memory.version + 1).update(parent=None)
        entries.remove(ids)
        for one in ids:
            Memory.objects.filter(pk=one).delete()
        activity.record("memory_forgotten", project=memory.project_id, agent=memory.agent_id, object_id=memory_id)
        activity.audit(
            new_id("aud", now),
            now=now,
            operation="forget",
            function="mem::forget",
            targets=ids,
            user=user,
            details={"why": why},
        )
    return len(ids)
