"""Settings are read as people write them; nonsense is refused with what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.domain.configuration import SETTINGS, read
from memory_core.domain.errors import ConfigurationError

READ: list[tuple[dict[str, str], str, Any]] = [
    ({}, "EVERLORE_PORT", 3111),
    ({"EVERLORE_PORT": "8080"}, "EVERLORE_PORT", 8080),
    ({"EVERLORE_PORT": " 8_080 "}, "EVERLORE_PORT", 8080),
    ({"EVERLORE_PORT": ""}, "EVERLORE_PORT", 3111),
    ({"EVERLORE_PORT": "   "}, "EVERLORE_PORT", 3111),
    ({"III_REST_PORT": "4111"}, "EVERLORE_PORT", 4111),
    ({"III_REST_PORT": "4111", "EVERLORE_PORT": "5111"}, "EVERLORE_PORT", 5111),
    ({"EVERLORE_PORT": "1"}, "EVERLORE_PORT", 1),
    ({"EVERLORE_PORT": "65535"}, "EVERLORE_PORT", 65535),
    ({"MAX_OBS_PER_SESSION": "0"}, "EVERLORE_MAX_OBSERVATIONS_PER_SESSION", 0),
    ({"EVERLORE_DEBUG": "YES"}, "EVERLORE_DEBUG", True),
    ({"EVERLORE_DEBUG": "off"}, "EVERLORE_DEBUG", False),
    ({"AGENTMEMORY_INJECT_CONTEXT": "1"}, "EVERLORE_INJECT_CONTEXT", True),
    ({"EVERLORE_LOG_LEVEL": "debug"}, "EVERLORE_LOG_LEVEL", "DEBUG"),
    ({"EVERLORE_LANGUAGE": "ZH-Hans"}, "EVERLORE_LANGUAGE", "zh-hans"),
    ({"EVERLORE_SEGMENTERS": " jieba , ,kiwi"}, "EVERLORE_SEGMENTERS", ["jieba", "kiwi"]),
    ({"EVERLORE_ALLOWED_HOSTS": "a.lan,b.lan"}, "EVERLORE_ALLOWED_HOSTS", ["a.lan", "b.lan"]),
    ({"AGENTMEMORY_SECRET": "open-sesame"}, "EVERLORE_SECRET", "open-sesame"),
    ({"DATABASE_URL": "postgresql://u:p@h/d"}, "DATABASE_URL", "postgresql://u:p@h/d"),
    ({"EVERLORE_HOST": "0.0.0.0", "EVERLORE_SECRET": "x"}, "EVERLORE_HOST", "0.0.0.0"),
    ({"EVERLORE_AGENT_SCOPE": "isolated", "AGENT_ID": "claude"}, "EVERLORE_AGENT_SCOPE", "isolated"),
]

REFUSED: list[tuple[dict[str, str], str]] = [
    ({"EVERLORE_PORT": "http"}, "EVERLORE_PORT is 'http': write a whole number, e.g. EVERLORE_PORT=3111"),
    ({"EVERLORE_PORT": "80.5"}, "EVERLORE_PORT is '80.5': write a whole number"),
    ({"EVERLORE_PORT": "9" * 5000}, "write a whole number"),
    ({"EVERLORE_PORT": "０"}, "write a"),
    ({"EVERLORE_PORT": "0"}, "EVERLORE_PORT is '0': write a number from 1 to 65535"),
    ({"EVERLORE_PORT": "65536"}, "write a number from 1 to 65535"),
    ({"III_REST_PORT": "-1"}, "III_REST_PORT is '-1': write a number from 1 to 65535"),
    ({"EVERLORE_DEBUG": "maybe"}, "EVERLORE_DEBUG is 'maybe': write EVERLORE_DEBUG=true or EVERLORE_DEBUG=false"),
    ({"EVERLORE_LOG_LEVEL": "loud"}, "write one of: DEBUG, INFO, WARNING, ERROR"),
    ({"EVERLORE_SECRET": "open sesame"}, "EVERLORE_SECRET is (hidden): write a token without spaces"),
    ({"DATABASE_URL": "mysql://u:hunter2@h/d"}, "DATABASE_URL is (hidden): write a URL such as postgres://"),
    ({"AGENT_ID": "x" * 129}, "write at most 128 characters"),
    ({"EVERLORE_HOST": "0.0.0.0"}, "set EVERLORE_SECRET to a long random text, or write EVERLORE_HOST=127.0.0.1"),
    ({"EVERLORE_AGENT_SCOPE": "isolated"}, "set AGENT_ID too, or write EVERLORE_AGENT_SCOPE=shared"),
    ({"EVERLORE_LEXICAL_WEIGHT": "0", "EVERLORE_DENSE_WEIGHT": "0"}, "leave one above 0"),
    ({"EVERLORE_SEGMENTERS": "jieba,mecab"}, "EVERLORE_SEGMENTERS names mecab: write some of jieba, fugashi, kiwi"),
]


@pytest.mark.parametrize(("environ", "name", "value"), READ, ids=[str(row[0])[:50] for row in READ])
def test_a_value_is_read(environ: dict[str, str], name: str, value: Any) -> None:
    assert read(environ)[name] == value


@pytest.mark.parametrize(("environ", "words"), REFUSED, ids=[str(row[0])[:50] for row in REFUSED])
def test_nonsense_is_refused_with_what_to_write(environ: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read(environ)

    assert words in str(refusal.value)
    assert not any(value in str(refusal.value) for name, value in environ.items() if "SECRET" in name or "URL" in name)


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read({"EVERLORE_PORT": "x", "EVERLORE_DEBUG": "x", "EVERLORE_LANGUAGE": "x"})

    assert len(str(refusal.value).splitlines()) == 3


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_a_default_is_what_it_says(setting: Any) -> None:
    value = read({})[setting.name]

    assert value == setting.default
    assert isinstance(value, {"int": int, "bool": bool, "list": list}.get(setting.kind, str))
    if setting.kind == "int":
        assert setting.minimum <= value <= setting.maximum
    if setting.choices:
        assert value in setting.choices
    assert setting.meaning.endswith(".")


def test_no_name_or_alias_is_used_twice() -> None:
    names = [name for setting in SETTINGS for name in (setting.name, *setting.aliases)]

    assert len(set(names)) == len(names)
