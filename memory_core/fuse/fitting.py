"""Fit the streams' weights to what was used: fuse recorded ranks anew with other weights, and judge by held-out questions.

A weight is a factor on the stream's vote. The quality of a ranking is NDCG with the used records as the relevant ones
(Jaervelin and Kekaelaeinen, TOIS 2002). Use is biased towards what stood on top. That bias speaks for the weights that
made the order, so it makes a fit keep them too often, never replace them too easily (docs/adr/0024).
The grid is searched one stream at a time, as Metzler and Croft, Information Retrieval 2007, do it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from memory_core.domain import tunables_weights as tunables

Weights = Mapping[str, float]
Outcome = Literal["won", "no_gain", "unsure", "same"]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """An answered question: `ranks` by stream, one number a candidate (0: not in it); `votes`: before any learning."""

    question: str
    candidates: Sequence[str]
    ranks: Mapping[str, Sequence[int]]
    votes: Weights
    used: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Old and new weights, and how both did on the same held-out questions."""

    old: dict[str, float]
    new: dict[str, float]
    questions: int
    held_out: int
    old_score: float
    new_score: float
    least_gain: float
    outcome: Outcome


class Refusion:
    """Recorded answers as arrays, so that they are fused with other weights at once; the twin of `fuse.rrf.fuse`."""

    def __init__(self, judged: Sequence[Judged], arm_of: Mapping[str, str], *, k: float, agreement: float) -> None:
        """Arrays over answers x candidates x streams, candidates in the order of their ids."""
        self.streams = [name for name in arm_of if any(name in one.ranks for one in judged)]
        self._arms = _arms_of(self.streams, arm_of)
        self._k, self._agreement = k, agreement
        most = max((len(one.candidates) for one in judged), default=0)
        shape = (len(judged), most)
        self._ranks = np.zeros((*shape, len(self.streams)), dtype=np.int32)
        self._used = np.zeros(shape, dtype=bool)
        self._votes = np.array([[one.votes.get(name, 0.0) for name in self.streams] for one in judged], dtype=float)
        self._votes = self._votes.reshape(len(judged), len(self.streams))
        for row, one in enumerate(judged):
            by_id = np.argsort(np.array(one.candidates, dtype=object), kind="stable")
            for column, name in enumerate(self.streams):
                if name in one.ranks:
                    self._ranks[row, : len(by_id), column] = np.asarray(one.ranks[name], dtype=np.int32)[by_id]
            self._used[row, : len(by_id)] = [one.candidates[at] in one.used for at in by_id]
        self._shares = np.where(self._ranks > 0, 1.0 / (k + self._ranks), 0.0)
        self._ideal = _discounts(self._used.sum(axis=1))
        self._question, self._of_question = _groups([one.question for one in judged])

    @property
    def questions(self) -> list[str]:
        """The different questions, in the order of `quality`."""
        return self._question

    def voting(self) -> list[str]:
        """The streams that voted in some answer: the others' weights cannot be judged."""
        seen = (self._ranks > 0).any(axis=1) & (self._votes > 0)
        return [name for column, name in enumerate(self.streams) if seen[:, column].any()]

    def scores(self, weights: Weights) -> tuple[Numbers, NDArray[np.int32]]:
        """Fused score and best rank of each candidate, shape (answers, candidates); 0: no stream with a vote has it."""
        votes = self._votes * np.array([weights.get(name, 1.0) for name in self.streams])
        votes = np.where(votes > 0, votes, 0.0)
        counted = (self._ranks > 0) & (votes > 0)[:, None, :]
        total = np.einsum("acs,as->ac", self._shares, votes)
        full = (votes * counted.any(axis=1)).sum(axis=1) / (self._k + 1)
        arms = sum(counted[:, :, columns].any(axis=2).astype(np.int32) for columns in self._arms)
        bonus = 1 + self._agreement * (np.maximum(arms, 1) - 1)
        best = np.where(counted, self._ranks, np.iinfo(np.int32).max).min(axis=2, initial=np.iinfo(np.int32).max)
        return total / np.where(full > 0, full, 1.0)[:, None] * bonus, best.astype(np.int32)

    def places(self, weights: Weights) -> NDArray[np.int64]:
        """The place of each candidate in its answer, from 1; 0 for one that is not given at all."""
        scores, best = self.scores(weights)
        order = np.lexsort((best, -scores.round(12)), axis=-1)  # stable: equal ones stay in the order of their ids
        places = np.empty_like(order)
        np.put_along_axis(places, order, np.arange(1, order.shape[1] + 1)[None, :], axis=1)
        return np.where(scores > 0, places, 0)

    def quality(self, weights: Weights) -> Numbers:
        """NDCG of each different question in [0, 1]; one that was asked often counts once, by its average."""
        places = self.places(weights)
        gains = np.where(self._used & (places > 0), 1 / np.log2(np.maximum(places, 1) + 1), 0.0).sum(axis=1)
        answers = gains / np.where(self._ideal > 0, self._ideal, 1.0)
        return np.bincount(self._of_question, answers) / np.bincount(self._of_question)


def _arms_of(streams: Sequence[str], arm_of: Mapping[str, str]) -> list[list[int]]:
    """The columns of each arm's streams."""
    return [
        [column for column, name in enumerate(streams) if arm_of[name] == arm]
        for arm in sorted({arm_of[name] for name in streams})
    ]


def _discounts(counts: NDArray[np.int64]) -> Numbers:
    """The DCG of `n` used records in the first `n` places, for each n of `counts`."""
    most = int(counts.max(initial=0))
    sums = np.concatenate([[0.0], np.cumsum(1 / np.log2(np.arange(1, most + 1) + 1))])
    return np.asarray(sums[counts], dtype=float)


def _groups(names: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    if not names:
        return [], np.zeros(0, dtype=np.intp)
    different, group = np.unique(np.array(names, dtype=str), return_inverse=True)
    return [str(name) for name in different], group.reshape(-1)


def search_grid(log: Refusion, arm_of: Mapping[str, str], old: Weights) -> dict[str, float]:
    """The best weights on the grid for a log: from the two best starts, one stream after the other until none moves."""
    voting = log.voting()
    starts = [dict(start) for start in _starts(voting, arm_of, old)]
    qualities = [float(log.quality(start).mean()) for start in starts]
    best, best_quality = starts[0], qualities[0]
    for at in sorted(range(len(starts)), key=lambda place: -qualities[place])[:2]:
        found, quality = _climb(log, voting, starts[at], qualities[at])
        if quality > best_quality + tunables.LEAST_STEP:
            best, best_quality = found, quality
    return best


def _starts(voting: Sequence[str], arm_of: Mapping[str, str], old: Weights) -> Iterable[Weights]:
    """The old weights first, then the configured ones, then each arm louder and quieter than configured."""
    yield {name: old.get(name, 1.0) for name in voting}
    yield dict.fromkeys(voting, 1.0)
    for arm in sorted({arm_of[name] for name in voting}):
        for factor in (max(tunables.MULTIPLIERS), min(tunables.MULTIPLIERS)):
            yield {name: factor if arm_of[name] == arm else 1.0 for name in voting}


def _climb(log: Refusion, streams: Sequence[str], start: Weights, quality: float) -> tuple[dict[str, float], float]:
    """Move one stream's weight at a time to its best value on the grid, while that gains LEAST_STEP."""
    weights = dict(start)
    for _ in range(tunables.MOST_ROUNDS):
        before = quality
        for name in streams:
            tried = {
                value: float(log.quality({**weights, name: value}).mean())
                for value in tunables.MULTIPLIERS
                if value != weights[name]
            }
            value = max(tried, key=lambda one: tried[one])
            if tried[value] > quality + tunables.LEAST_STEP:
                weights[name], quality = value, tried[value]
        if quality <= before:
            break
    return weights, quality


def is_held_out(question: str) -> bool:
    """Whether a fit may not see the question: by its digest in hexadecimal, so that it is always on the same side."""
    return int(question[:8] or "0", 16) % 10 < tunables.HELD_OUT_TENTHS


def lower_bound(gains: Numbers, random: np.random.Generator) -> float:
    """The BOOTSTRAP_TAIL quantile of the average gain over resampled questions (a paired bootstrap)."""
    picks = random.integers(0, len(gains), size=(tunables.BOOTSTRAP_ROUNDS, len(gains)))
    return float(np.quantile(gains[picks].mean(axis=1), tunables.BOOTSTRAP_TAIL))


def fit(
    judged: Sequence[Judged],
    arm_of: Mapping[str, str],
    old: Weights,
    *,
    k: float,
    agreement: float,
    random: np.random.Generator,
) -> Fit | None:
    """New weights for what was used, beside the old ones; None when there are too few questions to judge by.

    The new ones have won when they gain LEAST_GAIN on held-out questions and the gain's lower bound is above 0.
    """
    known = [one for one in judged if one.used.intersection(one.candidates)]
    seen = [one for one in known if not is_held_out(one.question)]
    unseen = [one for one in known if is_held_out(one.question)]
    if len({one.question for one in known}) < tunables.LEAST_QUESTIONS or not seen or not unseen:
        return None
    new = {**old, **search_grid(Refusion(seen, arm_of, k=k, agreement=agreement), arm_of, old)}
    test = Refusion(unseen, arm_of, k=k, agreement=agreement)
    before, after = test.quality(old), test.quality(new)
    least = lower_bound(after - before, random)
    return Fit(
        old=dict(old),
        new=new,
        questions=len({one.question for one in known}),
        held_out=len(test.questions),
        old_score=float(before.mean()),
        new_score=float(after.mean()),
        least_gain=least,
        outcome=_outcome(old, new, float((after - before).mean()), least),
    )


def _outcome(old: Weights, new: Weights, gain: float, least: float) -> Outcome:
    if all(value == old.get(name, 1.0) for name, value in new.items()):
        return "same"
    if gain < tunables.LEAST_GAIN:
        return "no_gain"
    return "won" if least > 0 else "unsure"
