"""The order that follows from two opinions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.rerank.order import blend, order

SCORES = st.floats(min_value=-20, max_value=20, allow_nan=False).map(lambda value: round(value, 3))
PAIRS = st.lists(st.tuples(st.floats(min_value=0, max_value=1).map(lambda value: round(value, 3)), SCORES), max_size=30)


def two_opinions(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    ordered = sorted(pairs, key=lambda pair: -pair[0])
    return [fused for fused, _ in ordered], [model for _, model in ordered]


@given(PAIRS, st.floats(min_value=0, max_value=1))
def test_nothing_is_lost_and_nothing_leaves_the_range(pairs: list[tuple[float, float]], weight: float) -> None:
    fused, model = two_opinions(pairs)

    blended = blend(fused, model, weight)

    assert sorted(order(fused, model, weight)) == list(range(len(pairs)))
    assert all(min(fused) - 1e-9 <= score <= max(fused) + 1e-9 for score in blended)


@given(PAIRS)
def test_no_weight_is_the_order_given(pairs: list[tuple[float, float]]) -> None:
    fused, model = two_opinions(pairs)

    assert order(fused, model, 0.0) == list(range(len(pairs)))
    assert blend(fused, model, 0.0) == fused


@given(PAIRS)
def test_the_whole_weight_is_the_models_order(pairs: list[tuple[float, float]]) -> None:
    fused, model = two_opinions(pairs)
    told_apart = len(set(fused)) > 1 and len(set(model)) > 1

    if told_apart:
        given = [model[place] for place in order(fused, model, 1.0)]
        assert given == sorted(model, reverse=True)


@given(PAIRS, st.floats(min_value=0.05, max_value=0.95))
def test_what_both_prefer_stays_above(pairs: list[tuple[float, float]], weight: float) -> None:
    fused, model = two_opinions(pairs)
    place = {index: rank for rank, index in enumerate(order(fused, model, weight))}

    for first in range(len(pairs)):
        for second in range(len(pairs)):
            if fused[first] > fused[second] and model[first] > model[second]:
                assert place[first] < place[second]


@pytest.mark.parametrize(
    ("fused", "model", "expected"),
    [
        pytest.param([0.9, 0.1], [0.0, 1.0], [1, 0], id="of equal blends the model's first"),
        pytest.param([0.5, 0.5, 0.5], [1.0, 1.0, 1.0], [0, 1, 2], id="equal in everything: as they stood"),
        pytest.param(
            [0.9, 0.5, 0.1], [2.0, 2.0, 2.0], [0, 1, 2], id="a model that tells nothing apart changes nothing"
        ),
        pytest.param([], [], [], id="nothing"),
    ],
)
def test_ties(fused: list[float], model: list[float], expected: list[int]) -> None:
    assert order(fused, model, 0.5) == expected


def test_two_lists_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="2 fused scores and 1"):
        blend([0.5, 0.4], [1.0], 0.5)
