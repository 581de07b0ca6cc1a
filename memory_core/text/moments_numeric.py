"""Dates in figures, which every language writes alike: 2026-03-14, 2026/3/14, 14.3.2026, 2026-03, 2026-03-14 10:22."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from memory_core.text.moments_reading import Reading, Rule, rule
from memory_core.text.spans import Period, Unit

_LEFT = r"(?<![a-z0-9_/.@=+\-])"
_RIGHT = r"(?![a-z0-9_/@]|-[a-z0-9]|[.,:]\d|\.[a-z])"


def _date(match: re.Match[str], reading: Reading) -> Period | None:
    return reading.calendar.day(int(match["y"]), int(match["m"]), int(match["d"]))


def _instant(match: re.Match[str], reading: Reading) -> Period | None:
    """The minute; with the zone that is written, else in the asker's."""
    day = _date(match, reading)
    hour, minute = int(match["hour"]), int(match["minute"])
    if day is None or hour > 23 or minute > 59:
        return day
    zone = reading.calendar.now.tzinfo
    if written := match["zone"]:
        zone = UTC if written == "z" else _offset(written)
    start = datetime(day.start.year, day.start.month, day.start.day, hour, minute, tzinfo=zone)
    return Period(start, start + timedelta(minutes=1), Unit.MINUTE)


def _offset(written: str) -> timezone:
    hours, minutes = int(written[1:3]), int(written[-2:])
    away = timedelta(hours=min(hours, 23), minutes=min(minutes, 59))
    return timezone(-away if written[0] == "-" else away)


def _day_first(match: re.Match[str], reading: Reading) -> Period | None:
    return reading.calendar.day(int(match["y"]), int(match["b"]), int(match["a"]))


def _month_first(match: re.Match[str], reading: Reading) -> Period | None:
    """3/14/2026; of two that may both be months the first is the month, as where this form is most used."""
    one, other, year = int(match["a"]), int(match["b"]), int(match["y"])
    return reading.calendar.day(year, one, other) or reading.calendar.day(year, other, one)


def _month(match: re.Match[str], reading: Reading) -> Period | None:
    return reading.calendar.month(int(match["y"]), int(match["m"]))


_DATE = r"(?P<y>\d{4})([-/])(?P<m>\d{1,2})\2(?P<d>\d{1,2})"
_TIME = r"(?P<hour>\d{2}):(?P<minute>\d{2})(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?P<zone>z|[+-]\d{2}:?\d{2})?"

RULES: tuple[Rule, ...] = (
    rule(":", rf"{_LEFT}{_DATE}(?:t|\s{{1,2}}){_TIME}(?![a-z0-9])", _instant),
    rule("-/", rf"{_LEFT}{_DATE}{_RIGHT}", _date),
    rule(".", rf"{_LEFT}(?P<y>\d{{4}})\.(?P<m>0\d|1[0-2])\.(?P<d>[0-3]\d){_RIGHT}", _date),
    rule(".", rf"{_LEFT}(?P<a>\d{{1,2}})\.\s?(?P<b>\d{{1,2}})\.\s?(?P<y>\d{{4}}){_RIGHT}", _day_first),
    rule("/", rf"{_LEFT}(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})/(?P<y>\d{{4}}){_RIGHT}", _month_first),
    rule("-", rf"{_LEFT}(?P<y>\d{{4}})-(?P<m>0[1-9]|1[0-2]){_RIGHT}", _month),
)
