"""Periods of the calendar as a question's clock sees them: days, weeks (from Monday), months, quarters, years.

Pure arithmetic on the Gregorian calendar in the time zone of `now`. What cannot be (31 April, the year 999999) is None.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from memory_core.domain import tunables_time as tunables


class Unit(StrEnum):
    """How finely a time was named."""

    MINUTE = "minute"
    HOUR = "hour"
    PART = "part"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


DAYS_OF = {
    Unit.MINUTE: 1 / 1440,
    Unit.HOUR: 1 / 24,
    Unit.DAY: 1,
    Unit.WEEK: 7,
    Unit.MONTH: 30.44,
    Unit.QUARTER: 91.3,
    Unit.YEAR: 365.25,
}
MONTHS_OF = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}
PARTS = {
    "dawn": (0, 6),
    "morning": (5, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "night": (18, 29),
}
"""Hours of a part of the day, from midnight; a night runs into the next morning."""


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to before `end`; `cycle`: the unit in which it comes again, for a time named without its year or week."""

    start: datetime
    end: datetime
    unit: Unit
    cycle: Unit | None = None


def months_later(day: date, months: int) -> date:
    """The same day some months later or earlier, or that month's last day.

    >>> months_later(date(2026, 3, 31), -1)
    datetime.date(2026, 2, 28)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


class Calendar:
    """The calendar around `now`, which must know its time zone and lie in the years 1971 to 9900."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.today = now.date()

    def midnight(self, day: date) -> datetime:
        return datetime(day.year, day.month, day.day, tzinfo=self.now.tzinfo)

    def between(self, first: date, after: date, unit: Unit, cycle: Unit | None = None) -> Period:
        """The days from `first` to before `after`."""
        return Period(self.midnight(first), self.midnight(after), unit, cycle)

    def knows(self, year: int) -> bool:
        """Whether a number may be a year."""
        return tunables.EARLIEST_YEAR <= year <= self.today.year + tunables.MOST_YEARS_AHEAD

    def day(self, year: int, month: int, day: int) -> Period | None:
        if not (self.knows(year) and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]):
            return None
        first = date(year, month, day)
        return self.between(first, first + timedelta(days=1), Unit.DAY)

    def days_away(self, days: int) -> Period:
        first = self.today + timedelta(days=days)
        return self.between(first, first + timedelta(days=1), Unit.DAY)

    def day_of_year(self, month: int, day: int) -> Period | None:
        """The most recent such day that is not after today; None when there is none in the last years."""
        for year in range(self.today.year, self.today.year - 8, -1):  # 29 February may be eight years away
            found = self.day(year, month, day)
            if found and found.start <= self.now:
                return Period(found.start, found.end, Unit.DAY, Unit.YEAR)
        return None

    def month(self, year: int, month: int) -> Period | None:
        if not (self.knows(year) and 1 <= month <= 12):
            return None
        first = date(year, month, 1)
        return self.between(first, months_later(first, 1), Unit.MONTH)

    def month_of_year(self, month: int, *, years: int = 0) -> Period | None:
        """The most recent such month that has begun, `years` later."""
        if not 1 <= month <= 12:
            return None
        found = self.month(self.today.year - (month > self.today.month) + years, month)
        return found and Period(found.start, found.end, Unit.MONTH, Unit.YEAR)

    def quarter(self, year: int, quarter: int) -> Period | None:
        if not (self.knows(year) and 1 <= quarter <= 4):
            return None
        first = date(year, 3 * quarter - 2, 1)
        return self.between(first, months_later(first, 3), Unit.QUARTER)

    def quarter_of_year(self, quarter: int) -> Period | None:
        """The most recent such quarter that has begun."""
        found = self.quarter(self.today.year - (3 * quarter - 2 > self.today.month), quarter)
        return found and Period(found.start, found.end, Unit.QUARTER, Unit.YEAR)

    def year(self, year: int) -> Period | None:
        return self.between(date(year, 1, 1), date(year + 1, 1, 1), Unit.YEAR) if self.knows(year) else None

    def half_year(self, year: int, number: int) -> Period | None:
        """January to June (0) or July to December (1)."""
        first, second = self.quarter(year, 2 * number + 1), self.quarter(year, 2 * number + 2)
        return Period(first.start, second.end, Unit.QUARTER) if first and second else None

    def whole(self, unit: Unit, away: int = 0) -> Period | None:
        """This (0), the last (-1) or the next (1) hour, day, week, month, quarter or year of the calendar."""
        if unit is Unit.YEAR:
            return self.year(self.today.year + away)
        if unit in (Unit.MONTH, Unit.QUARTER):
            width = MONTHS_OF[unit]
            first = date(self.today.year, (self.today.month - 1) // width * width + 1, 1)
            first = months_later(first, away * width)
            return self.between(first, months_later(first, width), unit)
        if unit is Unit.WEEK:
            first = self.today - timedelta(days=self.today.weekday()) + timedelta(weeks=away)
            return self.between(first, first + timedelta(weeks=1), unit)
        if unit is Unit.DAY:
            return self.days_away(away)
        return self.rolling(1, unit)

    def weekday(self, weekday: int, *, before_today: bool = False) -> Period:
        """The most recent Monday (0) to Sunday (6) that is not after today, or is before it."""
        back = (self.today.weekday() - weekday) % 7
        found = self.days_away(-(back or 7) if before_today else -back)
        return Period(found.start, found.end, Unit.DAY, Unit.WEEK)

    def weekday_of(self, week: Period, weekday: int) -> Period:
        first = week.start.date() + timedelta(days=weekday)
        return self.between(first, first + timedelta(days=1), Unit.DAY)

    def weekend(self, weeks: int = 0) -> Period:
        """The most recent weekend that has begun (0), or one some weeks away from it."""
        saturday = self.today - timedelta(days=(self.today.weekday() - 5) % 7) + timedelta(weeks=weeks)
        return self.between(saturday, saturday + timedelta(days=2), Unit.DAY)

    def shifted(self, moment: datetime, amount: float, unit: Unit) -> datetime | None:
        """`amount` units later (negative: earlier); None for what is too far away."""
        if abs(amount) * DAYS_OF[unit] > tunables.MOST_DAYS_AWAY:
            return None
        if unit in MONTHS_OF and amount * MONTHS_OF[unit] == int(amount * MONTHS_OF[unit]):
            day = months_later(moment.date(), int(amount * MONTHS_OF[unit]))
            return moment.replace(year=day.year, month=day.month, day=day.day)
        return moment + timedelta(days=amount * DAYS_OF[unit])

    def rolling(self, amount: float, unit: Unit) -> Period | None:
        """The last `amount` units up to now; of days and longer units from that day's beginning."""
        start = self.shifted(self.now, -amount, unit)
        if start is None:
            return None
        if unit not in (Unit.MINUTE, Unit.HOUR):
            start = self.midnight(start.date())
        return Period(start, self.now, unit if unit is Unit.MINUTE or amount <= 1 else _finer(unit))

    def around(self, moment: datetime, unit: Unit) -> Period:
        """What a distance in `unit` from some moment means: that day or year, or half a unit to each side."""
        if unit is Unit.YEAR:
            return self.between(date(moment.year, 1, 1), date(moment.year + 1, 1, 1), unit)
        if unit is Unit.DAY:
            return self.between(moment.date(), moment.date() + timedelta(days=1), unit)
        half = timedelta(days=DAYS_OF[unit] / 2)
        return Period(moment - half, moment + half, unit)

    def ago(self, amount: float, unit: Unit) -> Period | None:
        """`amount` units before now."""
        moment = self.shifted(self.now, -amount, unit)
        return self.around(moment, unit) if moment else None

    def few_ago(self, unit: Unit) -> Period | None:
        """ "A few" units before now."""
        least, most = tunables.FEW
        start, end = self.shifted(self.now, -most, unit), self.shifted(self.now, -least + 1, unit)
        return Period(start, end, unit) if start and end else None

    def part(self, whole: Period, part: str) -> Period:
        """The morning, say, of a day."""
        first, last = PARTS[part]
        return Period(whole.start + timedelta(hours=first), whole.start + timedelta(hours=last), Unit.PART)


def third(whole: Period, number: int) -> Period:
    """The early (0), middle (1) or late (2) third of a period."""
    width = (whole.end - whole.start) / 3
    unit = {Unit.YEAR: Unit.MONTH, Unit.QUARTER: Unit.WEEK, Unit.MONTH: Unit.WEEK}.get(whole.unit, Unit.DAY)
    return Period(whole.start + number * width, whole.start + (number + 1) * width, unit, whole.cycle)


def _finer(unit: Unit) -> Unit:
    return {Unit.WEEK: Unit.DAY, Unit.MONTH: Unit.WEEK, Unit.QUARTER: Unit.MONTH, Unit.YEAR: Unit.MONTH}.get(unit, unit)
