"""The table of regular jobs, and the one function that makes django-q2's rows equal to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop
from django_q.models import Schedule

from memory_core.queue import GUARDED_CALL

PREFIX = "everlore:"
"""Begins the name of every schedule that is ours; others are left alone."""


@dataclass(frozen=True, slots=True)
class Regular:
    """One regular job: what to call, and how often."""

    name: str
    function: str
    minutes: int
    meaning: str


_ = gettext_noop  # translated where it is shown

TABLE: tuple[Regular, ...] = (
    Regular(
        "sweep-fingerprints", "workers.jobs.sweep_fingerprints", 10, _("Forget events older than the dedup window.")
    ),
    Regular("forget-expired", "workers.jobs.forget_expired", 5, _("Forget memories whose time is over.")),
    Regular("close-silent-sessions", "workers.jobs.close_silent_sessions", 60, _("Mark silent sessions as abandoned.")),
    Regular(
        "prune-embedding-cache", "workers.jobs.prune_embedding_cache", 60, _("Keep the vectors of recent texts only.")
    ),
    Regular("remove-unused-images", "workers.jobs.remove_unused_images", 60, _("Delete images that no record uses.")),
    Regular("remove-orphan-files", "workers.jobs.remove_orphan_files", 24 * 60, _("Delete image files without a row.")),
    Regular("prune-recalls", "workers.jobs.prune_recalls", 60, _("Forget old and surplus rows of the recall log.")),
    Regular("fit-weights", "workers.jobs.fit_weights", 24 * 60, _("Fit the weights of the streams to what was used.")),
    Regular("trim-activity", "workers.jobs.trim_activity", 24 * 60, _("Shorten the live feed.")),
)


def synchronise(table: tuple[Regular, ...] = TABLE) -> dict[str, int]:
    """Create, change and delete django-q2's rows until they are the table; gives how many of each."""
    counts = {"created": 0, "changed": 0, "deleted": 0}
    with transaction.atomic():
        known = {row.name: row for row in Schedule.objects.select_for_update().filter(name__startswith=PREFIX)}
        for number, regular in enumerate(table):
            row = known.pop(PREFIX + regular.name, None)
            wanted = {
                "func": GUARDED_CALL,
                "args": repr((regular.function,)),
                "schedule_type": Schedule.MINUTES,
                "minutes": regular.minutes,
                "repeats": -1,
            }
            if row is None:
                first = timezone.now() + timedelta(minutes=1 + number)  # not all at once, and not during the start
                Schedule.objects.create(name=PREFIX + regular.name, next_run=first, **wanted)
                counts["created"] += 1
            elif any(getattr(row, name) != value for name, value in wanted.items()):
                Schedule.objects.filter(pk=row.pk).update(**wanted, next_run=timezone.now())
                counts["changed"] += 1
        counts["deleted"] = Schedule.objects.filter(pk__in=[row.pk for row in known.values()]).delete()[0]
    return counts
