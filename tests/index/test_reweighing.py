"""Weights made anew for another average length are the weights that a fresh analysis gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.text.bm25 import document_weights, to_sparsevec
from memory_core.text.reweighing import from_sparsevec, reweigh

counts = st.dictionaries(st.text("abcdef", min_size=1, max_size=4), st.integers(1, 200), max_size=12)
averages = st.floats(1, 5000)


@given(counts, st.integers(0, 3000), averages, averages)
def test_from_one_average_to_another(terms: dict[str, int], extra: int, was: float, now: float) -> None:
    length = sum(terms.values()) + extra

    fresh = reweigh(document_weights(terms, length, was), length, was, now)

    assert fresh == pytest.approx(document_weights(terms, length, now), abs=1e-6)


@given(counts, st.integers(0, 3000), averages, averages)
def test_from_what_the_database_stored(terms: dict[str, int], extra: int, was: float, now: float) -> None:
    length = sum(terms.values()) + extra
    stored = from_sparsevec(to_sparsevec(document_weights(terms, length, was)))

    assert reweigh(stored, length, was, now) == pytest.approx(document_weights(terms, length, now), abs=5e-3)


@given(counts, st.integers(0, 3000), averages, averages)
def test_there_and_back(terms: dict[str, int], extra: int, was: float, now: float) -> None:
    length = sum(terms.values()) + extra
    weights = document_weights(terms, length, was)

    assert reweigh(reweigh(weights, length, was, now), length, now, was) == pytest.approx(weights, abs=1e-6)


def test_a_weight_at_its_limit_stays_there() -> None:
    assert reweigh({7: 2.2}, 10, 60, 600) == pytest.approx({7: 2.2}, abs=1e-3)


def test_nothing_has_no_weight() -> None:
    assert reweigh({}, 0, 60, 30) == {}
