"""Bring counted records into the graph: take, read, extract, write; all of a batch in one transaction.

A worker that is killed in the middle leaves nothing behind, and its records in the backlog.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from django.db import DataError, IntegrityError, transaction

from memory_core.domain import tunables_graph as tunables
from memory_core.domain.graph import Extracted
from memory_core.graph.extraction import extract
from memory_core.index import links
from memory_core.index.links import Link, Unlinked
from memory_core.models import Memory, Observation

from .texts import memory_text, observation_text

logger = logging.getLogger("everlore.index")


def link_pending(now: datetime, batch: int = tunables.LINK_BATCH) -> int:
    """Link the next records that wait for it; gives how many there were."""
    with transaction.atomic():
        taken = links.take(batch)
        if taken:
            _link(taken, now)
    return len(taken)


def _link(taken: Sequence[Unlinked], now: datetime) -> None:
    """Link records together, one by one where that fails, so that a bad one stops nobody."""
    found = _extracted(taken)
    made = [Link(one.entry_id, one.project, found.get(one.object_id, Extracted((), ()))) for one in taken]
    try:
        with transaction.atomic():
            links.write(made, now)
    except (DataError, IntegrityError) as problem:
        if len(taken) == 1:
            logger.warning("%s cannot be linked: %s", taken[0].object_id, problem)
            links.give_up(taken[0])
        else:
            for one in taken:
                _link([one], now)


def _extracted(taken: Sequence[Unlinked]) -> dict[str, Extracted]:
    """What each record gives; a record that is gone gives nothing."""
    ids = [one.object_id for one in taken]
    found: dict[str, Extracted] = {}
    for observation in Observation.objects.filter(pk__in=ids):
        found[observation.pk] = extract(observation_text(observation), observation.files, observation.concepts)
    for memory in Memory.objects.filter(pk__in=ids, is_latest=True):
        found[memory.pk] = extract(memory_text(memory), memory.files, memory.concepts)
    return found
