"""The part of a record that is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.rerank.passage import best_part, passage


def letters(text: str) -> list[tuple[int, int]]:
    """Each sign that is no space is a token."""
    return [(place, place + 1) for place, sign in enumerate(text) if not sign.isspace()]


@given(st.text(alphabet="ab \n", max_size=60), st.frozensets(st.sampled_from("ab")), st.integers(1, 20))
def test_a_part_is_of_the_text_and_no_longer_than_the_room(text: str, asked: frozenset[str], room: int) -> None:
    part = best_part(text, asked, room=room, spans_of=letters, terms_of=str.split)

    assert part in text
    assert len(letters(part)) == min(room, len(letters(text)))


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        pytest.param("Run", "a b c d e f", "Run\nd e f", id="the part with the word, under the title"),
        pytest.param("a b…", "a b c d e f", "a b c d e f", id="a title that repeats the beginning"),
        pytest.param("a very long title", "a b", "a b", id="a title that would leave no room"),
    ],
)
def test_title_and_text_share_the_room(title: str, text: str, expected: str) -> None:
    room = 6

    found = passage(title, text, {"f"}, room=room, spans_of=letters, terms_of=str.split)

    assert found == expected
    assert len(letters(found)) <= room


def test_a_word_that_stands_in_every_part_does_not_choose_one() -> None:
    text = "a a a a x a a a a a a a"

    assert "x" in best_part(text, {"a", "x"}, room=4, spans_of=letters, terms_of=str.split)
