"""One hook event to one observation: prepare without the database, then write all of it in one transaction."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from memory_core.capture import image_store
from memory_core.capture.compress import Compressed, compress
from memory_core.capture.fingerprint import fingerprint, shared_fingerprint
from memory_core.capture.images import LiftedImage, lift_images
from memory_core.capture.origin import observation_origin
from memory_core.domain import tunables_memory as tunables
from memory_core.domain.events import Channel, HookEvent
from memory_core.domain.ids import new_id
from memory_core.domain.tunables_transcripts import IMPORT_TAG
from memory_core.index import entries
from memory_core.models import Observation
from memory_core.sql import capture as sql

from . import scrubbing

logger = logging.getLogger("everlore.capture")

IMAGE_LEFT_OUT = "[image left out: the image store is full]"
"""What stands in a payload for an image that was not stored."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The event is durable and searchable by its words."""

    observation_id: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The session stored this event before; `observation_id` when the event's own id says which it was."""

    session_id: str
    observation_id: str = ""


@dataclass(frozen=True, slots=True)
class Full:
    """The session has as many observations as it may; the event is counted as refused."""

    limit: int


Outcome = Stored | Duplicate | Full


class _Seen(Exception):  # (an answer that has to undo the transaction, not an error)
    """The dedup window holds this event."""


class _SessionFull(Exception):
    """The session is at its cap."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event, ready to be written: scrubbed, compressed, analysed, its images lifted out."""

    event: HookEvent
    data: Any
    digest: bytes
    compressed: Compressed
    pieces: list[entries.Piece]
    images: list[LiftedImage] = field(default_factory=list)


def prepare(event: HookEvent) -> Prepared:
    """Everything that needs no database."""
    lifted = lift_images(event.data)
    data = scrubbing.value(lifted.value)
    compressed = compress(event.hook_type, data)
    return Prepared(
        event=event,
        data=data,
        digest=bytes.fromhex(fingerprint(event.hook_type, event.session_id, data)),
        compressed=compressed,
        pieces=entries.analyse(compressed.search_text),
        images=list(lifted.images),
    )


def observe(event: HookEvent, *, now: datetime) -> Outcome:
    """Store one event: durable when this returns, or nothing of it is stored."""
    return known(event) or store(prepare(event), now=now)


def known(event: HookEvent) -> Duplicate | None:
    """Whether an event of this id is stored; None too for an event without an id."""
    stored = _by_event(event.event_id) if event.event_id else ""
    return Duplicate(event.session_id, stored) if stored else None


def store(prepared: Prepared, *, now: datetime) -> Outcome:
    """Write what is prepared, all of it in one transaction."""
    event = prepared.event
    try:
        with transaction.atomic():
            return Stored(_write(prepared, now))
    except _Seen:
        return Duplicate(event.session_id)
    except _SessionFull:
        return _refuse(event)
    except IntegrityError:
        if twin := known(event):  # two deliveries of one event at once
            return twin
        raise


def _by_event(event_id: str) -> str:
    return Observation.objects.filter(event_id=event_id).values_list("pk", flat=True).first() or ""


def _hold_images(images: list[LiftedImage], now: datetime) -> list[str]:
    """Write images to disk and count their use, as far as the store's limit goes; the names of those that are there.

    The lock by name keeps a delete of the same image from taking the file away between the two.
    """
    if not images:
        return []
    room = settings.EVERLORE["EVERLORE_IMAGE_STORE_MAX_BYTES"] - sql.STORED_BYTES.rows()[0][0]
    held = []
    for image in sorted(images, key=image_store.name_of):
        if len(image.data) > room:
            logger.warning("The image store is full: %s is left out (EVERLORE_IMAGE_STORE_MAX_BYTES)", image.reference)
            continue
        name = image_store.name_of(image)
        sql.LOCK_IMAGE.rows({"name": name})
        image_store.write(Path(settings.IMAGES_DIR), image)
        sql.HOLD_IMAGE.run({"name": name, "size": len(image.data), "now": now})
        held.append(name)
        room -= len(image.data)
    return held


def _write(prepared: Prepared, now: datetime) -> str:
    agent, imported = _enter(prepared, now)
    if imported and _told_by_import(prepared):
        raise _Seen
    images = _hold_images(prepared.images, now)
    observation_id = new_id("obs", now)
    searchable = entries.Searchable(
        kind="observation",
        object_id=observation_id,
        project=prepared.event.project,
        agent=agent,
        session=prepared.event.session_id,
        occurred_at=prepared.event.timestamp,
        pieces=prepared.pieces,
    )
    first = entries.first_entry(searchable)
    sql.ADD_OBSERVATION.rows({**_columns(prepared, agent, images, now), "id": observation_id, **first})
    entries.add_rest(searchable, now=now)
    return observation_id


def _enter(prepared: Prepared, now: datetime) -> tuple[str, bool]:
    """Make project and session known, count the observation and claim its content for the dedup window.

    Gives the agent it belongs to, and whether the session holds imported events. An import says which event it is by
    its id; the window is for hooks that fire twice.
    """
    event = prepared.event
    prompt = " ".join((prepared.compressed.user_prompt or "").split())[: tunables.FIRST_PROMPT_LENGTH]
    by_import = event.channel is Channel.IMPORT
    window = 0 if by_import else settings.EVERLORE["EVERLORE_DEDUP_WINDOW_SECONDS"]
    room, agent, imported, claimed = (sql.ENTER_BY_IMPORT if by_import else sql.ENTER).rows(
        {
            "session": event.session_id,
            "project": event.project,
            "agent": event.agent_id or settings.EVERLORE["AGENT_ID"],
            "cwd": event.cwd,
            "timestamp": event.timestamp,
            "now": now,
            "prompt": prompt,
            "import_tag": IMPORT_TAG,
            "cap": settings.EVERLORE["EVERLORE_MAX_OBSERVATIONS_PER_SESSION"],
            "most_roots": tunables.MOST_ROOTS,
            "digest": prepared.digest,
            "window": timedelta(seconds=window),
        }
    )[0]
    if not room:
        raise _SessionFull
    if not claimed:
        raise _Seen
    return event.agent_id or str(agent), bool(imported)


def _told_by_import(prepared: Prepared) -> bool:
    """Whether a transcript told this event before its hook did: the same content at about the same time.

    Imported events count in the dedup window by when they happened. A hook that spooled its report while the server
    was down is late, but says when it was.
    """
    event = prepared.event
    if event.channel is Channel.IMPORT:
        return False
    window = timedelta(seconds=settings.EVERLORE["EVERLORE_DEDUP_WINDOW_SECONDS"])
    told = Observation.objects.filter(
        session_id=event.session_id,
        channel=Channel.IMPORT,
        hook_type=event.hook_type,
        timestamp__range=(event.timestamp - window, event.timestamp + window),
    ).values_list("raw", flat=True)
    own = shared_fingerprint(event.hook_type, event.session_id, prepared.data)
    return any(shared_fingerprint(event.hook_type, event.session_id, raw) == own for raw in told)


def _columns(prepared: Prepared, agent: str, images: list[str], now: datetime) -> dict[str, Any]:
    event, compressed = prepared.event, prepared.compressed
    channel, detail = observation_origin(event)
    return {
        "session": event.session_id,
        "project": event.project,
        "agent": agent,
        "hook_type": event.hook_type,
        "timestamp": event.timestamp,
        "now": now,
        "event_id": event.event_id,
        "channel": channel.value,
        "channel_detail": detail,
        "raw": _raw(prepared, images),
        "type": compressed.type.value,
        "title": compressed.title,
        "subtitle": compressed.subtitle or "",
        "facts": list(compressed.facts),
        "narrative": compressed.narrative,
        "concepts": list(compressed.concepts),
        "files": list(compressed.files),
        "importance": compressed.importance,
        "confidence": compressed.confidence,
        "tool_name": compressed.tool_name or "",
        "modality": compressed.modality,
        "images": images,
    }


def _raw(prepared: Prepared, images: list[str]) -> str:
    """The payload as JSON; where an image was left out it says so instead of naming a file that is not there."""
    text = json.dumps(prepared.data, ensure_ascii=False)
    for image in prepared.images:
        if image_store.name_of(image) not in images:
            text = text.replace(image.reference, IMAGE_LEFT_OUT)
    return text


def _refuse(event: HookEvent) -> Full:
    limit = settings.EVERLORE["EVERLORE_MAX_OBSERVATIONS_PER_SESSION"]
    count = sql.COUNT_REFUSED.rows({"session": event.session_id})
    logger.warning(
        "Session %s is full (%s observations); %s refused so far", event.session_id, limit, count[0][0] if count else 1
    )
    return Full(limit)
