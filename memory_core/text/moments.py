"""The times that a question names: spans, events it measures from, and whether it asks for the latest or the first.

Pure; English, Chinese (both scripts) and dates in figures. Precision before recall: a word that may be something else
is read only in company that makes it a time, so that a question without a time stays one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memory_core.domain import tunables_time as tunables
from memory_core.text import moments_en, moments_numeric, moments_zh
from memory_core.text.moments_reading import Reading, find, fold
from memory_core.text.moments_relations import BEGINNING, Event, Measure, events, relate
from memory_core.text.spans import Calendar, Period, Unit


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` to before `end`, both in UTC; `words`: what it was read from, at `begin` to before `finish` of the text."""

    start: datetime
    end: datetime
    unit: Unit
    words: str
    begin: int
    finish: int


@dataclass(frozen=True, slots=True)
class Anchor:
    """A time so far from an event: `event` names it, `measure` how far; `words`, `begin`, `finish` as of a span."""

    event: str
    measure: Measure
    words: str
    begin: int
    finish: int


@dataclass(frozen=True, slots=True)
class Times:
    """All that a question says of time; nothing at all for most."""

    spans: tuple[Span, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    wants_recent: bool = False
    wants_first: bool = False


NO_TIMES = Times()

_RULES = (*moments_numeric.RULES, *moments_en.RULES, *moments_zh.RULES)
_RECENT_CUES = frozenset(
    {"latest", "newest", "recent", "recently", "current", "currently", "nowadays", "days", "now", "moment"}
    | {"present", "last", "date", *"最新现目如当上刚"}
)
_FIRST_CUES = frozenset({"originally", "initially", "earliest", "first", "beginning", *"最第首起开当"})
_EVENT_CUES = frozenset({"before", "after", "prior", "following", "preceding", "前", "后"})
_CUES = frozenset().union(_RECENT_CUES, _FIRST_CUES, _EVENT_CUES, *(rule.cues for rule in _RULES))
"""One of these stands in every time and every wish; a question without them is not looked at further."""

_OF_THE_MACHINE = (
    r"(?:working )?(?:dir|directory|folder|file|user|line|branch|thread|process|request|element|node|time)\b"
)
_HAPPENINGS = (
    r"(?:release|deploy|deployment|session|meeting|commit|run|build|incident|outage|failure|conversation|discussion"
    r"|change|update|decision|version|visit|call|trip|message)\b"
)
_RECENT = re.compile(
    r"(?<![:@/.\-_])\b(?:latest|newest|most recent(?:ly)?|currently|nowadays|these days|right now"
    r"|as of (?:now|today)|at the moment|at present|last time|up to date)\b(?![:@/\-_])"
    r"|\b(?:is|are|do|does|be|was) now\b|\bnow\s*\?"
    rf"|\b(?:the|our|my) (?:most recent|current) (?!{_OF_THE_MACHINE})"
    rf"|\b(?:the|our|my|his|her|their) (?:very )?last {_HAPPENINGS}"
    r"|最近(?!的?(?:距离|一?家))|最新|现在|目前|如今|当前(?!目录|用户|行|分支|线程|进程|文件)|上一?次|上回|刚才|刚刚"
)
_BEGUN = r"(?:mention|meet|met|use|start|add|introduc|discuss|talk|see|saw|hear|try|tri|notic|report)\w*"
_FIRST = re.compile(
    r"\b(?:originally|initially|earliest|at first|first time|first ever|in the beginning|very first"
    rf"|first {_BEGUN})\b|最初|最早|第一次|首次|起初|一开始|当初|最先"
)
_SENTENCE_END = re.compile(r"[。！？!?…]+|\.(?=\s+[A-Z])|\n+")
_SMALL_WORDS = re.compile(r"\b(?:of|to|the|an?|our|my|your|we|i|you|they|its?)\b\s*")
"""Words of an event's name that a record of it need not have."""


def read_times(text: str, now: datetime) -> Times:
    """The times that `text` names, as seen at `now` (which knows its time zone; days begin there).

    A time without a year, week or day is the most recent one that is not after `now`: "in March" asked in February is
    March of last year. Weeks begin on Monday. "Two weeks ago" is half a week to each side of that moment, "3 days ago"
    that day, "past 3 days" all since that day's beginning. "Before June" begins in 1970, "since Monday" ends at `now`.
    Of three sentences and more only the last that ends in a question mark is read: what is told around a question has
    times of its own. Never raises; time linear in the text, of which the first MOST_READ_CHARACTERS are read.

    >>> noon = datetime(2026, 5, 14, 12, tzinfo=UTC)
    >>> [f"{span.start:%Y-%m-%d} {span.words}" for span in read_times("What broke last Tuesday?", noon).spans]
    ['2026-05-12 last Tuesday']
    >>> read_times("What is the latest plan?", noon).wants_recent
    True
    """
    if not tunables.EARLIEST_YEAR < now.year < 9900:
        return NO_TIMES
    text = text[: tunables.MOST_READ_CHARACTERS]
    folded = _asking(text, fold(text))
    reading = Reading(folded, text, Calendar(now))
    if _CUES.isdisjoint(reading.signs):
        return NO_TIMES
    found = relate(find(_RULES, reading), reading)
    anchors = [] if _EVENT_CUES.isdisjoint(reading.signs) else events(found, reading)
    spans = [
        Span(*limits, one.period.unit, text[one.begin : one.finish], one.begin, one.finish)
        for one in found
        if not any(one.begin < event.finish and event.begin < one.finish for event in anchors)
        and (limits := _span(one.period, now))
    ]
    return Times(
        spans=tuple(_distinct(spans)[: tunables.MOST_SPANS]),
        anchors=tuple(_anchor(event, text) for event in anchors[: tunables.MOST_ANCHORS]),
        wants_recent=not _RECENT_CUES.isdisjoint(reading.signs) and _wishes(_RECENT, folded, spans),
        wants_first=not _FIRST_CUES.isdisjoint(reading.signs) and _wishes(_FIRST, folded, spans),
    )


def _asking(text: str, folded: str) -> str:
    """The folded text; where a question stands among many sentences, with nothing but the question left in its place."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    mark = folded.rfind("?")
    if mark < 0 or len(ends) + (not ends or ends[-1] < len(text.rstrip())) < tunables.LEAST_SENTENCES_OF_A_STORY:
        return folded
    begin = max((end for end in ends if end <= mark), default=0)
    return "\0" * begin + folded[begin : mark + 1] + "\0" * (len(folded) - mark - 1)


def resolve(anchor: Anchor, happened: datetime, now: datetime) -> Span | None:
    """The span an anchor means once it is known when its event happened; None when it is out of reach."""
    calendar = Calendar(now)
    day = calendar.midnight(happened.astimezone(now.tzinfo).date())
    period = anchor.measure.apply(calendar, Period(day, day + timedelta(days=1), Unit.DAY))
    if period is None:
        return None
    span = _span(period, now)
    return span and Span(*span, period.unit, anchor.words, anchor.begin, anchor.finish)


def _span(period: Period, now: datetime) -> tuple[datetime, datetime] | None:
    """The period in UTC, kept between 1970 and ten years from now."""
    latest = now.astimezone(UTC) + timedelta(days=366 * tunables.MOST_YEARS_AHEAD)
    start, end = max(period.start.astimezone(UTC), BEGINNING), min(period.end.astimezone(UTC), latest)
    return (start, end) if start < end else None


def _distinct(spans: list[Span]) -> list[Span]:
    first: dict[tuple[datetime, datetime], Span] = {}
    for span in spans:
        first.setdefault((span.start, span.end), span)
    return list(first.values())


def _anchor(event: Event, text: str) -> Anchor:
    name = text[event.begin : event.finish]
    return Anchor(" ".join(_SMALL_WORDS.sub(" ", event.words).split()), event.measure, name, event.begin, event.finish)


def _wishes(pattern: re.Pattern[str], folded: str, spans: list[Span]) -> bool:
    """Whether the words stand somewhere outside the times: 最近三天 is a span and no wish."""
    return any(
        not any(span.begin < match.end() and match.start() < span.finish for span in spans)
        for match in pattern.finditer(folded)
    )
