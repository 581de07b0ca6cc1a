"""The learned weights of a project: which are in use, and a person's decision about them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from memory_core import activity
from memory_core.domain import tunables_weights as tunables
from memory_core.domain.errors import NotFound
from memory_core.domain.ids import new_id
from memory_core.domain.scope import Scope
from memory_core.models import Project, StreamWeights

from .recall_log import project_of

Weights = Mapping[str, float]

WHY: Mapping[str, Any] = {
    StreamWeights.Outcome.WON: _("the new votes won on the held-out questions"),
    StreamWeights.Outcome.NO_GAIN: _("the new votes gained too little on the held-out questions"),
    StreamWeights.Outcome.UNSURE: _("the gain may be chance"),
    StreamWeights.Outcome.SAME: _("no better votes were found"),
    StreamWeights.Outcome.RESET: _("somebody went back to the configured votes"),
    StreamWeights.Outcome.CHOSEN: _("somebody chose them"),
}
"""Why the new weights of a row are, or are not, in use; translated when they are read."""

DECISIONS = (StreamWeights.Outcome.RESET, StreamWeights.Outcome.CHOSEN)
"""Rows that a person made."""


@dataclass(slots=True)
class _Held:
    """What this process read, by project; changed under the lock only."""

    by_project: dict[str, dict[str, float]] = field(default_factory=dict)
    read_at: float = float("-inf")


_lock = threading.Lock()
_held = _Held()


def in_use(scope: Scope) -> Weights:
    """What each stream's vote is multiplied by in this scope; nothing named: 1. Only a read of one project has its own."""
    project = project_of(scope)
    if project is None or not settings.EVERLORE["EVERLORE_LEARNED_WEIGHTS"]:
        return {}
    if time.monotonic() - _held.read_at > tunables.WEIGHTS_TTL_SECONDS:
        rows = StreamWeights.objects.filter(in_use=True).values_list("project_id", "new")
        by_project = {slug: {stream: float(weight) for stream, weight in new.items()} for slug, new in rows}
        with _lock:
            _held.by_project, _held.read_at = by_project, time.monotonic()
    return _held.by_project.get(project, {})


def forget() -> None:
    """Read the weights anew at the next question; for tests and after a decision."""
    with _lock:
        _held.by_project, _held.read_at = {}, float("-inf")


@contextmanager
def deciding(project: str) -> Iterator[StreamWeights | None]:
    """A transaction in which nobody else decides about the project; gives the weights in use. Raises NotFound."""
    with transaction.atomic():
        if not Project.objects.select_for_update(no_key=True).filter(pk=project).exists():
            raise NotFound(f"there is no project {project!r}")
        yield StreamWeights.objects.filter(project_id=project, in_use=True).first()
    forget()


def newest(project: str) -> int:
    """The number of the project's newest row; 0 where there is none."""
    return StreamWeights.objects.filter(project_id=project).order_by("-pk").values_list("pk", flat=True).first() or 0


def decided_at(project: str) -> datetime | None:
    """When a person last decided about the project's weights: only what was asked since then is fitted to."""
    rows = StreamWeights.objects.filter(project_id=project, outcome__in=DECISIONS)
    return rows.order_by("-fitted_at").values_list("fitted_at", flat=True).first()


def reset(project: str, *, user: str, now: datetime) -> bool:
    """Go back to the configured votes; False where no others were in use. Raises NotFound for an unknown project."""
    with deciding(project) as current:
        if current is None:
            return False
        StreamWeights.objects.filter(pk=current.pk).update(in_use=False)
        StreamWeights.objects.create(
            project_id=project, fitted_at=now, outcome=StreamWeights.Outcome.RESET, old=current.new, decided_by=user
        )
        _audit("reset", project, {}, user, now)
    return True


def choose(fit: int, *, user: str, now: datetime) -> StreamWeights:
    """Use the new weights of an earlier fit, whether it won or not. Raises NotFound for one that is not there."""
    chosen = StreamWeights.objects.filter(pk=fit).first()
    if chosen is None or not chosen.new:
        raise NotFound(f"there is no fit {fit} with weights of its own")
    with deciding(chosen.project_id) as current:
        StreamWeights.objects.filter(project_id=chosen.project_id, in_use=True).update(in_use=False)
        row = StreamWeights.objects.create(
            project_id=chosen.project_id,
            fitted_at=now,
            outcome=StreamWeights.Outcome.CHOSEN,
            old=current.new if current else {},
            new=chosen.new,
            questions=chosen.questions,
            held_out=chosen.held_out,
            in_use=True,
            decided_by=user,
        )
        _audit("choose", chosen.project_id, chosen.new, user, now)
    return row


def _audit(what: str, project: str, weights: Weights, user: str, now: datetime) -> None:
    activity.audit(
        new_id("aud", now),
        now=now,
        operation="weights",
        function=f"everlore::weights::{what}",
        targets=[project],
        user=user,
        details={"decision": what, "project": project, "weights": dict(weights)},
    )
