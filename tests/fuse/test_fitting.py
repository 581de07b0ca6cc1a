"""Weights are fitted to what was used: the fusion is recall's own, truth is found, noise changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain import tunables_weights as tunables
from memory_core.fuse import fitting, rrf
from memory_core.fuse.fitting import Fit, Judged

ARMS = {"words": "lexical", "beside": "lexical", "vectors": "dense", "links": "linked"}
K, AGREEMENT = 10.0, 0.05
SIZE = 40

ids = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True)
factors = st.sampled_from([0.0, *tunables.MULTIPLIERS])


@st.composite
def answers(draw: st.DrawFn) -> Judged:
    candidates = draw(ids)
    streams = draw(st.lists(st.sampled_from(list(ARMS)), unique=True))
    one = st.lists(st.integers(0, 30), min_size=len(candidates), max_size=len(candidates))
    return Judged(
        question=draw(st.sampled_from(["0a", "0b"])),
        candidates=candidates,
        ranks={name: draw(one) for name in streams},
        votes={name: draw(st.sampled_from([0.0, 0.35, 0.7, 1.0])) for name in streams},
        used=frozenset(draw(st.lists(st.sampled_from(candidates)))),
    )


def twin(one: Judged, weights: fitting.Weights) -> list[rrf.Fused]:
    hits = [
        rrf.Hit(stream, candidate, rank)
        for stream, ranks in one.ranks.items()
        for candidate, rank in zip(one.candidates, ranks, strict=True)
        if rank
    ]
    streams = {name: rrf.Stream(ARMS[name], vote * weights.get(name, 1.0)) for name, vote in one.votes.items()}
    return rrf.fuse(hits, streams, k=K, agreement=AGREEMENT)


@given(st.lists(answers(), min_size=1, max_size=4), st.fixed_dictionaries({}, optional=dict.fromkeys(ARMS, factors)))
def test_recorded_ranks_are_fused_as_recall_fuses_them(log: list[Judged], weights: dict[str, float]) -> None:
    again = fitting.Refusion(log, ARMS, k=K, agreement=AGREEMENT)

    scores, _ = again.scores(weights)
    places = again.places(weights)

    for row, one in enumerate(log):
        fused = twin(one, weights)
        by_id = sorted(one.candidates)
        expected = {record.object_id: record.score for record in fused}
        assert dict(zip(by_id, scores[row], strict=False)) == pytest.approx(
            {candidate: expected.get(candidate, 0.0) for candidate in by_id}
        )
        given_back = [candidate for _, candidate in sorted(zip(places[row], by_id, strict=False)) if _]
        rounded = {record.object_id: round(record.score, 12) for record in fused}
        in_order = sorted(fused, key=lambda one: (-rounded[one.object_id], one.best_rank, one.object_id))
        assert given_back == [record.object_id for record in in_order]


@given(st.lists(answers(), min_size=1, max_size=4), st.floats(0.1, 10))
def test_only_the_proportion_of_weights_counts(log: list[Judged], factor: float) -> None:
    again = fitting.Refusion(log, ARMS, k=K, agreement=AGREEMENT)

    assert again.quality(dict.fromkeys(ARMS, factor)) == pytest.approx(again.quality({}))


def test_quality_is_one_when_what_was_used_stands_first_and_less_below() -> None:
    first = Judged(
        question="0a",
        candidates=["b", "a", "c"],
        ranks={"words": [2, 1, 3]},
        votes={"words": 1.0},
        used=frozenset("a"),
    )

    def quality(*log: Judged) -> list[float]:
        return list(fitting.Refusion(log, ARMS, k=K, agreement=AGREEMENT).quality({}))

    assert quality(first) == [1.0]
    assert quality(replace(first, used=frozenset("ab"))) == pytest.approx([1.0])
    assert quality(replace(first, used=frozenset("c"))) == pytest.approx([0.5])
    assert quality(replace(first, votes={"words": 0.0})) == [0.0]


def test_a_question_asked_often_counts_once() -> None:
    good = Judged(
        question="0a", candidates=["a", "b"], ranks={"words": [1, 2]}, votes={"words": 1.0}, used=frozenset("a")
    )
    bad = replace(good, question="0b", used=frozenset("b"))

    quality = fitting.Refusion([good, good, good, bad], ARMS, k=K, agreement=AGREEMENT).quality({})

    assert list(quality) == pytest.approx([1.0, 1 / np.log2(3)])


Chooses = Callable[[Random, list[str], list[str]], str]
"""From the shown records and the order by words: which one is used."""


def simulated(count: int, chooses: Chooses, seed: int = 0) -> list[Judged]:
    """Answers whose words and vectors rank independently; the order shown is that of the equal votes."""
    random = Random(seed)
    log = []
    for number in range(count):
        candidates = [f"r{place:02}" for place in range(SIZE)]
        ranks = {name: random.sample(range(1, SIZE + 1), SIZE) for name in ("words", "vectors")}
        one = Judged(
            question=hashlib.blake2b(f"{seed} {number}".encode(), digest_size=8).hexdigest(),
            candidates=candidates,
            ranks=ranks,
            votes={"words": 1.0, "vectors": 1.0},
            used=frozenset(),
        )
        shown = [record.object_id for record in twin(one, {})][:20]
        by_words = sorted(shown, key=lambda candidate: ranks["words"][candidates.index(candidate)])
        log.append(replace(one, used=frozenset([chooses(random, shown, by_words)])))
    return log


def by_words(random: Random, shown: list[str], by_words: list[str]) -> str:
    return by_words[0] if random.random() < 0.7 else random.choice(shown)


def any_of_them(random: Random, shown: list[str], by_words: list[str]) -> str:
    return random.choice(shown)


def the_top_most_often(random: Random, shown: list[str], by_words: list[str]) -> str:
    return shown[min(int(random.expovariate(0.5)), len(shown) - 1)]


def fitted(log: list[Judged], old: dict[str, float] | None = None, seed: int = 1) -> Fit | None:
    return fitting.fit(log, ARMS, old or {}, k=K, agreement=AGREEMENT, random=np.random.default_rng(seed))


def test_words_get_more_weight_where_the_used_records_are_those_with_the_words() -> None:
    fit = fitted(simulated(300, by_words))

    assert fit is not None
    assert fit.outcome == "won"
    assert fit.new["words"] / max(fit.new["vectors"], 1e-9) >= 2
    assert fit.new_score >= fit.old_score + tunables.LEAST_GAIN
    assert fit.least_gain > 0
    assert fit.questions == 300
    assert 90 <= fit.held_out <= 150


@pytest.mark.parametrize("chooses", [any_of_them, the_top_most_often])
def test_noise_keeps_the_old_weights(chooses: Chooses) -> None:
    for seed in range(5):
        fit = fitted(simulated(150, chooses, seed))

        assert fit is not None
        assert fit.outcome != "won"


def test_what_has_won_is_not_replaced_by_the_same_evidence() -> None:
    log = simulated(300, by_words)
    won = fitted(log)
    assert won is not None

    again = fitted(log, won.new)

    assert again is not None
    assert again.outcome != "won"
    assert again.old == won.new


def test_the_same_log_gives_the_same_fit() -> None:
    log = simulated(100, by_words)

    assert fitted(log) == fitted(log)


@pytest.mark.parametrize(
    "log",
    [
        [],
        simulated(tunables.LEAST_QUESTIONS - 1, by_words),
        [replace(one, used=frozenset()) for one in simulated(100, by_words)],
        [replace(one, used=frozenset(["elsewhere"])) for one in simulated(100, by_words)],
        [replace(one, question="0" * 16) for one in simulated(100, by_words)],
    ],
    ids=["nothing", "too few", "nothing used", "used, but never a candidate", "one question again and again"],
)
def test_too_little_evidence_is_no_fit(log: list[Judged]) -> None:
    assert fitted(log) is None


def test_a_stream_that_never_voted_keeps_its_weight() -> None:
    fit = fitted(simulated(300, by_words), {"links": 0.5})

    assert fit is not None
    assert fit.new["links"] == 0.5
    assert "beside" not in fit.new


def test_a_question_is_always_on_the_same_side() -> None:
    sides = [
        fitting.is_held_out(hashlib.blake2b(bytes([n, m]), digest_size=8).hexdigest())
        for n in range(50)
        for m in range(50)
    ]

    assert sum(sides) / len(sides) == pytest.approx(tunables.HELD_OUT_TENTHS / 10, abs=0.05)
