"""What says again what stands above it goes back, and only that."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.fuse.novelty import put_back

SAID = st.lists(
    st.tuples(
        st.floats(min_value=0.01, max_value=1.0),
        st.frozensets(st.sampled_from("abcdefgh"), max_size=8),
    ),
    max_size=12,
)


def ranked(said: Sequence[tuple[float, frozenset[str]]]) -> tuple[list[float], list[frozenset[str]]]:
    ordered = sorted(said, key=lambda one: -one[0])
    return [score for score, _ in ordered], [words for _, words in ordered]


@given(SAID, st.floats(min_value=0.1, max_value=1.0), st.floats(min_value=0.0, max_value=1.0))
def test_nothing_is_lost_and_only_repetition_costs(
    said: list[tuple[float, frozenset[str]]], alike: float, share: float
) -> None:
    scores, words = ranked(said)

    standings = put_back(scores, words, ["s"] * len(said), alike=alike, share=share, most=10)

    assert sorted(one.place for one in standings) == list(range(len(said)))
    assert [one.score for one in standings] == sorted((one.score for one in standings), reverse=True)
    for one in standings:
        if one.repeats is None:
            assert one.score == scores[one.place]
        else:
            a, b = words[one.place], words[one.repeats]
            assert one.repeats < one.place < 10
            assert len(a & b) / len(a | b) >= alike - 1e-9
            assert one.score == scores[one.place] * share


@given(SAID)
def test_keeping_the_whole_score_changes_nothing(said: list[tuple[float, frozenset[str]]]) -> None:
    scores, words = ranked(said)

    standings = put_back(scores, words, [""] * len(said), alike=0.8, share=1.0, most=len(said))

    assert [one.place for one in standings] == list(range(len(said)))


@pytest.mark.parametrize(
    ("other", "places"),
    [
        pytest.param("abcdefghij", [0, 2, 1], id="the same words"),
        pytest.param("abcdefghik", [0, 1, 2], id="one word of ten differs: 9 of 11 in common"),
        pytest.param("", [0, 1, 2], id="no words say nothing again"),
    ],
)
def test_what_counts_as_the_same(other: str, places: list[int]) -> None:
    words = [frozenset("abcdefghij"), frozenset(other), frozenset("xyz")]

    standings = put_back([0.9, 0.8, 0.7], words, ["s"] * 3, alike=0.9, share=0.5, most=3)

    assert [one.place for one in standings] == places


def test_what_stands_below_the_compared_ones_stays() -> None:
    words = [frozenset("abc"), frozenset("xyz"), frozenset("abc")]

    standings = put_back([0.9, 0.8, 0.7], words, ["s"] * 3, alike=0.9, share=0.1, most=2)

    assert [one.place for one in standings] == [0, 1, 2]


def test_what_comes_again_in_another_session_happened_again() -> None:
    words = [frozenset("abc"), frozenset("abc"), frozenset("abc")]

    standings = put_back([0.9, 0.8, 0.7], words, ["s", "t", "s"], alike=0.9, share=0.5, most=3)

    assert [(one.place, one.repeats) for one in standings] == [(0, None), (1, None), (2, 0)]
