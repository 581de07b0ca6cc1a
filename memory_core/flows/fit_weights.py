"""Fit a project's weights to what was used of its answers; no transaction is open while it computes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from math import isclose
from typing import Any

import numpy as np
from django.conf import settings
from django.db.models import Count, Q

from memory_core.domain import tunables_recall, tunables_weights
from memory_core.fuse import fitting
from memory_core.models import Project, RecallLog, StreamWeights
from memory_core.retrieve.search import ARM_OF

from . import weights

logger = logging.getLogger("everlore.weights")


def projects() -> list[str]:
    """Slugs of the projects with an answer that was used."""
    used = RecallLog.objects.exclude(used=[]).filter(project_id__isnull=False)
    slugs = set(used.order_by().values_list("project_id", flat=True).distinct())
    return sorted(Project.objects.filter(pk__in=slugs).values_list("pk", flat=True))


def judged(project: str, since: datetime | None) -> Iterator[fitting.Judged]:
    """The project's used answers, newest first, at most KEEP_RECALLS; `since`: only those asked after it."""
    rows = RecallLog.objects.filter(project_id=project).exclude(Q(used=[]) | Q(ranks={})).order_by("-asked_at", "-pk")
    if since is not None:
        rows = rows.filter(asked_at__gt=since)
    columns = ("digest", "candidates", "ranks", "votes", "used")
    for digest, candidates, ranks, votes, used in rows.values_list(*columns)[: tunables_weights.KEEP_RECALLS]:
        known = {stream: numbers for stream, numbers in ranks.items() if stream in ARM_OF}
        yield fitting.Judged(
            question=bytes(digest).hex(), candidates=candidates, ranks=known, votes=votes, used=frozenset(used)
        )


def fit_project(project: str, *, now: datetime, random: np.random.Generator) -> StreamWeights | None:
    """Fit, and keep the result beside the old weights; None: too few questions, none since the last fit, or a person
    decided meanwhile."""
    if not settings.EVERLORE["EVERLORE_LEARNED_WEIGHTS"]:
        return None
    newest, since = weights.newest(project), weights.decided_at(project)
    current = StreamWeights.objects.filter(project_id=project, in_use=True).first()
    old = {stream: weight for stream, weight in (current.new if current else {}).items() if stream in ARM_OF}
    found = fitting.fit(
        list(judged(project, since)),
        ARM_OF,
        old,
        k=tunables_recall.RRF_K,
        agreement=tunables_recall.AGREEMENT_BONUS,
        random=random,
    )
    last = StreamWeights.objects.filter(pk=newest).first()
    if found is None or (last is not None and _says_nothing_new(last, found)):
        return None
    return _keep(project, found, newest, now)


def _says_nothing_new(last: StreamWeights, found: fitting.Fit) -> bool:
    """Whether the votes in use do on the log exactly as they did when the last fit was kept."""
    score = last.new_score if last.outcome == StreamWeights.Outcome.WON else last.old_score
    return score is not None and last.questions == found.questions and isclose(score, found.old_score, abs_tol=1e-9)


def _forget_old_fits(project: str) -> None:
    """Keep the last KEEP_FITS, those in use, and what people decided."""
    fits = StreamWeights.objects.filter(project_id=project).exclude(outcome__in=weights.DECISIONS)
    kept = list(fits.order_by("-pk").values_list("pk", flat=True)[: tunables_weights.KEEP_FITS])
    fits.filter(in_use=False).exclude(pk__in=kept).delete()


def _keep(project: str, found: fitting.Fit, newest: int, now: datetime) -> StreamWeights | None:
    """Store a fit, in use if it won."""
    won = found.outcome == "won"
    with weights.deciding(project):
        if weights.newest(project) != newest:
            return None
        if won:
            StreamWeights.objects.filter(project_id=project, in_use=True).update(in_use=False)
        row = StreamWeights.objects.create(project_id=project, fitted_at=now, in_use=won, **asdict(found))
        _forget_old_fits(project)
    logger.info(
        "Weights of %r: %s; held-out NDCG %.3f before, %.3f after, on %s of %s questions",
        project,
        found.outcome,
        found.old_score,
        found.new_score,
        found.held_out,
        found.questions,
    )
    return row


def known_projects() -> list[str]:
    """Slugs of the projects with an answer or a fit in the log."""
    asked = RecallLog.objects.filter(project_id__isnull=False).order_by().values_list("project_id", flat=True)
    fitted = StreamWeights.objects.order_by().values_list("project_id", flat=True)
    return sorted(set(asked.distinct()) | set(fitted.distinct()))


def summary(project: str) -> dict[str, Any]:
    """What is known of a project: its answers, how many were used, how many were followed by another question because they
    did not serve, the weights in use, and the last fits, newest first."""
    counts = RecallLog.objects.filter(project_id=project).aggregate(
        answers=Count("pk"), used=Count("pk", filter=~Q(used=[])), followed=Count("follows", distinct=True)
    )
    rows = StreamWeights.objects.filter(project_id=project).order_by("-pk")
    current = rows.filter(in_use=True).first()
    fits = [
        {
            "number": row.pk,
            "fitted_at": row.fitted_at,
            "outcome": row.outcome,
            "in_use": row.in_use,
            "old": row.old,
            "new": row.new,
            "old_score": row.old_score,
            "new_score": row.new_score,
            "least_gain": row.least_gain,
            "questions": row.questions,
            "held_out": row.held_out,
            "decided_by": row.decided_by,
        }
        for row in rows[: tunables_weights.MOST_SHOWN_FITS]
    ]
    return {**counts, "in_use": current.new if current else {}, "fits": fits}
