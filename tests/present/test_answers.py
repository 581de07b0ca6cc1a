"""What is given back: budgets, sessions taking turns, the protocol's times."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.present.budget import fit, tokens
from memory_core.present.diversity import diversify
from memory_core.present.wire import timestamp

records = st.lists(st.tuples(st.sampled_from(["a", "b", "c", ""]), st.integers(0, 99)), max_size=30)


@pytest.mark.parametrize(("text", "cost"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("🌳🌳🌳", 1)])
def test_a_third_of_the_characters_rounded_up(text: str, cost: int) -> None:
    assert tokens(text) == cost


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.text(max_size=30)), max_size=12), st.integers(1, 60))
def test_what_fits_is_the_beginning_and_as_much_of_it_as_fits(items: list[dict[str, str]], budget: int) -> None:
    kept, used, truncated = fit(items, budget)

    assert kept == items[: len(kept)]
    assert used <= budget
    assert truncated == (len(kept) < len(items))
    if truncated:
        following = json.dumps(items[len(kept)], ensure_ascii=False, separators=(",", ":"))
        assert used + max(1, tokens(following)) > budget


@given(st.lists(st.text(), max_size=8))
def test_without_a_budget_everything_fits(items: list[str]) -> None:
    assert fit(items, None)[::2] == (items, False)


@given(records, st.integers(1, 5), st.integers(0, 40))
def test_taking_turns_loses_nothing_and_keeps_order_within_a_session(
    ranked: list[tuple[str, int]], first_pass: int, limit: int
) -> None:
    given_back = diversify(ranked, session_of=lambda record: record[0], first_pass=first_pass, limit=len(ranked))

    assert sorted(given_back) == sorted(ranked)
    for session in "abc":
        assert [r for r in given_back if r[0] == session] == [r for r in ranked if r[0] == session]
    limited = diversify(ranked, session_of=lambda record: record[0], first_pass=first_pass, limit=limit)
    assert limited == given_back[:limit]


@given(records, st.integers(1, 5))
def test_the_best_record_stays_the_best(ranked: list[tuple[str, int]], first_pass: int) -> None:
    given_back = diversify(ranked, session_of=lambda record: record[0], first_pass=first_pass, limit=1)

    assert given_back == ranked[:1]


def test_what_has_no_session_does_not_compete() -> None:
    ranked = [("", number) for number in range(9)]

    assert diversify(ranked, session_of=lambda record: record[0], first_pass=2, limit=9) == ranked


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (datetime(2026, 3, 1, tzinfo=UTC), "2026-03-01T00:00:00.000Z"),
        (datetime(2026, 3, 1, 0, 0, 0, 999999, tzinfo=UTC), "2026-03-01T00:00:00.999Z"),
        (datetime(2026, 3, 1, 5, 30, tzinfo=timezone(timedelta(hours=5.5))), "2026-03-01T00:00:00.000Z"),
        (datetime(1970, 1, 1, tzinfo=UTC), "1970-01-01T00:00:00.000Z"),
        (datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC), "9999-12-31T23:59:59.000Z"),
    ],
)
def test_times_are_written_as_the_protocol_does(moment: datetime, written: str) -> None:
    assert timestamp(moment) == written
