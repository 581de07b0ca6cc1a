"""Times in Chinese: 2026年3月14日, 上周二, 三天前, 过去两周, 上个月底, 去年, 第一季度. The text is simplified when it comes here.

三个月 is a length and 三月 a month; 每周一 is no time; 一周 and 周期 have no weekday.
"""

from __future__ import annotations

import re

from memory_core.text.moments_reading import Reading, Rule, rule
from memory_core.text.spans import Period, Unit, third

_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_WEEKDAYS = {character: number for number, character in enumerate("一二三四五六日")} | {"天": 6}
_PARTS = {
    "凌晨": "dawn", "早上": "morning", "早晨": "morning", "上午": "morning", "中午": "noon", "下午": "afternoon",
    "傍晚": "evening", "晚上": "evening", "晚": "evening", "夜里": "night", "早": "morning", "夜": "night",
}  # fmt: skip
_THIRDS = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "底": 2, "末": 2, "下旬": 2}
_UNITS = {
    "分钟": Unit.MINUTE, "小时": Unit.HOUR, "钟头": Unit.HOUR, "天": Unit.DAY, "周": Unit.WEEK, "星期": Unit.WEEK,
    "礼拜": Unit.WEEK, "月": Unit.MONTH, "季度": Unit.QUARTER, "年": Unit.YEAR,
}  # fmt: skip

AMOUNT = r"(?:\d{1,4}|[一二两三四五六七八九十百]{1,4}|几|数|好几|半)"
UNIT = r"(?:分钟|个?(?:小时|钟头|星期|礼拜|季度)|个月|天|周|年)"
_PART = r"(?P<part>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?"
_YEAR = r"(?P<year>(?<!\d)\d{4}|(?<!\d)\d{2}(?=年\d{1,2}月)|[零〇一二三四五六七八九]{4})年|(?P<named>今年|去年|前年|明年|本年)"
_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]|[一二三四五六七八九十])月"
_WEEK = r"(?:周(?![期年边围到全密知])|星期|礼拜)"
_NAMED_YEARS = {"今": 0, "本": 0, "去": -1, "前": -2, "明": 1}
_NO_COUNT = r"(?<![每一二两三四五六七八九十百几数\d])"


def number(text: str) -> int | None:
    """A count in figures or characters up to 999; None for 几 and 数, which are a few."""
    if text.isascii():
        return int(text)
    if text in ("几", "数", "好几"):
        return None
    total, digit = 0, 0
    for character in text:
        if character in "十百":
            total += (digit or 1) * (10 if character == "十" else 100)
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit


def amount(text: str) -> float | None:
    """How many units, None for a few."""
    return 0.5 if text == "半" else number(text)


def unit(text: str) -> Unit:
    return _UNITS[text.removeprefix("个")]


def _year_of(match: re.Match[str], reading: Reading) -> int | None:
    """The year that is written or named beside the date, None when there is none."""
    this = reading.calendar.today.year
    if match["named"]:
        return this + _NAMED_YEARS[match["named"][0]]
    written = match["year"]
    if written is None:
        return None
    if not written.isascii():
        return int("".join(str(_DIGITS[character]) for character in written))
    return int(written) if len(written) == 4 else this // 100 * 100 + int(written)


def _date(match: re.Match[str], reading: Reading) -> Period | None:
    """3月14日 with or without its year and a part of the day."""
    year, month, day = _year_of(match, reading), number(match["month"]), number(match["day"])
    if month is None or day is None:
        return None
    calendar = reading.calendar
    found = calendar.day_of_year(month, day) if year is None else calendar.day(year, month, day)
    return calendar.part(found, _PARTS[match["part"]]) if found and match["part"] else found


def _days(match: re.Match[str], reading: Reading) -> Period | None:
    """3月5日到8日."""
    start = _date(match, reading)
    last = number(match["last"])
    end = start and last and reading.calendar.day(start.start.year, start.start.month, last)
    return Period(start.start, end.end, Unit.DAY, start.cycle) if start and end and start.start < end.end else None


def _month(match: re.Match[str], reading: Reading) -> Period | None:
    year, month = _year_of(match, reading), number(match["month"])
    if month is None:
        return None
    calendar = reading.calendar
    found = calendar.month_of_year(month) if year is None else calendar.month(year, month)
    return third(found, _THIRDS[match["third"]]) if found and match["third"] else found


def _year(match: re.Match[str], reading: Reading) -> Period | None:
    number_of_year = _year_of(match, reading)
    if number_of_year is None:
        return None
    if match["half"]:
        return reading.calendar.half_year(number_of_year, "上下".index(match["half"][0]))
    found = reading.calendar.year(number_of_year)
    return third(found, _THIRDS[match["third"]]) if found and match["third"] else found


def _quarter(match: re.Match[str], reading: Reading) -> Period | None:
    year, quarter = _year_of(match, reading), number(match["quarter"])
    if quarter is None:
        return None
    return reading.calendar.quarter_of_year(quarter) if year is None else reading.calendar.quarter(year, quarter)


def _half_year(match: re.Match[str], reading: Reading) -> Period | None:
    return reading.calendar.half_year(reading.calendar.today.year, "上下".index(match[0][0]))


def _shift(which: str) -> int:
    return -which.count("上") + which.count("下")


def _week(match: re.Match[str], reading: Reading) -> Period | None:
    """上周, 本周, 上上周, 上周二, 上周末, 这周二下午."""
    calendar = reading.calendar
    week = calendar.whole(Unit.WEEK, _shift(match["which"]))
    if week is None:
        return None
    if match["weekend"]:
        return Period(calendar.weekday_of(week, 5).start, week.end, Unit.DAY)
    if not match["weekday"]:
        return week
    found = calendar.weekday_of(week, _WEEKDAYS[match["weekday"]])
    return calendar.part(found, _PARTS[match["part"]]) if match["part"] else found


def _weekday(match: re.Match[str], reading: Reading) -> Period | None:
    calendar = reading.calendar
    found = calendar.weekday(_WEEKDAYS[match["weekday"]])
    return calendar.part(found, _PARTS[match["part"]]) if match["part"] else found


def _whole(match: re.Match[str], reading: Reading) -> Period | None:
    """上个月, 本季度, 上月底."""
    found = reading.calendar.whole(Unit.MONTH if match["unit"] == "月" else Unit.QUARTER, _shift(match["which"]))
    return third(found, _THIRDS[match["third"]]) if found and match["third"] else found


def _day_word(match: re.Match[str], reading: Reading) -> Period | None:
    """今天, 昨晚, 前天下午, 大前天."""
    word, calendar = match["word"], reading.calendar
    away = {"今": 0, "昨": -1, "前": -2, "大前": -3, "明": 1, "后": 2, "大后": 3}[word]
    found = calendar.days_away(away)
    part = match["part"] or (match["of"] if match["of"] in _PARTS else None)
    return calendar.part(found, _PARTS[part]) if part else found


def _ago(match: re.Match[str], reading: Reading) -> Period | None:
    count, name = amount(match["amount"]), unit(match["unit"])
    return reading.calendar.few_ago(name) if count is None else reading.calendar.ago(count, name)


def _rolling(match: re.Match[str], reading: Reading) -> Period | None:
    count = amount(match["amount"])
    return reading.calendar.rolling(4 if count is None else count, unit(match["unit"]))


def _few_days(_: re.Match[str], reading: Reading) -> Period | None:
    return reading.calendar.rolling(4, Unit.DAY)


_THIRD = r"(?P<third>初|上旬|中旬|下旬|底|末|中(?!国|文|的|心|间|午))?"
_DAY_NUMBER = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])"
_WEEKDAY = r"(?P<weekday>[二三四五六日天](?![个位次名分点块条天])|一(?![个位次名分点块条天直些样起般定共]))"

_ONE_YEAR = rf"(?:{_YEAR})"
_DATED = rf"(?<!每年)(?:{_ONE_YEAR}\s?)?(?<![\d个每]){_MONTH}\s?(?P<day>{_DAY_NUMBER})"

RULES: tuple[Rule, ...] = (
    rule("月", rf"{_DATED}[日号]?[到至~\-—](?P<last>{_DAY_NUMBER})[日号]{_PART}", _days),
    rule("月", rf"{_DATED}[日号]{_PART}", _date),
    rule(
        "月",
        rf"(?<!每年)(?:{_ONE_YEAR}的?\s?)?(?<![\d个每几十一二三四五六七八九.]){_MONTH}份?{_THIRD}(?![球亮光饼薪])",
        _month,
    ),
    rule("季", rf"(?:{_ONE_YEAR}的?)?第?(?P<quarter>[一二三四1-4])季度", _quarter),
    rule("年", rf"{_ONE_YEAR}的?q(?P<quarter>[1-4])(?![a-z0-9])", _quarter),
    rule("年", rf"{_ONE_YEAR}的?(?P<half>上半年|下半年)?{_THIRD}(?![代级\d])", _year),
    rule("半", r"上半年|下半年", _half_year),
    rule(
        "周星礼",
        rf"(?P<which>上上|上|下下|下|这|本)个?{_WEEK}(?:(?P<weekend>末)|{_WEEKDAY}{_PART})?",
        _week,
    ),
    rule("周星礼", rf"{_NO_COUNT}(?<![个上下这本]){_WEEK}{_WEEKDAY}{_PART}", _weekday),
    rule("月季", rf"(?<![一两二三几\d])(?P<which>上上|上|下下|下|这|本)个?(?P<unit>月|季度?){_THIRD}", _whole),
    rule(
        "今昨明前后",
        r"(?<![一二两三四五六七八九十几数\d以之])(?P<word>今|昨|明|大?前(?=[天晚])|大?后(?=天))(?P<of>天|日|晚|早|夜)"
        rf"{_PART}(?![线志期性])",
        _day_word,
    ),
    rule("前", rf"(?<![过去近这前第])(?P<amount>{AMOUNT})(?P<unit>{UNIT})(?:以|之)?前(?![天端面后缀])", _ago),
    rule("过近这", rf"(?:过去|最近|近|这)的?(?P<amount>{AMOUNT})(?P<unit>{UNIT})", _rolling),
    rule("前", r"前(?:几|些|两)天", _few_days),
)
