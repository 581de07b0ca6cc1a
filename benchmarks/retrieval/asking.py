"""Every question of a set through the product's own recall, whole or with one stream silenced."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from unittest import mock

from rich.progress import Progress

from memory_core.domain import tunables_recall
from memory_core.flows import recall, reranking
from memory_core.retrieve import expansion

from .events import project_of
from .sets import RetrievalSet, instant

DEPTH = 100
"""Results asked for each question; the scorer's sessions and MRR need more than the metrics' depth."""


@dataclass(slots=True)
class Run:
    """What recall gave: `rows` for the scorer, milliseconds a question, the streams that gave evidence, and arms that
    did not take part."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    streams: set[str] = field(default_factory=set)
    degraded: dict[str, str] = field(default_factory=dict)


WAYS = {"synonyms": expansion.SYNONYM, "prefixes": expansion.PREFIX}
"""What a run can leave out besides streams: the ways to widen a question."""


def widened_by() -> list[str]:
    """The ways to widen a question that are on."""
    return [name for name, way in WAYS.items() if way in recall.ways()]


MOVES: Mapping[str, Callable[[], Any]] = {
    "voice": lambda: mock.patch.object(recall, "asked_voice", return_value=None),
    "repetition": lambda: mock.patch.object(tunables_recall, "ECHO_SHARE", 1.0),
    "reranker": lambda: mock.patch.object(reranking, "is_wanted", return_value=False),
}
"""What else a run can leave out: what moves records after the fusion."""


def moved_by() -> list[str]:
    """What moves records after the fusion, and is on."""
    return [name for name in MOVES if name != "reranker" or reranking.reranker().available]


@contextmanager
def without(stream: str | None) -> Iterator[None]:
    """Recall with the vote of one stream at 0, or without one way to widen a question or to move records; None leaves
    everything as it is."""
    if stream is None:
        yield
        return
    if stream in WAYS:
        others = recall.ways() - {WAYS[stream]}
        with mock.patch.object(recall, "ways", return_value=others):
            yield
        return
    if stream in MOVES:
        with MOVES[stream]():
            yield
        return
    original: Callable[..., Mapping[str, float]] = recall.weights
    with mock.patch.object(recall, "weights", lambda *given, **named: {**original(*given, **named), stream: 0.0}):
        yield


def ask(chosen: RetrievalSet, document_of: Mapping[str, str], progress: Progress, *, leaving_out: str | None) -> Run:
    """Ask all questions of a set, each in its own project. Raises RuntimeError when a hit is of another project."""
    run = Run()
    ends = _ends(chosen)
    title = f"{chosen.name}: ask" + (f" without {leaving_out}" if leaving_out else "")
    with without(leaving_out):
        for question in progress.track(chosen.questions, description=title):
            when = question.get("timestamp")
            _one(chosen.name, question, instant(when) if when else ends[question["project"]], document_of, run)
    return run


def _ends(chosen: RetrievalSet) -> dict[str, datetime]:
    """When the last document of each project happened: the time of questions that have none."""
    ends: dict[str, datetime] = {}
    for document in chosen.documents:
        ends[document.project] = max(document.timestamp, ends.get(document.project, document.timestamp))
    return ends


def _one(name: str, question: dict[str, Any], now: datetime, document_of: Mapping[str, str], run: Run) -> None:
    project = project_of(name, question["project"])
    scope = recall.scope_of(project, None)
    before = time.perf_counter()
    answer = recall.recall(question["query"], scope=scope, limit=DEPTH, now=now, log=False, explain=True)
    run.milliseconds.append((time.perf_counter() - before) * 1000)
    if strangers := [hit.object_id for hit in answer.hits if hit.project != project]:
        raise RuntimeError(f"{question['query_id']} was answered from another project: {strangers[0]}")
    run.rows.append({"query_id": question["query_id"], "ranked": [document_of[hit.object_id] for hit in answer.hits]})
    run.streams.update(*(hit.evidence for hit in answer.hits))
    run.degraded.update(answer.degraded)
