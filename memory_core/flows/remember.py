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
from memory_core.domain.ids import new_id
from memory_core.index import entries
from memory_core.knowledge import memories
from memory_core.models import Image, Observation, Session
from memory_core.sql.capture import LOCK_IMAGE, RELEASE_IMAGES

from . import scrubbing


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
    text = "\n".join([scrubbed.content, *scrubbed.concepts, *scrubbed.files, scrubbed.type])
    isolated = settings.EVERLORE["EVERLORE_AGENT_SCOPE"] == "isolated"
    return memories.save(scrubbed, pieces=entries.analyse(text), same_agent=isolated, now=now)


def forget_memory(memory_id: str, *, now: datetime, why: str = "") -> int:
    """Forget a memory with its older versions; gives how many rows."""
    return memories.forget(memory_id, now=now, why=scrubbing.text(why))


def forget_observations(session_id: str, ids: Sequence[str], *, now: datetime) -> int:
    """Forget observations of a session; ids that are not this session's are left alone. Gives how many rows."""
    with transaction.atomic():
        found = Observation.objects.select_for_update().filter(session_id=session_id, pk__in=list(ids))
        return _delete_observations(found.order_by("pk"), session_id, now)


def forget_session(session_id: str, *, now: datetime) -> int:
    """Forget a session with all its observations; gives their number and two more, as the protocol counts
    the session and its summary. Unknown: 0."""
    with transaction.atomic():
        session = Session.objects.select_for_update().filter(pk=session_id).first()
        if session is None:
            return 0
        deleted = _delete_observations(Observation.objects.filter(session=session).order_by("pk"), session_id, now)
        session.delete()
    return deleted + 2


def _delete_observations(found: QuerySet[Observation], session_id: str, now: datetime) -> int:
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
