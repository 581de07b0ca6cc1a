"""Whatever stands in a question: never an error, nothing out of bounds, no more time than the text is long."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.domain import tunables_time as tunables
from memory_core.text.moments import read_times, resolve
from tests.text.moments import NOW

PIECES = [
    *("2026-03-14", "14.3.2026", "13/45/9999", "0000-00-00", "99999999999999", "Feb 30", "31 April", "May 5", "march"),
    *(
        "last",
        "this",
        "next",
        "Tuesday",
        "week",
        "month",
        "year",
        "ago",
        "9999",
        "900",
        "days",
        "before",
        "after",
        "since",
    ),
    *("between", "and", "from", "to", "the", "release", "a few", "half an", "hour", "Q4", "in", "1970", "2036", "now"),
    *(
        "上",
        "周",
        "二",
        "三天",
        "前",
        "后",
        "月",
        "年",
        "2月30日",
        "去年",
        "九九九九年",
        "个",
        "到",
        "之间",
        "以来",
        "底",
        "初",
    ),
    *("\0", "\ud800", "İ", "ß", "\n", "`", "```", "://", "-", "/", ".", ","),
]
mixtures = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=40).map(" ".join)
zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1969, 1, 1), datetime(9999, 12, 30), timezones=zones)


@settings(deadline=None, max_examples=300)
@given(st.one_of(mixtures, mixtures.map(lambda text: text.replace(" ", "")), st.text()), moments)
def test_spans_lie_between_1970_and_ten_years_from_now_and_name_their_words(text: str, now: datetime) -> None:
    times = read_times(text, now)

    assert len(times.spans) <= tunables.MOST_SPANS
    assert len(times.anchors) <= tunables.MOST_ANCHORS
    for span in times.spans:
        assert datetime(1970, 1, 1, tzinfo=UTC) <= span.start < span.end
        assert span.end <= now + timedelta(days=3_660)
        assert span.start.tzinfo is span.end.tzinfo is UTC
        assert span.words == text[span.begin : span.finish] != ""
    for anchor in times.anchors:
        assert anchor.words == text[anchor.begin : anchor.finish]
        resolved = resolve(anchor, now, now)
        assert resolved is None or resolved.start < resolved.end


@given(mixtures, moments)
@settings(deadline=None)
def test_the_same_text_at_the_same_moment_gives_the_same(text: str, now: datetime) -> None:
    assert read_times(text, now) == read_times(text, now)


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1 ",
        "2026-03-14 ",
        "5 may ",
        "a week before the ",
        "上",
        "三天前",
        "从周一到",
        "-",
        "1.",
        "last ",
        "the first ",
        "一",
        "20",
    ],
)
def test_ten_thousand_characters_cost_milliseconds(unit: str) -> None:
    text = (unit * 10_000)[:10_000]

    started = time.thread_time()
    read_times(text, NOW)

    assert time.thread_time() - started < 0.1


@pytest.mark.parametrize("year", [1, 1969, 9999])
def test_at_the_ends_of_the_calendar_nothing_is_read(year: int) -> None:
    assert read_times("yesterday and 900 weeks ago", datetime(year, 1, 1, tzinfo=UTC)).spans == ()


@pytest.mark.parametrize(
    "phrase", ["9999 years ago", "9999 weeks ago", "the past 9999 months", "九百年前", "in 2037", "in 1969"]
)
def test_what_is_too_far_away_is_no_time(phrase: str) -> None:
    assert read_times(phrase, NOW).spans == ()
