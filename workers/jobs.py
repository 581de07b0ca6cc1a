"""The regular jobs. Each may run twice, works in small transactions, and gives counts of what it did."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError
from django.db.models import F, Model, QuerySet
from django.db.models.functions import Greatest
from django.utils import timezone

from memory_core.domain import tunables_index, tunables_weights, tunables_workers
from memory_core.domain.errors import EverloreError
from memory_core.flows import remember
from memory_core.models import ActivityEvent, Image, Memory, Session
from memory_core.sql import capture as capture_sql
from memory_core.sql import index as index_sql
from memory_core.sql import weights as weights_sql

logger = logging.getLogger("everlore.jobs")
Counts = dict[str, int]


def _in_batches(rows: QuerySet[Model], change: Callable[[QuerySet[Model]], int]) -> int:
    """Apply `change` to batches of rows until none is left that the query finds, or this run has done enough."""
    total = 0
    for _ in range(tunables_workers.JOB_MOST_BATCHES):
        keys = list(rows.values_list("pk", flat=True)[: tunables_workers.JOB_BATCH])
        if not keys:
            break
        total += change(rows.model._default_manager.filter(pk__in=keys) & rows)
    return total


def sweep_fingerprints(now: datetime | None = None) -> Counts:
    """Forget fingerprints of events older than the dedup window: no event could meet them any more."""
    window = timedelta(seconds=settings.EVERLORE["EVERLORE_DEDUP_WINDOW_SECONDS"])
    return {"fingerprints": capture_sql.SWEEP_FINGERPRINTS.run({"before": (now or timezone.now()) - window})}


def prune_embedding_cache() -> Counts:
    """Keep the vectors of the most recently used texts."""
    return {"vectors": index_sql.PRUNE_CACHE.run({"keep": tunables_index.CACHE_KEEP})}


def forget_expired(now: datetime | None = None) -> Counts:
    """Forget memories whose `forget_after` has passed, each with its older versions in a transaction of its own."""
    moment = now or timezone.now()
    due = Memory.objects.filter(forget_after__lte=moment, is_latest=True).order_by("forget_after", "pk")
    most = tunables_workers.JOB_BATCH
    rows = sum(
        remember.forget_memory(memory_id, now=moment, why="its time was over")
        for memory_id in list(due.values_list("pk", flat=True)[:most])
    )
    return {"memories": rows}


def remove_unused_images() -> Counts:
    """Delete images that no record uses, row and file."""
    names = list(Image.objects.filter(reference_count=0).values_list("pk", flat=True)[: tunables_workers.JOB_BATCH])
    return {"images": remember.remove_unused_images(names)}


def _old_files(folder: Path, before: float) -> Iterator[str]:
    """Names of the store's files, parts of unfinished writes too, that were last written before that time."""
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        try:
            if path.is_file() and path.stat().st_mtime < before:
                yield path.name
        except FileNotFoundError:  # deleted meanwhile
            continue


def remove_orphan_files(now: float | None = None) -> Counts:
    """Delete image files whose transaction never came to an end. `now`: seconds since the epoch."""
    folder = Path(settings.IMAGES_DIR)
    before = (time.time() if now is None else now) - tunables_workers.ORPHAN_FILE_HOURS * 3600
    names = sorted(_old_files(folder, before))
    removed = 0
    for start in range(0, len(names), tunables_workers.JOB_BATCH):
        part = names[start : start + tunables_workers.JOB_BATCH]
        known = set(Image.objects.filter(pk__in=part).values_list("pk", flat=True))
        removed += sum(remember.remove_orphan_file(name) for name in part if name not in known)
    return {"files": removed}


def trim_activity(now: datetime | None = None) -> Counts:
    """Shorten the live feed to its last ACTIVITY_KEEP_DAYS."""
    before = (now or timezone.now()) - timedelta(days=tunables_workers.ACTIVITY_KEEP_DAYS)
    old = ActivityEvent.objects.filter(created_at__lt=before).order_by("created_at")
    return {"events": _in_batches(old, lambda rows: rows.delete()[0])}


def close_silent_sessions(now: datetime | None = None) -> Counts:
    """Mark open sessions without an event for SILENT_SESSION_HOURS as abandoned; they ended with their last event."""
    before = (now or timezone.now()) - timedelta(hours=tunables_workers.SILENT_SESSION_HOURS)
    silent = Session.objects.filter(status=Session.Status.ACTIVE, updated_at__lt=before)

    def close(rows: QuerySet[Model]) -> int:
        return rows.update(status=Session.Status.ABANDONED, ended_at=Greatest(F("updated_at"), F("started_at")))

    return {"sessions": _in_batches(silent, close)}


def prune_recalls(now: datetime | None = None) -> Counts:
    """Keep of the recall log what is newer than KEEP_DAYS, and KEEP_RECALLS of each project."""
    limits = {
        "keep": tunables_weights.KEEP_RECALLS,
        "before": (now or timezone.now()) - timedelta(days=tunables_weights.KEEP_DAYS),
        "most": tunables_weights.PRUNE_BATCH,
    }
    return {"recalls": weights_sql.PRUNE_RECALLS.run(limits)}


def fit_weights(now: datetime | None = None) -> Counts:
    """Fit each project's stream weights to what was used; the old ones stay unless the new ones win."""
    import numpy as np  # the other jobs load no arrays

    from memory_core.flows import fit_weights as flow

    moment = now or timezone.now()
    counts = {"fits": 0, "won": 0, "failed": 0}
    slugs = flow.projects()
    for place, project in enumerate(slugs, start=1):
        logger.info("Fitting the votes of project %s of %s", place, len(slugs))
        try:
            row = flow.fit_project(project, now=moment, random=np.random.default_rng(int(moment.timestamp())))
        except (DatabaseError, EverloreError, ArithmeticError, LookupError, ValueError):
            logger.exception("The votes of project %r could not be fitted; the others are", project)
            counts["failed"] += 1
            continue
        counts["fits"] += row is not None
        counts["won"] += bool(row and row.in_use)
    return counts
