"""The calendar's arithmetic, against the days that are counted one by one."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from memory_core.text.spans import Calendar, Unit, months_later

nows = st.datetimes(datetime(1975, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))


@given(st.dates(date(1970, 1, 1), date(2100, 1, 1)), st.integers(-600, 600))
def test_months_later_keeps_the_day_or_takes_the_months_last(day: date, months: int) -> None:
    later = months_later(day, months)

    assert (later.year - day.year) * 12 + later.month - day.month == months
    assert later.day == day.day or (later.day < day.day and (later + timedelta(days=1)).day == 1)


@given(nows, st.integers(0, 6))
def test_a_weekday_is_found_by_going_back_day_by_day(now: datetime, weekday: int) -> None:
    day = now.date()
    while day.weekday() != weekday:
        day -= timedelta(days=1)

    assert Calendar(now).weekday(weekday).start.date() == day


@given(nows)
def test_weeks_months_quarters_and_years_join_and_hold_now(now: datetime) -> None:
    calendar = Calendar(now)
    for unit in (Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR):
        last, this, following = (calendar.whole(unit, away) for away in (-1, 0, 1))
        assert last is not None
        assert this is not None
        assert following is not None
        assert last.end == this.start <= now < this.end == following.start


def test_a_day_on_which_clocks_change_is_as_long_as_it_is() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    day = Calendar(datetime(2026, 3, 30, 12, tzinfo=berlin)).days_away(-1)

    assert day.end.astimezone(UTC) - day.start.astimezone(UTC) == timedelta(hours=23)


def test_a_day_that_is_not_in_the_calendar_is_none() -> None:
    calendar = Calendar(datetime(2026, 5, 14, tzinfo=UTC))

    assert calendar.day(2026, 2, 29) is None
    assert calendar.day(2026, 13, 1) is None
    assert calendar.month(2026, 0) is None
    assert calendar.quarter(2026, 5) is None
    assert calendar.year(1969) is None
