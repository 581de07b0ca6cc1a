"""Fusion: the Python twin and the SQL function give the same, and both keep fusion's laws."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from django.db import connection
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from memory_core.fuse.rrf import Fused, Hit, Stream, fuse

K, AGREEMENT = 60.0, 0.05

names = st.sampled_from(["words", "phrases", "vectors", "links"])
ids = st.sampled_from(["a", "b", "c", "d", "e", "f"])
hits = st.lists(st.builds(Hit, stream=names | st.just("unknown"), object_id=ids, rank=st.integers(1, 80)), max_size=30)
weights = st.sampled_from([0.0, 0.1, 0.5, 1.0]) | st.floats(0.001, 10)
streams = st.dictionaries(
    names, st.builds(Stream, arm=st.sampled_from(["lexical", "dense", "linked"]), weight=weights), max_size=4
)
constants = st.tuples(st.floats(1, 200), st.floats(0, 0.5))


def fuse_in_sql(given_hits: list[Hit], given_streams: dict[str, Stream], k: float, agreement: float) -> list[Fused]:
    """What the database makes of it, in its order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM everlore_rrf(%s::text[], %s::text[], %s::integer[], %s::text[], %s::text[], %s::float8[],"
            " %s, %s) ORDER BY score DESC, best_rank, object_id",
            [
                [hit.stream for hit in given_hits],
                [hit.object_id for hit in given_hits],
                [hit.rank for hit in given_hits],
                list(given_streams),
                [stream.arm for stream in given_streams.values()],
                [stream.weight for stream in given_streams.values()],
                k,
                agreement,
            ],
        )
        return [Fused(*row) for row in cursor.fetchall()]


@pytest.mark.django_db
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(hits, streams, constants)
def test_the_sql_function_and_its_twin_agree(
    given_hits: list[Hit], given_streams: dict[str, Stream], given_constants: tuple[float, float]
) -> None:
    k, agreement = given_constants

    in_sql = fuse_in_sql(given_hits, given_streams, k, agreement)
    in_python = fuse(given_hits, given_streams, k=k, agreement=agreement)

    twin = {one.object_id: one for one in in_python}
    assert len(twin) == len(in_sql)
    for one in in_sql:
        other = twin[one.object_id]
        assert one.score == pytest.approx(other.score, abs=1e-9)
        assert (one.best_rank, one.arms_matched) == (other.best_rank, other.arms_matched)
    scores = [twin[one.object_id].score for one in in_sql]
    assert all(earlier >= later - 1e-9 for earlier, later in pairwise(scores))


@pytest.mark.django_db
def test_ties_are_broken_by_rank_and_then_by_id_in_both() -> None:
    tied = [Hit("words", "b", 1), Hit("words", "a", 1), Hit("words", "c", 2), Hit("vectors", "d", 1)]
    equal = {"words": Stream("lexical", 1), "vectors": Stream("dense", 1)}

    order = [one.object_id for one in fuse(tied, equal, k=K, agreement=AGREEMENT)]

    assert order == [one.object_id for one in fuse_in_sql(tied, equal, K, AGREEMENT)] == ["a", "b", "d", "c"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given_hits", "given_streams"),
    [
        ([], {}),
        ([], {"words": Stream("lexical", 1)}),
        ([Hit("words", "a", 1)], {}),
        ([Hit("words", "a", 1)], {"words": Stream("lexical", 0)}),
    ],
    ids=["nothing", "no hits", "no streams", "no vote"],
)
def test_nothing_fused_is_nothing(given_hits: list[Hit], given_streams: dict[str, Stream]) -> None:
    assert fuse(given_hits, given_streams, k=K, agreement=AGREEMENT) == []
    assert fuse_in_sql(given_hits, given_streams, K, AGREEMENT) == []


def scores(given_hits: list[Hit], given_streams: dict[str, Stream], agreement: float = AGREEMENT) -> dict[str, float]:
    return {one.object_id: one.score for one in fuse(given_hits, given_streams, k=K, agreement=agreement)}


@given(hits, streams)
def test_scores_lie_between_nothing_and_full_agreement(given_hits: list[Hit], given_streams: dict[str, Stream]) -> None:
    for one in fuse(given_hits, given_streams, k=K, agreement=AGREEMENT):
        assert 0 < one.score <= (1 + AGREEMENT * (one.arms_matched - 1)) * (1 + 1e-12)


@given(streams)
def test_first_everywhere_is_one_and_the_bonus_of_agreement(given_streams: dict[str, Stream]) -> None:
    voting = {name: stream for name, stream in given_streams.items() if stream.weight > 0}
    assume(voting)
    arms = {stream.arm for stream in voting.values()}

    first = scores([Hit(name, "a", 1) for name in given_streams], given_streams)["a"]

    assert first == pytest.approx(1 + AGREEMENT * (len(arms) - 1))


@given(hits.filter(bool), streams, st.data())
def test_a_better_rank_never_scores_less(
    given_hits: list[Hit], given_streams: dict[str, Stream], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(given_hits) - 1))
    moved = given_hits[at]
    better = replace(moved, rank=data.draw(st.integers(1, moved.rank)))

    before = scores(given_hits, given_streams).get(moved.object_id, 0)
    after = scores([*given_hits[:at], better, *given_hits[at + 1 :]], given_streams).get(moved.object_id, 0)

    assert after >= before - 1e-12


@given(hits, streams, st.floats(0.01, 100))
def test_only_the_proportion_of_weights_counts(
    given_hits: list[Hit], given_streams: dict[str, Stream], factor: float
) -> None:
    scaled = {name: Stream(stream.arm, stream.weight * factor) for name, stream in given_streams.items()}

    assert scores(given_hits, scaled) == pytest.approx(scores(given_hits, given_streams))


@given(hits, streams, names)
def test_a_stream_without_a_vote_changes_nothing(
    given_hits: list[Hit], given_streams: dict[str, Stream], silent: str
) -> None:
    silenced = {**given_streams, silent: Stream("dense", 0)}
    without = {name: stream for name, stream in given_streams.items() if name != silent}

    assert scores(given_hits, silenced) == pytest.approx(scores(given_hits, without))


@given(hits, streams, st.randoms(use_true_random=False))
def test_the_order_of_the_hits_is_nothing(
    given_hits: list[Hit], given_streams: dict[str, Stream], random: object
) -> None:
    shuffled = [*given_hits, *given_hits[:3]]  # and a hit twice is a hit once
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert scores(shuffled, given_streams) == pytest.approx(scores(given_hits, given_streams))


@given(st.permutations(["a", "b", "c", "d"]))
def test_one_stream_alone_keeps_its_order(order: list[str]) -> None:
    ranked = [Hit("words", id, rank) for rank, id in enumerate(order, start=1)]

    fused = fuse(ranked, {"words": Stream("lexical", 0.3)}, k=K, agreement=AGREEMENT)

    assert [one.object_id for one in fused] == order


def test_two_streams_of_one_arm_do_not_agree_with_each_other() -> None:
    both = [Hit("words", "a", 1), Hit("phrases", "a", 1)]

    same = fuse(both, {"words": Stream("lexical", 1), "phrases": Stream("lexical", 1)}, k=K, agreement=AGREEMENT)
    apart = fuse(both, {"words": Stream("lexical", 1), "phrases": Stream("dense", 1)}, k=K, agreement=AGREEMENT)

    assert (same[0].score, same[0].arms_matched) == (pytest.approx(1), 1)
    assert (apart[0].score, apart[0].arms_matched) == (pytest.approx(1.05), 2)
