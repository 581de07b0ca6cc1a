"""Count the attempts of a job before it starts: a job that kills its process is otherwise tried again for ever."""

from __future__ import annotations

import hashlib
import json
import logging
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone
from django.utils.module_loading import import_string

from memory_core.domain import tunables_workers as tunables
from workers.models import JobAttempt

logger = logging.getLogger("everlore.jobs")

RESTING = {"resting": 1}
"""The result of a job that killed its process too often and is left alone for a while."""


def begin(key: str, now: datetime) -> bool:
    """Note that a job starts; False when it has to rest. Its own transaction: it must outlive the process."""
    attempt, new = JobAttempt.objects.get_or_create(key=key, defaults={"started_at": now})
    if new:
        return True
    # The row is still there: the process died, or the same job runs elsewhere, which ends and removes it.
    rested = attempt.started_at <= now - timedelta(hours=tunables.JOB_REST_HOURS)
    if attempt.deaths + 1 >= tunables.JOB_DEATHS and not rested:
        logger.error(
            "The job %s killed its process %s times; it rests until %s",
            key,
            attempt.deaths + 1,
            attempt.started_at + timedelta(hours=tunables.JOB_REST_HOURS),
        )
        return False
    JobAttempt.objects.filter(key=key).update(deaths=F("deaths") + 1, started_at=now)
    return True


def end(key: str) -> None:
    """Note that a job ended, well or with an exception."""
    JobAttempt.objects.filter(key=key).delete()


def call(function: str, *arguments: Any) -> Any:
    """Run a job by its dotted path, unless it kept killing its process."""
    words = json.dumps(arguments, sort_keys=True, default=repr).encode()
    key = f"{function} {hashlib.sha256(words).hexdigest()[:16]}" if arguments else function
    if not begin(key, timezone.now()):
        return RESTING
    try:
        return import_string(function)(*arguments)
    finally:
        end(key)
