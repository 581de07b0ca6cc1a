"""Anything may come in: analysis never raises, stays linear, and gives terms that Postgres takes."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.text import Analyzer

ANALYZER = Analyzer()
ANYTHING = st.text(st.characters(), max_size=300) | st.text("aA1_-./:\\@+'é\u0301\u200b数がก한\ud800 \0", max_size=300)
SMALL, FACTOR = 4_000, 8


@given(ANYTHING)
def test_analysis_never_raises_and_gives_terms_that_postgres_takes(text: str) -> None:
    analysis = ANALYZER.analyze(text)
    for term in analysis.terms:
        assert 1 <= len(term) <= 64
        assert len(term.encode("utf-8")) < 2046  # and so holds no lone surrogate
        assert "\0" not in term
        assert not any(character.isspace() for character in term)
    assert bool(analysis.terms) == (analysis.length > 0)


@given(ANYTHING)
def test_analysis_is_deterministic(text: str) -> None:
    assert ANALYZER.analyze(text) == Analyzer().analyze(text)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_invisible_characters_change_nothing(text: str) -> None:
    assert ANALYZER.analyze("\u200b".join("pass" + "word")).terms == ANALYZER.analyze("password").terms
    assert ANALYZER.analyze(text + "\ufeff").terms == ANALYZER.analyze(text).terms


def _repeated(unit: str) -> object:
    return pytest.param(lambda size: (unit * (size // len(unit) + 1))[:size], id=unit.encode("unicode_escape").decode())


def _random_base64(size: int) -> str:
    return "".join(random.Random(7).choices("ABCDEFXYZabcdefxyz0123456789+/", k=size))


HOSTILE = [
    *map(_repeated, ["a", "A", "_", "1", ".", "a.", "a/", "a-", "a'", "a:@", "aB1", "abCdefgh", "1.", "v1.1-", "0a"]),
    *map(_repeated, ["550e8400-", "a's'", "\\", "\ud800", "a\u200b", "\u0301\u0316", "e\u0301\u0316", "\ufdfa", "İ"]),
    *map(_repeated, ["的", "研究生命", "ーか\u3099", "éÀ", "א", "สวัสดี", "👩\u200d🔬", "a\0"]),
    pytest.param(_random_base64, id="base64"),
]


@pytest.mark.parametrize("make", HOSTILE)
def test_time_grows_with_the_text_and_not_with_its_square(make: object) -> None:
    assert callable(make)

    def seconds(size: int) -> float:
        text = make(size)
        best = []
        for _ in range(3):
            began = time.process_time()
            ANALYZER.analyze(text)
            best.append(time.process_time() - began)
        return min(best)

    # Quadratic time would be 64 times as much for 8 times the text; the floor hides the clock's grain.
    assert seconds(SMALL * FACTOR) < max(seconds(SMALL), 0.002) * FACTOR * 3
