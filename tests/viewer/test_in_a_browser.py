"""The pages in a real browser: nothing is refused by the policy, nothing remembered runs."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote as url_quote

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from memory_core.models import Memory
from tests.viewer.browser import Browser
from tests.viewer.conftest import HOSTILE, sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
NARROW = 400


@pytest.fixture
def session_key(settings: Any) -> str:
    """The session of a curator, for the address that hands it to a browser."""
    settings.ROOT_URLCONF = "tests.viewer.signed_in_urls"
    client = Client()
    client.force_login(User.objects.create_superuser("keeper"))
    return client.cookies["sessionid"].value


def test_the_browser_reports_what_the_policy_refuses(browser: Browser, tmp_path: Path) -> None:
    """The control of the tests below: a complaint does reach them."""
    page = tmp_path / "page.html"
    page.write_text("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\"><script>alert(1)</script>")
    assert browser.look(page.as_uri()).complaints


def test_the_first_page_is_whole_and_nothing_remembered_runs(browser: Browser, live_server: LiveServer) -> None:
    sample()
    seen = browser.look(live_server.url)
    assert seen.complaints == []
    assert "<title>Everlore</title>" in seen.document
    assert "Move the database" in seen.document


def test_the_first_page_is_chinese_for_a_chinese_browser(browser: Browser, live_server: LiveServer) -> None:
    seen = replace(browser, language="zh-CN").look(live_server.url)
    assert "编程智能体的长期记忆" in seen.document


def test_a_narrow_dark_screen_gets_a_dark_picture(browser: Browser, live_server: LiveServer, tmp_path: Path) -> None:
    sample()
    light = replace(browser, width=NARROW).picture(live_server.url, tmp_path / "light.png")
    dark = replace(browser, width=NARROW, dark=True).picture(live_server.url, tmp_path / "dark.png")
    assert struct.unpack(">I", light.read_bytes()[16:20])[0] == NARROW  # the width in PNG's header
    assert light.read_bytes() != dark.read_bytes()


@pytest.mark.parametrize("page", ["list", "edit", "delete"])
def test_the_admin_works_under_the_policy(
    browser: Browser, live_server: LiveServer, session_key: str, page: str
) -> None:
    sample()
    hostile = Memory.objects.get(title=HOSTILE)
    own = f"/admin/memory_core/memory/{quote(hostile.pk)}"
    path = {"list": "/admin/memory_core/memory/", "edit": f"{own}/change/", "delete": f"{own}/delete/"}[page]
    seen = browser.look(f"{live_server.url}/enter/{session_key}?next={url_quote(path)}")
    assert seen.complaints == []
    assert "<title>taken</title>" not in seen.document
    assert "&lt;script&gt;" in seen.document
