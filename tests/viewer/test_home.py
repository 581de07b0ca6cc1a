"""The first page: how the instance is, in the reader's language, whatever was remembered."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memory_core import activity
from memory_core.flows import health, remember
from memory_core.models import ActivityEvent, Memory
from tests.fakes import records
from tests.viewer.conftest import HOSTILE, remembered, sample
from viewer import words

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def page(client: Client, language: str = "en") -> str:
    response = client.get("/", headers={"Accept-Language": language})
    assert response.status_code == 200
    return response.content.decode()


def test_an_empty_memory_says_what_to_do(client: Client) -> None:
    assert "everlore demo" in page(client)


def test_it_counts_what_is_stored_and_tells_what_happened(client: Client) -> None:
    sample()
    text = re.sub(r"<[^>]+>", " ", page(client))
    for words_ in ("Projects 2", "Sessions 2", "Observations 4", "Memories 4", "Session ended Move the database"):
        assert words_ in re.sub(r"\s+", " ", text)


def test_hostile_titles_and_names_are_escaped(client: Client) -> None:
    activity.record(HOSTILE, project=HOSTILE, session=HOSTILE, object_id=HOSTILE, data={"title": HOSTILE})
    activity.record("memory_saved", object_id=HOSTILE, data={"title": HOSTILE})
    activity.record("observations_forgotten", data=[HOSTILE])
    body = page(client)
    assert "<script" not in body.lower()
    assert "onerror=&quot;" in body
    assert "<img src=x" not in body


def test_it_speaks_the_readers_language(client: Client) -> None:
    body = page(client, "zh-CN")
    assert '<html lang="zh-hans">' in body
    assert "编程智能体的长期记忆" in body
    assert "运行正常" in body


def test_the_language_can_be_switched_without_a_script(client: Client) -> None:
    client.post("/language", {"language": "zh-hans", "next": "/"})
    assert "编程智能体的长期记忆" in page(client)


def test_the_switch_leads_nowhere_else(client: Client) -> None:
    response = client.post("/language", {"language": "zh-hans", "next": "https://elsewhere.example/"})
    assert response.headers["Location"] == "/"


def test_it_loads_nothing_from_elsewhere_and_no_script(client: Client) -> None:
    sample()
    body = page(client)
    loaded = re.findall(r'<(?:link|img|script|iframe)[^>]+(?:href|src)="([^"]+)"', body)
    assert loaded
    assert all(address.startswith("/static/") for address in loaded)
    assert "<script" not in body
    assert "http-equiv" not in body
    assert "style=" not in body


def test_pages_carry_a_strict_policy_and_rest_answers_none(client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "Content-Security-Policy" in client.get("/admin/login/").headers
    assert "Content-Security-Policy" not in client.get("/agentmemory/livez").headers


def test_a_page_is_never_kept_by_a_cache(client: Client) -> None:
    assert "no-store" in client.get("/").headers["Cache-Control"]


def test_the_number_of_questions_does_not_grow_with_what_is_stored(client: Client) -> None:
    sample()
    page(client)
    with CaptureQueriesContext(connection) as few:
        page(client)
    for number in range(30):
        session = records.session(f"more{number}", project=records.project(f"more {number}"))
        activity.record("session_started", project=session.project_id, session=session.pk)
    with CaptureQueriesContext(connection) as many:
        page(client)
    assert len(many) == len(few)


def test_what_was_given_up_needs_attention(client: Client) -> None:
    records.waiting(records.entry("obs_9"), failed=True)
    body = page(client)
    assert "It needs attention" in body
    assert "1 record could not be embedded" in body


def test_a_database_that_does_not_answer_is_said_on_the_page(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> dict[str, Any]:
        return {"status": "error", "error": "connection refused"}

    def unreachable() -> dict[str, int]:
        raise OperationalError("connection refused")

    monkeypatch.setattr(health, "_database", broken)
    monkeypatch.setattr(health, "counts", unreachable)
    response = client.get("/")
    assert response.status_code == 503
    assert "cannot be reached" in response.content.decode()


def test_a_forgotten_memory_is_no_link(client: Client) -> None:
    remembered("words")
    remember.forget_memory(Memory.objects.get().pk, now=timezone.now())
    event = ActivityEvent.objects.get(kind="memory_forgotten")
    assert words.lines([event])[0].address == ""


def _kinds() -> set[str]:
    """Every kind that the product records: the first argument of `activity.record`, and those in SQL."""
    found = set()
    for path in [*(ROOT / "memory_core").rglob("*.py"), *(ROOT / "workers").rglob("*.py")]:
        source = path.read_text()
        for node in ast.walk(ast.parse(source)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and ast.unparse(node.func) == "activity.record"
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(node.args[0].value)
        found |= set(re.findall(r"INTO memory_core_activityevent[^;]*?VALUES \('(\w+)'", source))
    return found


def test_every_kind_of_event_has_words() -> None:
    assert _kinds() == set(words.KINDS)
