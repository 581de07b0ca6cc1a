"""A question's times as the time arm asks for them: spans with their ease, and the wish for the latest or the first."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memory_core.domain import tunables_time as tunables
from memory_core.domain.scope import Scope
from memory_core.index.analysis import analyzer
from memory_core.sql import times as sql
from memory_core.text import bm25
from memory_core.text.moments import Anchor, Span, read_times, resolve

from .question import quoted

ARM_OF = {"timed": "timed", "timed_lexical": "lexical", "timed_dense": "dense", "recent": "timed", "earliest": "timed"}
"""The time arm's streams, and the arm each is evidence of: rank among the records of a span is that of words or vectors."""

SPAN_STREAMS = ("timed", "timed_lexical", "timed_dense")


@dataclass(frozen=True, slots=True)
class TimedQuestion:
    """`spans`: the times that are asked about, none of them still to come."""

    spans: tuple[Span, ...] = ()
    wants_recent: bool = False
    wants_first: bool = False


def question(query: str, scope: Scope, now: datetime) -> TimedQuestion | None:
    """The times of a question asked at `now`; None where it has none. An event it measures from costs a statement.

    A span says more than "recently" beside it: where there is one, age has no say.
    """
    times = read_times(query, now)
    found = list(times.spans)
    for anchor in times.anchors:
        happened = event_time(anchor, scope, now)
        span = resolve(anchor, happened, now) if happened else None
        if span:
            found.append(span)
    spans = tuple(span for span in found if span.start <= now)[: tunables.MOST_SPANS]
    if spans:
        return TimedQuestion(spans)
    wants = times.wants_recent or times.wants_first
    return TimedQuestion((), times.wants_recent, times.wants_first) if wants else None


def event_time(anchor: Anchor, scope: Scope, now: datetime) -> datetime | None:
    """When the event of an anchor happened: the time of the record of the scope that has all its words and says them
    most; None where there is none."""
    terms = sorted(set(analyzer().analyze(anchor.event).terms))
    if not terms:
        return None
    statement = sql.event_time(projects=scope.projects is not None, agent=scope.agent is not None)
    rows = statement.rows(
        {
            "projects": list(scope.projects or ()),
            "agent": scope.agent,
            "all_terms": " & ".join(quoted(term) for term in terms),
            "term_weights": bm25.to_sparsevec({bm25.term_id(term): 1.0 for term in terms}),
            "now": now,
            "candidates": tunables.EVENT_CANDIDATES,
        }
    )
    return rows[0][0] if rows else None


def takes_part(asked: TimedQuestion | None, weights: Mapping[str, float]) -> tuple[bool, bool, bool]:
    """Whether spans, the order from the newest and the order from the oldest have a part in the statement."""
    if asked is None:
        return False, False, False
    return (
        bool(asked.spans) and any(weights.get(stream, 0.0) > 0 for stream in SPAN_STREAMS),
        asked.wants_recent and weights.get("recent", 0.0) > 0,
        asked.wants_first and weights.get("earliest", 0.0) > 0,
    )


def parameters(asked: TimedQuestion | None) -> dict[str, Any]:
    """What the time arm's part of the statement asks of; nothing for a question without times."""
    if asked is None:
        return {}
    eases = [tunables.EASE_SECONDS[span.unit] for span in asked.spans]
    return {
        "span_starts": [span.start for span in asked.spans],
        "span_ends": [span.end for span in asked.spans],
        "span_eases": eases,
        "span_reaches": [timedelta(seconds=-math.log(tunables.LEAST_CLOSENESS) * ease) for ease in eases],
        "span_budget": tunables.SPAN_BUDGET,
        "span_scan": tunables.SPAN_SCAN,
        "span_depth": tunables.SPAN_DEPTH,
        "age_pool": tunables.AGE_POOL,
        "age_lexical_share": tunables.AGE_LEXICAL_SHARE,
        "age_dense_share": tunables.AGE_DENSE_SHARE,
    }


def votes(lexical: float, dense: float) -> dict[str, float]:
    """The votes of the time arm's streams, from the votes of words and vectors."""
    most = max(lexical, dense)
    return {
        "timed": tunables.TIMED_VOTE * most,
        "timed_lexical": tunables.TIMED_LEXICAL_VOTE * lexical,
        "timed_dense": tunables.TIMED_DENSE_VOTE * dense,
        "recent": tunables.RECENT_VOTE * most,
        "earliest": tunables.EARLIEST_VOTE * most,
    }
