"""The sparse vectors against the textbook formula, and the limits of pgvector and tsvector."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.text import Analysis, Analyzer
from memory_core.text.bm25 import document_weights, idf, pieces, query_weights, term_id, to_sparsevec
from tests.text.reference_bm25 import rank

WORDS = st.sampled_from(["cache", "token", "pool", "timeout", "数据", "e0308", "retry"])
DOCUMENTS = st.lists(st.lists(WORDS, min_size=1, max_size=12), min_size=1, max_size=8)


@given(DOCUMENTS, st.dictionaries(WORDS, st.sampled_from([1.0, 0.7]), min_size=1))
def test_the_inner_product_of_the_vectors_is_the_textbook_score(
    texts: list[list[str]], query: dict[str, float]
) -> None:
    documents = [Analysis(tuple(text), len(text)) for text in texts]
    average = sum(document.length for document in documents) / len(documents)
    frequencies = Counter(term for document in documents for term in document.counts)
    vector = query_weights(query, frequencies, len(documents))
    scores = []
    for number, document in enumerate(documents):
        weights = document_weights(document.counts, document.length, average)
        score = sum(weight * weights.get(dimension, 0.0) for dimension, weight in vector.items())
        if score > 0:
            scores.append((number, score))
    expected = dict(rank(query, documents))
    assert dict(scores) == pytest.approx(expected)


def test_one_worked_score() -> None:
    documents = [Analyzer().analyze(text) for text in ("cache cache miss", "pool", "pool drain")]
    # idf = ln(2.5/1.5 + 1); the average length is 2; tf 2 of length 3: 2*2.2 / (2 + 1.2*(0.25 + 0.75*1.5)).
    ((number, score),) = rank({"cach": 1.0}, documents)
    assert number == 0
    assert score == pytest.approx(0.980829 * 4.4 / 3.65, rel=1e-6)


def test_a_term_id_is_the_same_for_ever() -> None:
    assert [term_id(term) for term in ("cache", "数据库", "")] == [726837586, 551194908, 258269877]


@given(st.text(st.characters()))
def test_a_term_id_fits_a_sparsevec(term: str) -> None:
    assert 1 <= term_id(term) <= 1_000_000_000


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_idf_is_never_negative_even_when_statistics_lag(frequency: int, documents: int) -> None:
    assert idf(frequency, documents) >= 0


def test_a_rarer_term_weighs_more() -> None:
    assert idf(1, 100) > idf(2, 100) > idf(99, 100)


def test_a_term_that_no_document_has_is_left_out_of_the_query() -> None:
    assert query_weights({"known": 1.0, "unknown": 1.0}, {"known": 3}, 10).keys() == {term_id("known")}


def test_the_first_document_of_an_empty_index_counts_as_average() -> None:
    assert document_weights({"a": 1}, 5, 0.0) == pytest.approx({term_id("a"): 1.0})


@pytest.mark.parametrize(
    "weights",
    [{0: 1.0}, {1_000_000_001: 1.0}, {1: float("nan")}, {1: float("inf")}, dict.fromkeys(range(1, 16_002), 1.0)],
    ids=["index 0", "index beyond", "nan", "infinite", "too many"],
)
def test_what_pgvector_refuses_is_refused_here(weights: dict[int, float]) -> None:
    with pytest.raises(ValueError, match=r"non-zero|outside|finite"):
        to_sparsevec(weights)


def test_zeros_are_not_written_and_nothing_is_a_vector_too() -> None:
    assert to_sparsevec({3: 0.0, 9: 1.5}, 10) == "{9:1.5}/10"
    assert to_sparsevec({}, 10) == "{}/10"


@given(st.lists(WORDS, min_size=1, max_size=60), st.integers(1, 4), st.integers(10, 60))
def test_pieces_keep_all_terms_in_order_within_both_limits(terms: list[str], distinct: int, size: int) -> None:
    analysis = Analysis(tuple(terms), len(terms) // 2)
    cut = list(pieces(analysis, max_distinct=distinct, max_bytes=size))
    assert tuple(term for piece in cut for term in piece.terms) == analysis.terms
    assert sum(piece.length for piece in cut) == analysis.length
    for piece in cut:
        assert 1 <= len(piece.counts) <= distinct
        assert len(piece.counts) == 1 or sum(len(term.encode()) + 4 for term in piece.counts) <= size


@given(st.lists(WORDS, min_size=1))
def test_a_document_that_fits_is_one_piece(terms: list[str]) -> None:
    analysis = Analysis(tuple(terms), len(terms))
    assert list(pieces(analysis)) == [analysis]


@pytest.mark.parametrize("distinct", [16_000, 16_001, 33_000])
def test_a_long_document_gives_vectors_that_pgvector_stores(distinct: int) -> None:
    analysis = Analysis(tuple(f"t{number}" for number in range(distinct)), distinct)
    for piece in pieces(analysis):
        to_sparsevec(document_weights(piece.counts, piece.length, 100.0))
