"""Two reports are one event only if they say the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from memory_core.capture.fingerprint import fingerprint
from memory_core.capture.payload import clean
from tests.capture.strategies import ANY_JSON, UNHURRIED

RUN = {"tool_name": "Bash", "tool_input": {"command": "npm test", "timeout": 5}, "tool_output": {"stdout": "FAIL"}}


@pytest.mark.parametrize(
    "same",
    [
        pytest.param(dict(reversed(RUN.items())), id="another order of keys"),
        pytest.param(
            RUN | {"duration_ms": 12, "call_id": "c1", "timestamp": "2026-01-01T00:00:00Z"}, id="clocks and call ids"
        ),
        pytest.param(RUN | {"tool_output": {"stdout": "FAIL", "durationMs": 3}}, id="a duration in the output"),
    ],
)
def test_what_only_measures_the_report_does_not_count(same: Any) -> None:
    assert fingerprint("post_tool_use", "s", same) == fingerprint("post_tool_use", "s", RUN)


@pytest.mark.parametrize(
    ("hook", "session", "data"),
    [
        pytest.param(
            "post_tool_use", "s", RUN | {"tool_output": {"stdout": "PASS"}}, id="a pass behind a failure is news"
        ),
        pytest.param(
            "post_tool_use", "s", RUN | {"tool_input": {"command": "npm test", "timeout": 6}}, id="another input"
        ),
        pytest.param("post_tool_use", "s", RUN | {"tool_name": "Shell"}, id="another tool"),
        pytest.param("post_tool_use", "t", RUN, id="another session"),
        pytest.param("pre_tool_use", "s", RUN, id="another hook"),
    ],
)
def test_news_has_another_fingerprint(hook: str, session: str, data: Any) -> None:
    assert fingerprint(hook, session, data) != fingerprint("post_tool_use", "s", RUN)


def test_prompts_that_begin_alike_are_different() -> None:
    start = "x" * 5000

    assert fingerprint("prompt_submit", "s", {"prompt": start + "a"}) != fingerprint(
        "prompt_submit", "s", {"prompt": start + "b"}
    )


@UNHURRIED
@given(ANY_JSON)
def test_any_clean_json_has_a_steady_fingerprint(value: Any) -> None:
    cleaned = clean(value)

    first = fingerprint("hook", "session", cleaned)

    assert first == fingerprint("hook", "session", clean(cleaned))
    assert len(first) == 64
