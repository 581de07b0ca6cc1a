"""When the dense arm scans a scope's vectors instead of asking the index."""

from __future__ import annotations

import pytest

from memory_core.retrieve.search import are_few


@pytest.mark.parametrize(
    ("size", "everything", "few"),
    [
        pytest.param(0, 0, True, id="nothing"),
        pytest.param(4_000, 4_000, True, id="few in all"),
        pytest.param(4_001, 4_001, False, id="more, and nothing else there"),
        pytest.param(14_000, 180_000, True, id="a small part of many"),
        pytest.param(14_000, 100_000, False, id="not so small a part"),
        pytest.param(20_001, 1_000_000, False, id="a small part that is too many"),
        pytest.param(5_000, -1, False, id="a table that was never analysed"),
    ],
)
def test_few_in_themselves_or_a_small_part_of_many(size: int, everything: int, few: bool) -> None:
    assert are_few(size, everything) is few
