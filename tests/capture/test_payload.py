"""What is stored can be stored: clean JSON or a refusal in words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from memory_core.capture.payload import clean, clean_text
from memory_core.domain.errors import InvalidInput
from memory_core.domain.tunables_capture import MAX_INTEGER_DIGITS, MAX_JSON_DEPTH
from tests.capture.strategies import ANY_JSON, TEXTS, UNHURRIED


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@UNHURRIED
@given(ANY_JSON)
def test_clean_json_survives_utf8_and_holds_no_nul(value: Any) -> None:
    cleaned = clean(value)

    encoded = json.dumps(cleaned, ensure_ascii=False, allow_nan=False).encode("utf-8")

    assert json.loads(encoded) == cleaned
    assert b"\\u0000" not in encoded


@UNHURRIED
@given(ANY_JSON)
def test_cleaning_twice_is_cleaning_once(value: Any) -> None:
    cleaned = clean(value)

    assert clean(cleaned) == cleaned


@UNHURRIED
@given(TEXTS)
def test_clean_text_encodes_and_keeps_what_was_clean(text: str) -> None:
    cleaned = clean_text(text)

    cleaned.encode("utf-8")
    assert "\0" not in cleaned
    if "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text):
        assert cleaned == text


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        pytest.param("a\0b", "a\ufffdb", id="a NUL is replaced"),
        pytest.param("cut \ud83d", "cut \ufffd", id="a character cut in half is replaced"),
        pytest.param("\ud83d\ude00", "😀", id="two halves of one character are joined"),
        pytest.param("\ude00\ud83d", "\ufffd\ufffd", id="halves in the wrong order are both replaced"),
        pytest.param("tab\tand\x01", "tab\tand\x01", id="other control characters are Postgres text"),
    ],
)
def test_a_text_is_cleaned(dirty: str, expected: str) -> None:
    assert clean_text(dirty) == expected


def test_keys_that_become_equal_are_all_kept() -> None:
    cleaned = clean({"a\0": 1, "a\ud800": 2, "a" + chr(0xDFFF): 3, "a\ufffd (2)": 4})

    assert isinstance(cleaned, dict)
    assert sorted(cleaned.values(), key=str) == [1, 2, 3, 4]
    assert cleaned["a\ufffd"] == 1


@pytest.mark.parametrize(
    "refused",
    [
        pytest.param(float("nan"), id="NaN"),
        pytest.param({"a": [float("-inf")]}, id="infinity, nested"),
        pytest.param(10**MAX_INTEGER_DIGITS, id="an integer that cannot be written"),
        pytest.param(-(10**MAX_INTEGER_DIGITS), id="a negative one"),
        pytest.param(nested(MAX_JSON_DEPTH + 1), id="one level too deep"),
        pytest.param(nested(100_000), id="deeper than any stack"),
        pytest.param({1: "a"}, id="a key that is no string"),
        pytest.param(b"bytes", id="bytes are not JSON"),
    ],
)
def test_what_cannot_be_stored_is_refused_in_words(refused: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        clean(refused)

    assert str(caught.value).endswith(".")


def test_the_limits_themselves_are_accepted() -> None:
    deepest, longest = nested(MAX_JSON_DEPTH), 10**MAX_INTEGER_DIGITS - 1

    assert clean(deepest) == deepest
    assert clean(longest) == longest
