"""Words that look like times and are none: versions, ports, counts, names, verbs, code, lengths and repetitions."""

from __future__ import annotations

import pytest

from memory_core.text.moments import read_times
from tests.text.moments import NOW, read

PHRASES = [
    "It may fail when the march begins",
    "version 3.5 of the parser",
    "upgrade to 2024.1.0",
    "listens on port 2024",
    "python 3.11 and Django 5.2",
    "run it every Monday",
    "the sun is out, sat down",
    "`2026-03-14` in backticks",
    "sleep for 3 days",
    "See http://x.org/2026/03/14/post",
    "Sun Microsystems",
    "march on",
    "May I ask something",
    "the app has 2000 users",
    "error at line 12 may 5 times",
    "HTTP 404",
    "CVE-2024-1234",
    "192.168.1.14",
    "docs/plans/2026-01-29-design.md",
    "1/2 of the tests",
    "the first step",
    "How do I sort the list?",
    "三个月的工期",
    "每周一运行",
    "一周一次的会议",
    "生命周期",
    "周围的文件",
    "第3天",
    "在2000行代码里",
    "个月",
    "十分",
    "retry 3 times in 5 seconds",
    "the second quarter-turn screw",
    "Augustus decided",
    "e.g. 10:30 cron",
    "commit 2026031",
    "an octopus",
    "decimal places",
    "today() returns",
    "April said the tests fail",
    "tel. 555-2024",
    "天气怎么样",
    "前端和后端的接口",
    "月亮",
    "工作日的定义",
    "日志在哪里",
    "后天性",
    "服务器上下文",
    "一号服务器",
    "may be the cache is stale",
    "we march through the list",
    "second argument of the function",
    "the 3rd parameter",
    "node 20.11.1 upgrade",
    "bump lodash to 4.17.21",
    "port 8080 is taken",
    "retry after 30 seconds",
    "timeout of 5 minutes",
    "set the TTL to 7 days",
    "weekly report template",
    "day-ahead forecast model",
    "the Monday.com integration",
    "MAR file extension",
    "the dec() function",
    "jan tuple unpack",
    "oct(8) returns",
    "sat solver performance",
    "thu lab in Tsinghua",
    "it should not be back",
    "2024 lines of code",
    "in 2000 requests per second",
    "IPv4 10.0.0.1",
    "1.2.2024-rc1",
    "build 20260314",
    "room 2026",
    "ISBN 978-3-16",
    "hour-long meeting",
    "last line of the file",
    "this method",
    "next() iterator",
    "before the request is sent",
    "after each test",
    "since it is slow",
    "每天早上的备份",
    "每月报告",
    "三天的工作量",
    "两周的冲刺",
    "周边的功能",
    "日期格式",
    "第二天",
    "一天一次",
    "月份字段的类型",
    "年级表",
    "上下文窗口",
    "前一个版本",
    "后端服务",
    "以前的做法",
    "十二个月的数据",
    "5个日志文件",
    "在3月球任务",
]


@pytest.mark.parametrize("phrase", PHRASES)
def test_no_time_is_read(phrase: str) -> None:
    assert read(phrase) == []


@pytest.mark.parametrize(
    "phrase",
    [
        pytest.param("git log `--since=2026-03-14`", id="code between backticks"),
        pytest.param("```\n2026-03-14 failed\n```", id="a block of code"),
        pytest.param("see https://example.org/2026-03-14", id="an address"),
        pytest.param("docs/2026-03-14.md", id="a path"),
        pytest.param("backup_2026-03-14", id="a name"),
    ],
)
def test_code_addresses_and_names_of_files_give_no_time(phrase: str) -> None:
    assert read(phrase) == []


@pytest.mark.parametrize("phrase", ["How do I sort the list?", "数据库连接池怎么配置"])
def test_most_questions_have_nothing_of_time(phrase: str) -> None:
    times = read_times(phrase, NOW)

    assert (times.spans, times.anchors, times.wants_recent, times.wants_first) == ((), (), False, False)
