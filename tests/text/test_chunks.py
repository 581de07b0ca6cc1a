"""Chunks cover the text, keep the limit, and end where a reader would end them."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.text.chunks import chunk, word_spans

TEXTS = st.text("ab cd.!?。\n\n字 \t", max_size=200) | st.text(st.characters(), max_size=200)
LIMITS = st.integers(1, 12).flatmap(lambda most: st.tuples(st.just(most), st.integers(0, most - 1)))


@given(TEXTS, LIMITS)
def test_chunks_cover_the_text_in_order_within_the_limit(text: str, limits: tuple[int, int]) -> None:
    most, overlap = limits
    chunks = chunk(text, most, overlap)
    tokens = word_spans(text)
    position = 0
    for piece in chunks:
        assert piece.text == text[piece.start : piece.end]
        assert piece.start <= position < piece.end
        touched = [span for span in tokens if span[1] > piece.start and span[0] < piece.end]
        assert len(touched) <= most
        position = piece.end
    assert position == len(text)


@given(TEXTS, st.integers(1, 12))
def test_without_overlap_the_chunks_joined_are_the_text(text: str, most: int) -> None:
    assert "".join(piece.text for piece in chunk(text, most)) == text


@given(TEXTS, LIMITS)
def test_neighbours_share_no_more_than_the_overlap(text: str, limits: tuple[int, int]) -> None:
    most, overlap = limits
    chunks = chunk(text, most, overlap)
    for left, right in pairwise(chunks):
        assert len(word_spans(text[right.start : left.end])) <= overlap


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("one two three\n\nfour. five\nsix seven", "one two three\n\n"),
        ("one two three\nfour. five six seven", "one two three\n"),
        ("one two three. four five six seven", "one two three. "),
        ("一二三四五六。七八九十", "一二三四五六。"),
    ],
    ids=["paragraph", "line", "sentence", "full-width stop"],
)
def test_the_best_border_in_reach_is_taken(text: str, first: str) -> None:
    characters = [(i, i + 1) for i in range(len(text))]
    by_words = word_spans(text) if text.isascii() else characters
    assert chunk(text, 6 if text.isascii() else 8, spans=lambda _: by_words)[0].text == first


def test_an_overlap_starts_at_a_border() -> None:
    text = "Alpha beta gamma delta. Echo foxtrot. Golf hotel india juliet kilo."
    second = chunk(text, 8, 4)[1]
    assert second.text.startswith("Echo foxtrot. ")


def test_a_character_of_more_tokens_than_the_limit_stands_alone() -> None:
    spans = [(0, 1), (1, 2), (1, 2), (1, 2), (2, 3)]  # a byte-level tokenizer on a rare character
    assert [piece.text for piece in chunk("a𓀀b", 2, spans=lambda _: spans)] == ["a", "𓀀", "b"]


def test_a_text_without_tokens_is_one_chunk_and_an_empty_one_none() -> None:
    assert [piece.text for piece in chunk(" \n ", 4)] == [" \n "]
    assert chunk("", 4) == []


@pytest.mark.parametrize(("most", "overlap"), [(0, 0), (4, 4), (4, -1)])
def test_limits_that_cannot_work_are_refused(most: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap_tokens"):
        chunk("text", most, overlap)


@pytest.mark.parametrize("unit", ["word ", "x", ".", "\n", " ", "字", "a.\n"], ids=repr)
def test_time_grows_with_the_text_and_not_with_its_square(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        began = time.process_time()
        chunk(text, 256, 32)
        return time.process_time() - began

    assert seconds(320_000) < max(min(seconds(40_000), seconds(40_000)), 0.005) * 8 * 3
