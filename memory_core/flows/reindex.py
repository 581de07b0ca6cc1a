"""Make the derived index anew: words and graph in place, vectors in a space of their own beside the live one.

Searches go on meanwhile. The words of a record are rewritten in one transaction; the new space is complete, with its
index, before it is made active, in one transaction; the old one is deleted after that. Everything can be stopped at any
moment and started again: what is done stays done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from memory_core.domain import tunables_index as tunables
from memory_core.domain.errors import EverloreError
from memory_core.domain.ports import Embedder
from memory_core.index import backlog, entries, spaces, statistics
from memory_core.models import EmbeddingSpace, Memory, Observation
from memory_core.sql import index as sql

from . import embed, link, texts

logger = logging.getLogger("everlore.index")

Progress = Callable[[int], None]
"""Told how many more are done."""


@dataclass(frozen=True, slots=True)
class Total:
    """How much there is to do."""

    records: int
    vectors: int


def _records() -> Iterator[entries.Searchable]:
    for observation in Observation.objects.order_by("pk").iterator(chunk_size=200):
        yield entries.Searchable(
            kind="observation",
            object_id=observation.pk,
            project=observation.project_id,
            agent=observation.agent_id,
            session=observation.session_id,
            occurred_at=observation.timestamp,
            pieces=entries.analyse(texts.observation_text(observation)),
        )
    for memory in Memory.objects.filter(is_latest=True).order_by("pk").iterator(chunk_size=200):
        yield entries.Searchable(
            kind="memory",
            object_id=memory.pk,
            project=memory.project_id,
            agent=memory.agent_id,
            session=memory.session_ids[0] if memory.session_ids else "",
            occurred_at=memory.created_at,
            pieces=entries.analyse(texts.memory_text(memory)),
        )


def total(space: EmbeddingSpace | None) -> Total:
    """How many records have words, and how many entries have no vector in the space yet."""
    records = Observation.objects.count() + Memory.objects.filter(is_latest=True).count()
    missing = sql.COUNT_MISSING.rows({"space": space.pk})[0][0] if space else 0
    return Total(records, int(missing))


def words(*, clock: Callable[[], datetime], progress: Progress) -> int:
    """Write the words of every record anew, add what is missing, remove what should not be there; gives how many."""
    done = 0
    for searchable in _records():
        entries.refresh(searchable, now=clock())
        done += 1
        progress(1)
    while stray := [row[0] for row in sql.STRAY_ENTRIES.rows({"batch": 500})]:
        with transaction.atomic():
            entries.remove(stray)
    while statistics.count_pending():
        pass
    while link.link_pending(clock()):
        pass
    statistics.forget_averages()
    while statistics.reweigh_drifted():
        pass
    return done


def space_for(embedder: Embedder) -> EmbeddingSpace:
    """The embedder's space, made when there is none; it becomes active only by `activate`."""
    space, _ = EmbeddingSpace.objects.get_or_create(
        provider=embedder.provider, model=embedder.model, dimensions=embedder.dimensions
    )
    return space


def vectors(space: EmbeddingSpace, embedder: Embedder, *, clock: Callable[[], datetime], progress: Progress) -> int:
    """Embed every entry that has no vector in the space yet; gives how many. Goes on where an earlier run stopped."""
    after = done = 0
    while claims := _missing(space, after):
        done += _embed(claims, space, embedder, clock)
        after = claims[-1].entry_id
        progress(len(claims))
    return done


def _embed(
    claims: list[backlog.Claim], space: EmbeddingSpace, embedder: Embedder, clock: Callable[[], datetime]
) -> int:
    """Embed a batch, one by one where it fails, so that a bad text stops nobody; gives how many have vectors now."""
    try:
        embed.embed_claims(claims, space, embedder, clock)
    except EverloreError as problem:
        if len(claims) == 1:
            logger.warning("The text of %s cannot be embedded: %s", claims[0].object_id, problem)
            return 0
        return sum(_embed([one], space, embedder, clock) for one in claims)
    return len(claims)


def _missing(space: EmbeddingSpace, after: int) -> list[backlog.Claim]:
    rows = sql.MISSING_IN_SPACE.rows({"space": space.pk, "after": after, "batch": tunables.EMBED_BATCH})
    return [backlog.Claim(*row) for row in rows]


def activate(space: EmbeddingSpace) -> list[EmbeddingSpace]:
    """Build the space's index, then make it the one that searches read; gives those that are no longer needed."""
    spaces.build_index(space)
    with transaction.atomic():
        EmbeddingSpace.objects.select_for_update().exclude(pk=space.pk).filter(active=True).update(active=False)
        EmbeddingSpace.objects.filter(pk=space.pk).update(active=True)
    return list(EmbeddingSpace.objects.exclude(pk=space.pk))


def delete_space(space: EmbeddingSpace) -> None:
    """Delete an inactive space with its vectors, in batches, so that nobody waits."""
    with connection.cursor() as cursor:
        statement = sql.drop_space_index(space.pk)
        cursor.execute(statement.replace("CONCURRENTLY ", "") if connection.in_atomic_block else statement)
    while sql.DROP_VECTORS.run({"space": space.pk, "batch": 5000}):
        pass
    EmbeddingSpace.objects.filter(pk=space.pk, active=False).delete()
