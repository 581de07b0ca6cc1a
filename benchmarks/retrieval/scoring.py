"""Means over questions with 95 % bootstrap intervals, by level and category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from .sets import RetrievalSet

RESAMPLES = 1_000
"""Resamples of a bootstrap: the ends of a 95 % interval then move by about a hundredth of its width between seeds."""

SEED = 7
"""Seed of the resampling: equal runs have equal intervals."""

METRICS = ("recall_any@5", "recall_all@5", "recall@5", "recall@10", "ndcg@10", "mrr")
"""What is reported, of what the scorer computes."""

LEVELS = ("turn", "session")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over questions and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scores:
    """The metrics of one level and category over `questions` questions."""

    level: str
    category: str
    questions: int
    metrics: Mapping[str, Estimate]


def bootstrap(values: Sequence[float]) -> Estimate:
    """Percentile bootstrap of the mean.

    >>> bootstrap([1.0, 1.0, 1.0])
    Estimate(mean=1.0, low=1.0, high=1.0)
    """
    data = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(SEED).integers(0, len(data), size=(RESAMPLES, len(data)))
    low, high = np.percentile(data[picks].mean(axis=1), [2.5, 97.5])
    return Estimate(float(data.mean()), float(low), float(high))


def score(reference: ModuleType, chosen: RetrievalSet, rows: Sequence[Mapping[str, Any]]) -> list[Scores]:
    """Score a run by the data's own scorer; ALL first, then each category, turn level before session level."""
    result = reference.score(list(chosen.questions), list(rows), chosen.sessions)
    groups: dict[tuple[str, str], list[Mapping[str, float]]] = defaultdict(list)
    for row in result["per_query"]:
        for level in LEVELS:
            if level in row:
                groups[level, "ALL"].append(row[level])
                groups[level, row["category"]].append(row[level])
    order = sorted(groups, key=lambda key: (LEVELS.index(key[0]), key[1] != "ALL", key[1]))
    return [
        Scores(
            level,
            category,
            len(groups[level, category]),
            {metric: bootstrap([one[metric] for one in groups[level, category]]) for metric in METRICS},
        )
        for level, category in order
    ]


def differences(
    reference: ModuleType,
    chosen: RetrievalSet,
    whole: Sequence[Mapping[str, Any]],
    part: Sequence[Mapping[str, Any]],
) -> list[Scores]:
    """What a run gains over another on the same questions: the mean of each question's difference, by level."""
    runs = [
        {
            row["query_id"]: row
            for row in reference.score(list(chosen.questions), list(rows), chosen.sessions)["per_query"]
        }
        for rows in (whole, part)
    ]
    found = []
    for level in LEVELS:
        pairs = [(own[level], runs[1][query][level]) for query, own in runs[0].items() if level in own]
        if pairs:
            metrics = {name: bootstrap([own[name] - other[name] for own, other in pairs]) for name in METRICS}
            found.append(Scores(level, "gain", len(pairs), metrics))
    return found
