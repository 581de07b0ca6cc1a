"""What surrounds a time: where it stands, the asker's zone, events to measure from, wishes for the latest or the first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_core.text.moments import read_times, resolve
from memory_core.text.spans import Unit
from tests.text.moments import NOW, read, written

SHANGHAI = timezone(timedelta(hours=8))


def test_a_span_says_where_it_was_read() -> None:
    span = read_times("What broke LAST Tuesday, and why?", NOW).spans[0]

    assert (span.words, span.begin, span.finish, span.unit) == ("LAST Tuesday", 11, 23, Unit.DAY)


def test_several_times_come_in_the_order_of_the_text_and_once() -> None:
    assert read("on 3 May, yesterday, and on May 3rd") == [("2026-05-03", "2026-05-04"), ("2026-05-13", "2026-05-14")]


def test_days_begin_where_the_asker_is() -> None:
    early = datetime(2026, 5, 14, 3, tzinfo=SHANGHAI)  # the 13th in UTC

    assert read("today", early) == [("2026-05-13 16:00", "2026-05-14 16:00")]
    assert read("昨天", early) == [("2026-05-12 16:00", "2026-05-13 16:00")]


def test_a_written_zone_counts_before_the_askers() -> None:
    assert read("at 2026-05-13T10:22:31+08:00") == [("2026-05-13 02:22", "2026-05-13 02:23")]
    assert read("at 2026-05-13 10:22Z", NOW.astimezone(SHANGHAI)) == [("2026-05-13 10:22", "2026-05-13 10:23")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(
            "We moved the cache last Tuesday. What broke?", ["last Tuesday"], id="two sentences are one thought"
        ),
        pytest.param("It rained today! I walked. What broke last Tuesday?", ["last Tuesday"], id="talk before it"),
        pytest.param("What broke last Tuesday? It rained today. I walked.", ["last Tuesday"], id="talk after it"),
        pytest.param(
            "今天天气真好。昨天下雨了。我想问的是，这个接口怎么用？", [], id="talk, and a question without a time"
        ),
        pytest.param("List the work of last week. Be brief. Use bullets.", ["last week"], id="no question mark"),
        pytest.param("On Apr. 3 v. 2 of J. R. failed, why?", ["Apr. 3"], id="points that end no sentence"),
    ],
)
def test_of_many_sentences_the_one_that_asks_is_read(text: str, words: list[str]) -> None:
    assert [span.words for span in read_times(text, NOW).spans] == words


@pytest.mark.parametrize(
    ("phrase", "now", "start"),
    [
        pytest.param("in May", datetime(2026, 5, 1, tzinfo=UTC), "2026-05-01", id="the month that has just begun"),
        pytest.param("in May", datetime(2026, 4, 30, tzinfo=UTC), "2025-05-01", id="not the one to come"),
        pytest.param("on 15 May", NOW, "2025-05-15", id="tomorrow's date is last year's"),
        pytest.param("on 29 February", NOW, "2024-02-29", id="the last leap year"),
        pytest.param("on Thursday", NOW, "2026-05-14", id="today"),
        pytest.param("last Thursday", NOW, "2026-05-07", id="not today"),
        pytest.param("next Thursday", NOW, "2026-05-21", id="to come"),
        pytest.param("in Q3", NOW, "2025-07-01", id="the last such quarter that has begun"),
    ],
)
def test_what_has_no_year_or_week_is_the_most_recent_that_has_begun(phrase: str, now: datetime, start: str) -> None:
    assert [written(span.start) for span in read_times(phrase, now).spans] == [start]


@pytest.mark.parametrize(
    ("text", "event", "words", "start", "end"),
    [
        ("what broke 3 days before the release?", "release", "3 days before the release", "2026-03-07", "2026-03-08"),
        ("the week after the move of our db", "move db", "the week after the move of our db", "2026-03-11", "2026-03-18"),
        ("the day after we shipped 2.0, what failed", "shipped 2.0", "the day after we shipped 2.0", "2026-03-11", "2026-03-12"),
        ("a few days before the launch", "launch", "a few days before the launch", "2026-03-04", "2026-03-10"),
        ("the Sunday before the launch", "launch", "the Sunday before the launch", "2026-03-08", "2026-03-09"),
        ("two months after the audit did we", "audit", "two months after the audit", "2026-04-24 18:00", "2026-05-25 06:00"),
        ("我们在发布前三天改了什么", "发布", "发布前三天", "2026-03-07", "2026-03-10"),
        ("数据库迁移后一周出了什么问题", "数据库迁移", "数据库迁移后一周", "2026-03-11", "2026-03-18"),
    ],
)  # fmt: skip
def test_a_time_may_be_measured_from_an_event(text: str, event: str, words: str, start: str, end: str) -> None:
    times = read_times(text, NOW)

    assert times.spans == ()
    assert [(anchor.event, anchor.words) for anchor in times.anchors] == [(event, words)]
    span = resolve(times.anchors[0], datetime(2026, 3, 10, 15, tzinfo=UTC), NOW)
    assert span is not None
    assert abs(span.start - datetime.fromisoformat(start).replace(tzinfo=UTC)) < timedelta(hours=6)
    assert abs(span.end - datetime.fromisoformat(end).replace(tzinfo=UTC)) < timedelta(hours=6)


@pytest.mark.parametrize(
    "text",
    [
        "before the release",
        "have I used it before?",
        "the day before",
        "3 days before 2026-03-14",
        "以前三天打鱼",
        "最后三天",
        "目前一周",
    ],
)
def test_no_event_without_a_measure_and_a_name(text: str) -> None:
    assert read_times(text, NOW).anchors == ()


@pytest.mark.parametrize(
    "text",
    [
        *("what is the latest plan?", "most recent decision", "what are we currently using", "the last time we met"),
        *("when was the last release", "our current database", "what runs right now", "which version is it now?"),
        *(
            "最近在用什么数据库",
            "最新的方案",
            "现在用哪个",
            "目前的进展",
            "上次的会议",
            "上一次部署",
            "最新發布",
            "剛才的錯誤",
        ),
    ],
)
def test_a_question_may_want_the_latest(text: str) -> None:
    assert read_times(text, NOW).wants_recent


@pytest.mark.parametrize(
    "text",
    [
        *("image:latest", "node@latest", "the last line", "the current directory", "how do I now sort it", "last week"),
        *(
            "the past 3 days",
            "最近三天的错误",
            "当前目录在哪里",
            "上周",
            "current_user is None",
            "what did she recently cook",
            "a concurrent map",
        ),
    ],
)
def test_a_question_that_does_not_want_the_latest(text: str) -> None:
    assert not read_times(text, NOW).wants_recent


@pytest.mark.parametrize(
    "text",
    ["when did we first meet", "originally", "the very first release", "最初的设计", "第一次部署", "一开始怎么做的"],
)
def test_a_question_may_want_the_first(text: str) -> None:
    assert read_times(text, NOW).wants_first


@pytest.mark.parametrize("text", ["the first argument", "first place", "第一个参数", "首先"])
def test_a_question_that_does_not_want_the_first(text: str) -> None:
    assert not read_times(text, NOW).wants_first


@pytest.mark.parametrize("text", ["٣天前", "٢٠٢٦年", "最近٣天", "3月1٣日", "发布前٣天", "३天前发布", "on 2026-05-0९"])
def test_figures_of_every_script_are_figures(text: str) -> None:
    """A figure that is none of 0 to 9 once ended the question with an error."""
    times = read_times(text, NOW)

    assert times.spans or times.anchors
