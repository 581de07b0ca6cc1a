"""How often terms occur: counted by the worker from the entries, so that no writer waits for another.

Writers only mark their entries uncounted. A question reads the counts as they stand; entries not counted yet are
found all the same, their terms merely look a little rarer than they are.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db import transaction

from memory_core.domain import tunables_index as tunables
from memory_core.sql import index as sql
from memory_core.text.bm25 import to_sparsevec
from memory_core.text.reweighing import from_sparsevec, reweigh


@dataclass(slots=True)
class _Averages:
    """The average lengths this process has read, and when, by its monotonic clock."""

    by_project: dict[str, float] = field(default_factory=dict)
    read_at: float = float("-inf")


_lock = threading.Lock()
_averages = _Averages()


def average_length(project: str) -> float:
    """The project's average document length in terms, at most AVERAGE_LENGTH_TTL_SECONDS old."""
    if time.monotonic() - _averages.read_at > tunables.AVERAGE_LENGTH_TTL_SECONDS:
        lengths = dict(sql.AVERAGE_LENGTHS.rows())
        with _lock:
            _averages.by_project, _averages.read_at = lengths, time.monotonic()
    return _averages.by_project.get(project, tunables.DEFAULT_AVERAGE_LENGTH)


def forget_averages() -> None:
    """Read the averages anew at the next question; for tests and after a rebuild."""
    with _lock:
        _averages.read_at = float("-inf")


def _add(rows: Iterable[tuple[str, str, int]], sign: int) -> None:
    """Add (or take away) entries given as (project, weights, term count)."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    entries: Counter[str] = Counter()
    terms: Counter[str] = Counter()
    for project, weights, term_count in rows:
        counts[project].update(from_sparsevec(weights).keys())
        entries[project] += 1
        terms[project] += term_count
    for project in sorted(counts):
        _add_project(project, counts[project], entries[project], terms[project], sign)


def _add_project(project: str, counts: Mapping[int, int], entries: int, terms: int, sign: int) -> None:
    ids = sorted(counts)
    sql.ADD_TERM_COUNTS.run({"project": project, "term_ids": ids, "counts": [sign * counts[i] for i in ids]})
    sql.ADD_CORPUS_COUNTS.run({"project": project, "entries": sign * entries, "terms": sign * terms})


def subtract(rows: Iterable[tuple[str, str, int]]) -> None:
    """Take entries that left the index out of the counts; in the transaction that removed them."""
    _add(rows, -1)


def count_pending() -> int:
    """Count the next batch of uncounted entries; gives how many there were."""
    with transaction.atomic():
        rows = sql.TAKE_UNCOUNTED.rows({"batch": tunables.COUNT_BATCH})
        _add(rows, 1)
    return len(rows)


def recount() -> int:
    """Forget every count and count all entries anew; gives how many there were."""
    sql.CLEAR_STATISTICS.run()
    total = 0
    while batch := count_pending():
        total += batch
    return total


def reweigh_drifted() -> int:
    """Give new weights to one batch of entries a project whose average length has drifted; gives how many."""
    done = 0
    for project, average in sql.AVERAGE_LENGTHS.rows():
        done += _reweigh_project(project, average)
    return done


def _reweigh_project(project: str, average: float) -> int:
    with transaction.atomic():
        rows = sql.TAKE_DRIFTED.rows(
            {
                "project": project,
                "average": average,
                "drift": tunables.AVERAGE_LENGTH_DRIFT,
                "batch": tunables.REWEIGH_BATCH,
            }
        )
        if rows:
            weights = [to_sparsevec(reweigh(from_sparsevec(old), length, was, average)) for _, old, length, was in rows]
            sql.REWEIGH.run({"average": average, "ids": [row[0] for row in rows], "weights": weights})
    return len(rows)
