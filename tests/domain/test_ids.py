"""Ids are unique, sort by time, and name equal texts equally."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain.ids import base36, fingerprint_id, new_id

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_an_id_has_the_protocols_form() -> None:
    assert re.fullmatch(r"obs_[0-9a-z]{8}_[0-9a-f]{12}", new_id("obs", NOW))


def test_ids_of_one_moment_differ() -> None:
    assert len({new_id("obs", NOW) for _ in range(1000)}) == 1000


@given(st.integers(1, 10**8))
def test_a_later_id_sorts_later(milliseconds: int) -> None:
    assert new_id("obs", NOW) < new_id("obs", NOW + timedelta(milliseconds=milliseconds))


@given(st.integers(0, 10**30))
def test_base_36_is_read_back(number: int) -> None:
    assert int(base36(number), 36) == number


def test_base_36_has_no_negative_numbers() -> None:
    with pytest.raises(ValueError, match="non-negative"):
        base36(-1)


def test_equal_texts_have_equal_ids() -> None:
    assert fingerprint_id("gn", "quince") == fingerprint_id("gn", "quince") != fingerprint_id("gn", "medlar")
    assert re.fullmatch(r"gn_[0-9a-f]{16}", fingerprint_id("gn", "quince"))
