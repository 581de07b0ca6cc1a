"""Remember and forget: scrub and analyse first, then one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from memory_core import activity
from memory_core.capture import image_store
from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.ids import new_id
from memory_core.index import entries
from memory_core.knowledge import memories
from memory_core.models import Image, Memory, Observation, Session
from memory_core.sql.capture import LOCK_IMAGE, RELEASE_IMAGES

from . import scrubbing
from .texts import memory_text


def remember(new: memories.NewMemory, *, now: datetime) -> memories.Saved:
    """Store a memory; searchable by its words when this returns, by its meaning a moment later."""
    scrubbed = replace(
        new,
        content=scrubbing.text(new.content),
        title=scrubbing.text(new.title),
        concepts=scrubbing.texts(new.concepts),
        files=scrubbing.texts(new.files),
        source_observation_ids=scrubbing.texts(new.source_observation_ids),
        agent=new.agent or settings.EVERLORE["AGENT_ID"],
        metadata=scrubbing.value(new.metadata),
    )
    isolated = settings.EVERLORE["EVERLORE_AGENT_SCOPE"] == "isolated"
    return memories.save(scrubbed, pieces=entries.analyse(memory_text(scrubbed)), same_agent=isolated, now=now)


def revise(memory_id: str, revision: memories.Revision, *, now: datetime, user: str = "") -> Memory:
    """Give a memory new words, as the next version of its chain; `user` says in the audit who did it.

    A title that was made from the old content is made anew from the new. Raises NotFound, and InvalidInput for an
    older version or an empty content.
    """
    if not revision.content.strip():
        raise InvalidInput("content is required")
    old = Memory.objects.filter(pk=memory_id).first()
    if old is None:
        raise NotFound("memory not found")
    follows = revision.title == memories.title_of(old.content)
    scrubbed = replace(
        revision,
        content=scrubbing.text(revision.content),
        title="" if follows else scrubbing.text(revision.title),
        concepts=scrubbing.texts(revision.concepts),
        files=scrubbing.texts(revision.files),
    )
    return memories.revise(memory_id, scrubbed, pieces=entries.analyse(memory_text(scrubbed)), user=user, now=now)


def forget_memory(memory_id: str, *, now: datetime, why: str = "", user: str = "") -> int:
    """Forget a memory with its older versions; gives how many rows. `user` says in the audit who did it."""
    return memories.forget(memory_id, now=now, why=scrubbing.text(why), user=user)


def forget_observations(session_id: str, ids: Sequence[str], *, now: datetime, user: str = "") -> int:
    """Forget observations of a session; ids that are not this session's are left alone. Gives how many rows."""
    with transaction.atomic():
        Session.objects.select_for_update().filter(pk=session_id).first()  # nothing is added while the rest is counted
        found = Observation.objects.select_for_update().filter(session_id=session_id, pk__in=list(ids))
        return _delete_observations(found.order_by("pk"), session_id, now, user)


def forget_session(session_id: str, *, now: datetime, user: str = "") -> int:
    """Forget a session with all its observations; gives their number and two more, as the protocol counts
    the session and its summary. Unknown: 0."""
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        if session is None:
            return 0
        found = Observation.objects.filter(session=session).order_by("pk")
        deleted = _delete_observations(found, session_id, now, user)
        session.delete()
    return deleted + 2


def _delete_observations(found: QuerySet[Observation], session_id: str, now: datetime, user: str) -> int:
    rows = list(found.values_list("pk", "images"))
    ids = [pk for pk, _ in rows]
    if not ids:
        return 0
    entries.remove(ids)
    Observation.objects.filter(pk__in=ids).delete()
    Session.objects.filter(pk=session_id).update(
        observation_count=Observation.objects.filter(session_id=session_id).count()
    )
    names = [name for _, images in rows for name in images]
    if names:
        RELEASE_IMAGES.run({"names": names})
        transaction.on_commit(lambda: remove_unused_images(names), robust=True)
    activity.record("observations_forgotten", session=session_id, data={"count": len(ids)})
    activity.audit(
        new_id("aud", now),
        now=now,
        operation="forget",
        function="mem::forget",
        targets=ids[:1000],
        user=user,
        details={"sessionId": session_id, "observations": len(ids)},
    )
    return len(ids)


def remove_unused_images(names: Iterable[str]) -> int:
    """Delete images that no record uses, row and file, each in its own transaction; gives how many."""
    removed = 0
    for name in sorted(set(names)):
        with transaction.atomic():
            LOCK_IMAGE.rows({"name": name})
            if Image.objects.filter(pk=name, reference_count=0).delete()[0]:
                image_store.delete(Path(settings.IMAGES_DIR), [name])
                removed += 1
    return removed


def remove_orphan_file(name: str) -> int:
    """Delete a file of the image store that has no row; gives 1 when it did. Call it for files that are no longer new."""
    with transaction.atomic():
        LOCK_IMAGE.rows({"name": name})
        if Image.objects.filter(pk=name).exists():
            return 0
        return image_store.delete(Path(settings.IMAGES_DIR), [name])
