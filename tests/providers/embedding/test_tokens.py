"""Counting and locating tokens of texts of any size."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_core.domain.ports import Embedder
from memory_core.providers import tokens
from memory_core.providers.embedding.null import NullEmbedder
from memory_core.providers.embedding.onnx_embedder import batches
from memory_core.providers.tokens import well_formed, windows

LAW = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=50
)


@LAW
@given(text=st.text(st.characters(), max_size=200))
def test_spans_lie_in_order_inside_the_text_and_are_counted(minilm: Embedder, text: str) -> None:
    spans = minilm.token_spans(text)

    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    assert minilm.count_tokens(text) == len(spans)


def test_spans_are_the_pieces_of_the_words(minilm: Embedder) -> None:
    text = "Naïve retries: 3"

    assert [text[start:end] for start, end in minilm.token_spans(text)] == ["Naïve", "re", "tries", ":", "3"]


@LAW
@given(words=st.lists(st.sampled_from(["pool", "retry_after", "naïve", "池", "x" * 30, "3.14"]), max_size=80))
def test_a_text_cut_into_windows_has_the_same_spans(minilm: Embedder, words: list[str]) -> None:
    text = " ".join(words)
    whole = minilm.token_spans(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "SPAN_WINDOW_CHARACTERS", 50)
        assert minilm.token_spans(text) == whole


@given(text=st.text(alphabet="ab \n池", max_size=60), size=st.integers(1, 20))
def test_windows_put_together_are_the_text(text: str, size: int) -> None:
    pieces = list(windows(text, size))

    assert "".join(piece for _, piece in pieces) == text
    assert all(0 < len(piece) <= size and text[start:].startswith(piece) for start, piece in pieces)


@given(text=st.text(st.characters()))
def test_any_string_becomes_one_of_equal_length_that_can_be_written(text: str) -> None:
    clean = well_formed(text)

    assert len(clean) == len(text)
    clean.encode("utf-8")


@given(lengths=st.lists(st.integers(2, 300)), limit=st.integers(1, 2_000))
def test_batches_hold_every_text_once_and_keep_to_the_limit(lengths: list[int], limit: int) -> None:
    made = list(batches(lengths, limit))

    assert sorted(index for batch in made for index in batch) == list(range(len(lengths)))
    assert all(len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= limit for batch in made)


@given(text=st.text(st.characters()))
def test_without_a_model_every_visible_character_is_in_one_token(text: str) -> None:
    null = NullEmbedder("no model")

    covered = "".join(text[start:end] for start, end in null.token_spans(text))

    assert covered == "".join(text.split())
    assert null.count_tokens(text) == len(null.token_spans(text))
