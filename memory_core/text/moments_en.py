"""Times in English: month and day names, weekdays, "two weeks ago", "past 3 days", "last month", "Q1 2026".

Words that are also something else count only in company: `may` and `march` need a day, a year or a preposition, and the
first two a capital; `June` may be a person; `Sun` and `Sat` need "last" or "this". "Every Monday" is no time.
"""

from __future__ import annotations

import re

from memory_core.text.moments_reading import Reading, Rule, rule
from memory_core.text.spans import Period, Unit, third

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ALSO_WORDS = {"may", "march", "mar"}
_ALSO_NAMES = {"april", "june", "august"}
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_PART = "morning|afternoon|evening|night"
_WHICH = {"last", "past", "this", "previous", "preceding", "current", "next"}
_PARTS = {"morning": "morning", "afternoon": "afternoon", "evening": "evening", "night": "night"}
_EARLY = {"early": 0, "mid": 1, "late": 2, "beginning": 0, "start": 0, "middle": 1, "end": 2}

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_WEEKDAY_SHORT = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b"
AMOUNT = r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few|few|several|half an?)"
UNIT = r"(?:minute|min|hour|hr|day|week|fortnight|month|quarter|year)s?\b"
_UNITS = {
    "min": Unit.MINUTE,
    "minute": Unit.MINUTE,
    "hr": Unit.HOUR,
    "hour": Unit.HOUR,
    "day": Unit.DAY,
    "week": Unit.WEEK,
}
_UNITS |= {"fortnight": Unit.WEEK, "month": Unit.MONTH, "quarter": Unit.QUARTER, "year": Unit.YEAR}
_ORDINAL = r"(?:st|nd|rd|th)?"
_LEFT = r"(?<![a-z0-9_.\-/@#$])"
_BEFORE = (
    r"(?P<before>\b(?:in|during|on|since|until|till|before|after|from|between|and|of|by|for|to|through"
    r"|last|this|next)[ -])?"
)
_PORTION = r"(?:(?P<portion>early|mid|late|(?:the )?(?:beginning|start|middle|end) of)[ -](?:in )?)"


def month_number(name: str) -> int:
    """1 to 12 for a month's name or its first three letters."""
    return next(number for number, month in enumerate(_MONTHS, start=1) if month.startswith(name[:3]))


def weekday_number(name: str) -> int:
    """0 (Monday) to 6 for a weekday's name or its first three letters."""
    return next(number for number, day in enumerate(_DAYS) if day.startswith(name[:3]))


def unit(name: str) -> Unit:
    """The unit of "days", "hr" and so on."""
    return _UNITS[name.rstrip("s")]


def amount(words: str, name: str) -> float | None:
    """How many units the words say, None for "a few"; two weeks for a fortnight."""
    times = 2 if name.startswith("fortnight") else 1
    if words in ("few", "a few", "several"):
        return None
    if words.isdigit():
        return times * int(words)
    if words.startswith("half"):
        return 0.5
    return times * (1 if words in ("a", "an") else 2 if words == "a couple of" else _NUMBERS.index(words))


def _is_month(match: re.Match[str], reading: Reading, *, company: bool) -> bool:
    """Whether a month's name is one here; `company`: an ordinal, a year or a preposition stands beside it."""
    name = match["month"]
    if name in _ALSO_WORDS:
        return reading.is_capital(match.start("month")) or company
    return True


def _day_of_month(match: re.Match[str], reading: Reading) -> Period | None:
    """14 March, 3 to 5 May, March 14th 2026, May 5-8."""
    groups = match.groupdict()
    company = bool(groups["year"] or groups["before"] or groups["ordinal"])
    if not _is_month(match, reading, company=company):
        return None
    month, last = month_number(match["month"]), int(match["last"] or match["first"])
    first = int(match["first"] or last)
    calendar = reading.calendar
    if groups["year"]:
        start, end = calendar.day(int(match["year"]), month, first), calendar.day(int(match["year"]), month, last)
    else:
        end = calendar.day_of_year(month, last)
        start = end and calendar.day(end.start.year, month, first)
    if start is None or end is None or start.start > end.start:
        return None
    return Period(start.start, end.end, Unit.DAY, end.cycle)


def _portion(whole: Period | None, words: str | None) -> Period | None:
    if whole is None or words is None:
        return whole
    return third(whole, next(number for word, number in _EARLY.items() if word in words))


def _month_and_year(match: re.Match[str], reading: Reading) -> Period | None:
    if not _is_month(match, reading, company=bool(match["before"] or match["portion"])):
        return None
    return _portion(reading.calendar.month(int(match["year"]), month_number(match["month"])), match["portion"])


def _month_alone(match: re.Match[str], reading: Reading) -> Period | None:
    """The most recent such month; "last March" is not this one, "next March" the one to come."""
    name, before = match["month"], (match["before"] or "").strip(" -")
    short = len(name) <= 4 and name not in ("may", "june", "july")
    capital = reading.is_capital(match.start("month"))
    if not (before or match["portion"]) and (short or name in _ALSO_WORDS | _ALSO_NAMES):
        return None
    if (
        (short or name in _ALSO_WORDS)
        and not capital
        and before not in ("in", "during", "since", "last", "until", "of")
    ):
        return None
    if (
        name in _ALSO_WORDS
        and not capital
        and re.match(r"\s+(?:be|have|not|i|we|you|they|it|on|to)\b", reading.folded[match.end() :])
    ):
        return None
    if before in ("for", "to", "by") and name in _ALSO_NAMES | {"jan"}:
        return None
    number = month_number(name)
    shift = 1 if before == "next" else -1 if before == "last" and number == reading.calendar.today.month else 0
    return _portion(reading.calendar.month_of_year(number, years=shift), match["portion"])


def _quarter(match: re.Match[str], reading: Reading) -> Period | None:
    number = int(match["q"]) if match["q"] else ("first", "second", "third", "fourth").index(match["nth"]) + 1
    year = match["year"] or match["earlier"]
    if match["which"]:
        year = str(reading.calendar.today.year - (match["which"] == "last"))
    if year:
        return reading.calendar.quarter(int(year), number)
    return reading.calendar.quarter_of_year(number) if match["before"] or match["nth"] else None


def _weekday(match: re.Match[str], reading: Reading) -> Period | None:
    """Tuesday: the most recent one; last Tuesday: the one before today; next Tuesday: the one to come."""
    short, which = match["short"], match["which"] or ""
    if short and not (reading.is_capital(match.start("short")) and which):
        return None
    calendar, number = reading.calendar, weekday_number(match["day"] or match["short"])
    if which in ("next", "coming"):
        found = calendar.days_away((number - calendar.today.weekday()) % 7 or 7)
    else:
        found = calendar.weekday(number, before_today=which in ("last", "past", "previous"))
    return calendar.part(found, _PARTS[match["part"]]) if match["part"] else found


def _weekday_of_week(match: re.Match[str], reading: Reading) -> Period | None:
    shift = {"last": -1, "previous": -1, "this": 0, "next": 1}[match["which"] or match["which2"]]
    week = reading.calendar.whole(Unit.WEEK, shift)
    return week and reading.calendar.weekday_of(week, weekday_number(match["day"] or match["day2"]))


def _some_units(match: re.Match[str], reading: Reading) -> Period | None:
    """The last three days, the past few weeks."""
    number = amount(match["amount"], match["unit"])
    return reading.calendar.rolling(4 if number is None else number, unit(match["unit"]))


def _unit(match: re.Match[str], reading: Reading) -> Period | None:
    """Last month, this week, the past year (which ends now), early last year."""
    which, name = match["which"], unit(match["unit"])
    if which == "past" or (which in ("last", "previous") and name in (Unit.DAY, Unit.HOUR)):
        return reading.calendar.rolling(1, name)
    if name is Unit.MINUTE:
        return None
    shift = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}[which]
    return _portion(reading.calendar.whole(name, shift), match["portion"])


def _ago(match: re.Match[str], reading: Reading) -> Period | None:
    number = amount(match["amount"], match["unit"])
    name = unit(match["unit"])
    return reading.calendar.few_ago(name) if number is None else reading.calendar.ago(number, name)


def _day_word(match: re.Match[str], reading: Reading) -> Period | None:
    away = {"today": 0, "yesterday": -1, "tomorrow": 1, "the day before yesterday": -2, "the day after tomorrow": 2}
    found = reading.calendar.days_away(away[match["word"]])
    return reading.calendar.part(found, _PARTS[match["part"]]) if match["part"] else found


def _part_of_today(match: re.Match[str], reading: Reading) -> Period | None:
    calendar = reading.calendar
    if match["tonight"]:
        return calendar.part(calendar.days_away(0), "night")
    if match["last"]:
        return calendar.part(calendar.days_away(-1), "night")
    return calendar.part(calendar.days_away(0), _PARTS[match["part"]])


def _weekend(match: re.Match[str], reading: Reading) -> Period | None:
    """The most recent weekend that has begun; the last one is over."""
    calendar, which = reading.calendar, match["which"]
    if which == "next":
        return calendar.weekend(1)
    during = calendar.today.weekday() >= 5
    return calendar.weekend(-1 if during and which in ("last", "past") else 0)


def _the_other_day(_: re.Match[str], reading: Reading) -> Period | None:
    return reading.calendar.few_ago(Unit.DAY)


def _year(match: re.Match[str], reading: Reading) -> Period | None:
    return _portion(reading.calendar.year(int(match["year"])), match["portion"])


def _years(match: re.Match[str], reading: Reading) -> Period | None:
    first, last = reading.calendar.year(int(match["year"])), reading.calendar.year(int(match["last"]))
    return Period(first.start, last.end, Unit.YEAR) if first and last and first.start <= last.start else None


_YEAR = r"(?:,?\s+(?:of\s+)?(?P<year>\d{4})(?![\d:]|\.\d))"
_COUNTED = (
    r"(?!\s+(?:lines?|files?|bytes?|ms|kb|mb|items?|rows?|times|records?|tokens?|users?|requests?|characters?|tests?"
    r"|words?|seconds?|px))"
)
_MONTH_CUES = {cue for month in _MONTHS for cue in (month, month[:3])} | {"sept"}
_DAY_CUES = set(_DAYS)
_SHORT_DAY_CUES = _DAY_CUES | {"mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"}
_UNTIL = r"\s*(?:-|–|to|and|until|through)\s*"
_NUMBERED = r"(?P<ordinal>st|nd|rd|th)?"

RULES: tuple[Rule, ...] = (
    rule(
        _MONTH_CUES,
        rf"{_LEFT}{_BEFORE}(?P<core>(?:(?P<first>\d{{1,2}}){_ORDINAL}{_UNTIL})?(?:the\s+)?(?P<last>\d{{1,2}}){_NUMBERED}"
        rf"\s+(?:of\s+)?(?P<month>{MONTH})\.?{_YEAR}?)",
        _day_of_month,
    ),
    rule(
        _MONTH_CUES,
        rf"{_LEFT}{_BEFORE}(?P<core>(?P<month>{MONTH})\.?\s+(?:the\s+)?(?P<first>\d{{1,2}}){_NUMBERED}"
        rf"(?:{_UNTIL}(?P<last>\d{{1,2}}){_ORDINAL}(?!\s+(?:of\s+)?{MONTH}))?(?![a-z0-9%]|\.\d|[:/]\d){_YEAR}?)",
        _day_of_month,
    ),
    rule(
        _MONTH_CUES,
        rf"{_LEFT}{_BEFORE}(?P<core>{_PORTION}?(?P<month>{MONTH})\.?{_YEAR}{_COUNTED})",
        _month_and_year,
    ),
    rule(
        {"q", "quarter"},
        rf"{_LEFT}{_BEFORE}(?P<core>(?:(?P<earlier>\d{{4}})\s+)?(?:the\s+)?(?:q(?P<q>[1-4])"
        rf"|(?P<nth>first|second|third|fourth)\s+quarter)(?![a-z0-9_.\-])(?:\s*(?:of\s+)?(?:(?P<year>\d{{4}})(?!\d)|(?P<which>last|this)\s+year\b))?)",
        _quarter,
    ),
    rule(
        _DAY_CUES,
        rf"\b(?P<core>(?P<day>{WEEKDAY})\s+(?:of\s+)?(?P<which>last|this|next|previous)\s+week"
        rf"|(?P<which2>last|this|next|previous)\s+week(?:'s|\s+on)?\s+(?P<day2>{WEEKDAY}))\b",
        _weekday_of_week,
    ),
    rule(
        _SHORT_DAY_CUES,
        rf"{_LEFT}(?<!every )(?<!each )(?<!black )(?P<core>(?:(?P<which>last|this|past|previous|next|coming)\s+)?"
        rf"(?:(?P<day>{WEEKDAY})|(?P<short>{_WEEKDAY_SHORT}))(?![a-z0-9_\-/]|\.[a-z])(?:\s+(?P<part>{_PART})\b)?)",
        _weekday,
    ),
    rule({"ago", "back"}, rf"\b(?P<amount>{AMOUNT})[\s-]+(?P<unit>{UNIT})\s+(?:ago|back)\b", _ago),
    rule(_WHICH, rf"\b(?:last|past|previous|preceding)\s+(?P<amount>{AMOUNT})\s+(?P<unit>{UNIT})", _some_units),
    rule(
        _WHICH,
        rf"\b(?P<core>{_PORTION}?(?P<which>last|past|this|previous|current|next)\s+(?P<unit>hour|day|week|month|quarter|year))\b(?!-|_)",
        _unit,
    ),
    rule(
        {"today", "yesterday", "tomorrow"},
        rf"{_LEFT}(?P<core>(?P<word>the day before yesterday|the day after tomorrow|today|yesterday|tomorrow)"
        rf"(?:\s+(?P<part>{_PART}))?)(?![a-z0-9_(\-/]|\.[a-z])",
        _day_word,
    ),
    rule(
        {"tonight", *_PARTS},
        r"\b(?:(?P<tonight>tonight)|(?P<last>last\s+night)|this\s+(?P<part>morning|afternoon|evening))\b",
        _part_of_today,
    ),
    rule({"weekend"}, r"\b(?:over\s+the|on\s+the|(?P<which>last|this|past|next))\s+weekend\b", _weekend),
    rule({"other"}, r"\bthe\s+other\s+day\b", _the_other_day),
    rule(
        _MONTH_CUES, rf"{_LEFT}{_BEFORE}(?P<core>{_PORTION}?(?P<month>{MONTH}))(?![a-z0-9_\-/(=]|\.[a-z])", _month_alone
    ),
    rule(
        {"between", "from"},
        rf"\b(?:between|from)\s+(?P<core>(?P<year>\d{{4}}){_UNTIL}(?P<last>\d{{4}}))(?![\d.:%]|[a-z]){_COUNTED}",
        _years,
    ),
    rule(
        "0123456789",
        r"\b(?:(?:in|during|since|before|after|until|of|throughout|year|by)\s+|(?=early|mid|late))"
        rf"(?P<core>{_PORTION}?(?P<year>\d{{4}}))(?![a-z0-9%_\-/]|[.:,]\d){_COUNTED}",
        _year,
    ),
)
