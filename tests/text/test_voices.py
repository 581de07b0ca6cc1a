"""Whose words a question asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.text.voices import Voice, asked_voice


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("Which port did I pick?", Voice.USER, id="first person"),
        pytest.param("what is my deadline", Voice.USER, id="possessive"),
        pytest.param("What did you tell me about retries?", Voice.AGENT, id="the agent's words, told to me"),
        pytest.param("the library you suggested last week", Voice.AGENT, id="past"),
        pytest.param("You've already recommended one, which?", Voice.AGENT, id="perfect"),
        pytest.param("Repeat your earlier recommendation", Voice.AGENT, id="noun"),
        pytest.param("I want a cache, what would you suggest?", Voice.USER, id="asked for something new"),
        pytest.param("Can you list what I changed?", Voice.USER, id="politeness"),
        pytest.param("我上周选了哪个数据库？", Voice.USER, id="Chinese, first person"),
        pytest.param("你之前推荐的库叫什么", Voice.AGENT, id="Chinese, the agent's words"),
        pytest.param("你能列出所有接口吗", None, id="Chinese politeness"),
        pytest.param("Welche Datenbank habe ich gewählt?", Voice.USER, id="German"),
        pytest.param("Какую базу я выбрал?", Voice.USER, id="Russian"),
        pytest.param("why did we drop the queue", None, id="we is everybody"),
        pytest.param("fix off by one in parser", None, id="nobody"),
        pytest.param("for i in range(n): total += i", None, id="a variable"),
        pytest.param("why is eu-west-1 slow?", None, id="a region"),
        pytest.param("which ceph mon died", None, id="a daemon"),
        pytest.param("Phase I rollout status", None, id="a Roman numeral"),
        pytest.param("World War I", None, id="a war"),
        pytest.param("the /me endpoint fails", None, id="a route"),
        pytest.param("I'm moving, which city was it?", Voice.USER, id="contracted"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_the_side_that_a_question_names(question: str, expected: Voice | None) -> None:
    assert asked_voice(question) is expected


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert asked_voice(text) in (None, Voice.USER, Voice.AGENT)
