"""How the words around a time change it: ranges, "since", "before", "two weeks before", and events to measure from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory_core.domain import tunables_time as tunables
from memory_core.text import moments_en as en
from memory_core.text import moments_zh as zh
from memory_core.text.moments_reading import Found, Reading
from memory_core.text.spans import Calendar, Period, Unit, months_later

BEGINNING = datetime(tunables.EARLIEST_YEAR, 1, 1, tzinfo=UTC)
"""The start of "before June"."""

_WINDOW = 80
"""Characters looked at on either side of a time."""

_JOINED = re.compile(r"(?:\s+(?:to|until|till|through|thru|up to)\s+(?:the\s+)?|\s*[-–—~]\s*|\s*(?:一直)?[到至]\s*)")
_JOINED_WITH_AND = re.compile(r"\s+and\s+(?:the\s+)?|\s*[和与]\s*")
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?\Z")
_BETWEEN_ZH = re.compile(r"(?:之间|期间|这段)")
_TO_NOW = re.compile(
    r"\s+(?:to|until|till|through|up to)\s+(?:now|date|today|the present)\b|\s*(?:至今|到(?:现在|今天|目前|如今))"
)
_BOUND = re.compile(
    r"\b(?P<way>since|after|before|until|till|up to|prior to|later than|earlier than|from)\s+(?:the\s+)?"
    r"(?:(?P<edge>start|beginning|end)\s+of\s+)?\Z"
)
_ONWARDS = re.compile(r"\s+(?:on|onwards?|forward)\b(?!\s+(?:the|a)\b)")
_BOUND_ZH = re.compile(
    r"(?P<before>(?:以|之)?前(?![天面端])|为止)|(?P<after>(?:以|之)后|后(?![天面端台]))|(?P<since>以来|之后|起(?!来)|开始)"
)
_WAY = r"(?P<way>before|after|prior\s+to|following|preceding)"
_MEASURE = (
    rf"\b(?:(?P<amount>{en.AMOUNT})\s+(?P<unit>{en.UNIT})|the\s+(?P<one>day|week|month|quarter|year)"
    rf"|(?:the\s+)?(?P<weekday>{en.WEEKDAY}))\s+{_WAY}"
)
_MEASURED = re.compile(_MEASURE + r"\s+(?:the\s+)?\Z")
_MEASURED_EVENT = re.compile(_MEASURE + r"\s+(?P<words>(?:[^,.;:?!\n\0]|\.(?=\d)){2,80})")
_MEASURE_ZH = rf"(?:以|之)?(?P<way>前|后)的?第?(?P<amount>{zh.AMOUNT})(?P<unit>{zh.UNIT})"
_MEASURED_ZH = re.compile(_MEASURE_ZH)
_MEASURED_EVENT_ZH = re.compile(
    rf"(?P<words>[^\s，。？！；：、,.?!;:的了\0]{{2,{tunables.MOST_ANCHOR_CHARACTERS}}}?)(?<![最然今目以之先背午面从])"
    + _MEASURE_ZH
)
_CLAUSE = re.compile(
    r"\b(?:what|which|who|whom|when|where|why|how|did|do|does|was|were|is|are|that|and|or|but|because|in|on|at|with|for|about)\b"
)
_ARTICLES = re.compile(r"(?:(?:the|a|an|our|my|your|this|that|last|latest|we|i|you|they)\s+)+")
_LEADING_ZH = re.compile(r"(?:请问|我们|你们|他们|咱们|我|你|他|在|于|从|自|那|这|当|次|想知道|知道)+")


@dataclass(frozen=True, slots=True)
class Measure:
    """A distance from some moment: `amount` units before (-1) or after (1) it; `whole`: all the time in between."""

    way: int
    amount: float
    unit: Unit
    whole: bool = False
    weekday: int | None = None

    def apply(self, calendar: Calendar, origin: Period) -> Period | None:
        """The period that lies so far from `origin`; None for what is out of reach."""
        if self.weekday is not None:
            return self._weekday(calendar, origin)
        late = self.way > 0 and (self.whole or origin.unit not in (Unit.MINUTE, Unit.HOUR, Unit.PART, Unit.DAY))
        moment = origin.end if late else origin.start
        away = calendar.shifted(moment, self.way * self.amount, self.unit)
        if away is None:
            return None
        if self.whole:
            return Period(min(moment, away), max(moment, away), self.unit)
        return calendar.around(away, self.unit)

    def _weekday(self, calendar: Calendar, origin: Period) -> Period:
        assert self.weekday is not None
        day = (origin.start if self.way < 0 else origin.end - timedelta(seconds=1)).date()
        steps = (day.weekday() - self.weekday) % 7 if self.way < 0 else (self.weekday - day.weekday()) % 7
        first = day + timedelta(days=self.way * (steps or 7))
        return calendar.between(first, first + timedelta(days=1), Unit.DAY)


@dataclass(frozen=True, slots=True)
class Event:
    """Words that name an event, where they stand with their measure, and the measure."""

    begin: int
    finish: int
    words: str
    measure: Measure


def relate(found: Sequence[Found], reading: Reading) -> list[Found]:
    """The times with what the words around them make of them; what became part of another is left out."""
    related: list[Found] = []
    place = 0
    while place < len(found):
        one = found[place]
        other = found[place + 1] if place + 1 < len(found) else None
        joined = _range(one, other, reading) if other else None
        place += 2 if joined else 1
        result = joined or _bounded(one, reading)
        while related and result.begin < related[-1].finish:
            related.pop()
        related.append(result)
    return related


def _range(one: Found, other: Found, reading: Reading) -> Found | None:
    """From one time to another: "between March and May", 三月到五月."""
    gap = reading.folded[one.finish : other.begin]
    left = reading.folded[max(one.begin - _WINDOW, 0) : one.begin]
    if _JOINED_WITH_AND.fullmatch(gap):
        if not (_BETWEEN.search(left) or _BETWEEN_ZH.match(reading.folded, other.finish)):
            return None
    elif not _JOINED.fullmatch(gap):
        return None
    first, last = _in_order(one.period, other.period)
    return Found(one.begin, other.finish, Period(first.start, last.end, last.unit)) if first.start < last.end else None


def _in_order(first: Period, last: Period) -> tuple[Period, Period]:
    """A time without a year (or week) is the nearest one on the right side of the other."""
    if first.cycle:
        first = _moved(first, last.start, first.cycle)
    elif last.cycle and last.start < first.start:
        last = _moved(last, first.start, last.cycle, later=True)
    return first, last


def _moved(period: Period, limit: datetime, cycle: Unit, *, later: bool = False) -> Period:
    """The last repetition that starts no later than `limit`, or the first that starts no earlier."""
    if cycle is Unit.WEEK:
        weeks = (limit - period.start) // timedelta(weeks=1) + (1 if later else 0)
        return Period(period.start + timedelta(weeks=weeks), period.end + timedelta(weeks=weeks), period.unit)
    length = period.end - period.start
    years = limit.year - period.start.year
    start = _in_years(period.start, years)
    if later and start < limit:
        start = _in_years(period.start, years + 1)
    elif not later and start > limit:
        start = _in_years(period.start, years - 1)
    return Period(start, start + length, period.unit)


def _in_years(moment: datetime, years: int) -> datetime:
    day = months_later(moment.date(), 12 * years)
    return moment.replace(year=day.year, month=day.month, day=day.day)


def _bounded(one: Found, reading: Reading) -> Found:
    """A time after "since", "before" or "two weeks before", or before 以前, 以来 or 前三天."""
    start = max(one.begin - _WINDOW, 0)
    left = reading.folded[start : one.begin]
    right = reading.folded[one.finish : one.finish + _WINDOW]
    if match := _MEASURED.search(left):
        measured = _measure(match).apply(reading.calendar, one.period)
        return Found(start + match.start(), one.finish, measured) if measured else one
    if match := _MEASURED_ZH.match(right):
        measured = _measure_zh(match).apply(reading.calendar, one.period)
        return Found(one.begin, one.finish + match.end(), measured) if measured else one
    period, now = one.period, reading.calendar.now
    if match := _TO_NOW.match(right):
        return Found(one.begin, one.finish + match.end(), Period(period.start, max(now, period.end), period.unit))
    if match := _BOUND.search(left):
        bounded = _open(period, match["way"], match["edge"], now, onwards=_ONWARDS.match(right) is not None)
        return Found(start + match.start("way"), one.finish, bounded) if bounded else one
    if match := _BOUND_ZH.match(right):
        way = "before" if match["before"] else "after" if match["after"] else "since"
        bounded = _open(period, way, None, now, onwards=False)
        return Found(one.begin, one.finish + match.end(), bounded) if bounded else one
    return one


def _open(period: Period, way: str, edge: str | None, now: datetime, *, onwards: bool) -> Period | None:
    """A period that is open to one side; None where the words leave it as it is."""
    if way in ("since", "after", "later than") or (way == "from" and onwards):
        start = period.start if way in ("since", "from") and edge != "end" else period.end
        return Period(start, now, period.unit) if start < now else None
    if way == "from":
        return None
    end = period.end if (way in ("until", "till", "up to") or edge == "end") else period.start
    return Period(BEGINNING, end, period.unit)


def _measure(match: re.Match[str]) -> Measure:
    way = 1 if match["way"] in ("after", "following") else -1
    if match["weekday"]:
        return Measure(way, 1, Unit.DAY, weekday=en.weekday_number(match["weekday"]))
    if match["one"]:
        return Measure(way, 1, en.unit(match["one"]), whole=match["one"] != "day")
    count, unit = en.amount(match["amount"], match["unit"]), en.unit(match["unit"])
    return Measure(way, tunables.FEW[1] if count is None else count, unit, whole=count is None)


def _measure_zh(match: re.Match[str]) -> Measure:
    """前三天 may be the third day before or all three: all three hold both."""
    count = zh.amount(match["amount"])
    return Measure(
        1 if match["way"] == "后" else -1,
        tunables.FEW[1] if count is None else count,
        zh.unit(match["unit"]),
        whole=True,
    )


def events(found: Sequence[Found], reading: Reading) -> list[Event]:
    """Events that the text measures from ("3 days before the release", 发布前三天), where no time is named instead."""
    result: list[Event] = []
    for match in _MEASURED_EVENT.finditer(reading.folded):
        begin, words = _name(match["words"])
        begin += match.start("words")
        result.append(Event(match.start(), begin + len(words), words, _measure(match)))
    if "前" in reading.folded or "后" in reading.folded:
        for match in _MEASURED_EVENT_ZH.finditer(reading.folded):
            words = match["words"]
            if lead := _LEADING_ZH.match(words):
                words = words[lead.end() :]
            begin = match.end("words") - len(words)
            result.append(Event(begin, match.end(), words, _measure_zh(match)))
    return [one for one in result if len(one.words) > 1 and not any(_is_named(one, time) for time in found)]


def _is_named(event: Event, time: Found) -> bool:
    """Whether a time takes the place of the event; the weekday of "the Sunday before the launch" is only its measure."""
    last = event.finish if event.measure.weekday is None else event.finish - len(event.words)
    return (
        time.begin < event.finish
        and event.begin < time.finish
        and (event.measure.weekday is None or time.finish > last)
    )


def _name(words: str) -> tuple[int, str]:
    """Where the event's name begins in the words after the measure, and the name: up to the clause's end, no article."""
    lead = _ARTICLES.match(words.lstrip())
    begin = len(words) - len(words.lstrip()) + (lead.end() if lead else 0)
    name = words[begin:]
    if clause := _CLAUSE.search(name):
        name = name[: clause.start()]
    parts = list(re.finditer(r"\S+", name))[: tunables.MOST_ANCHOR_WORDS]
    return begin, name[: parts[-1].end()] if parts else ""
