"""Jaccard similarity, to the fraction, at the thresholds that supersede and point out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain.tunables_text import SIMILAR_ABOVE, SUPERSEDE_ABOVE
from memory_core.text import Analyzer
from memory_core.text.similarity import jaccard, similarity_words

TEN = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"]


@pytest.mark.parametrize(
    ("shared", "of", "supersedes", "similar"),
    [
        (7, 10, False, True),  # exactly .7 does not supersede
        (8, 10, True, True),
        (4, 10, False, False),  # exactly .4 is not similar
        (5, 10, False, True),
    ],
)
def test_a_threshold_itself_is_not_above_it(shared: int, of: int, supersedes: bool, similar: bool) -> None:
    score = jaccard(" ".join(TEN[:of]), " ".join(TEN[:shared]))
    assert score == shared / of
    assert (score > SUPERSEDE_ABOVE, score > SIMILAR_ABOVE) == (supersedes, similar)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("Use Postgres", "use postgres", 1.0),
        ("use it on db", "use", 1.0),  # words of two characters do not count
        ("a b", "a  b", 1.0),  # no words: equal but for whitespace
        ("a b", "a c", 0.0),
        ("", "use", 0.0),
        ("", "", 1.0),
        ("cafe\u0301 noir", "caf\u00e9 noir", 1.0),
        ("数据库", "数据", 0.5),  # 数据 据库 against 数据
        ("池", "池", 1.0),
        ("用 redis 缓存", "用 redis 队列", 0.5),  # 用 redis of 用 redis 缓存 队列
    ],
)
def test_similarity_of_two_texts(left: str, right: str, expected: float) -> None:
    assert jaccard(left, right) == expected


def test_the_words_of_a_segmenter_count_too() -> None:
    words = Analyzer().words
    assert "数据库" in similarity_words("连接数据库", words)
    assert "数据库" not in similarity_words("连接数据库")


@given(st.text(st.characters()), st.text(st.characters()))
def test_similarity_is_symmetric_and_a_share(left: str, right: str) -> None:
    assert jaccard(left, right) == jaccard(right, left)
    assert 0.0 <= jaccard(left, right) <= 1.0
    assert jaccard(left, left) == 1.0
