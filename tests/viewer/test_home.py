"""The first page shows what happened only to people who may see the records."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from memory_core import activity

pytestmark = pytest.mark.django_db

TITLE = "the deploy key moved"


@pytest.fixture
def something_happened() -> None:
    activity.record("memory_saved", data={"title": TITLE})


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.EVERLORE, "EVERLORE_SECRET", "a-long-random-text")


def test_without_a_secret_the_page_is_open(client: Client, something_happened: None) -> None:
    assert TITLE in client.get("/").content.decode()


def test_with_a_secret_a_stranger_is_sent_to_the_sign_in(
    client: Client, something_happened: None, secret: None
) -> None:
    answer: Any = client.get("/")

    assert (answer.status_code, answer["Location"]) == (302, "/admin/login/?next=/")


def test_with_a_secret_somebody_signed_in_as_staff_sees_the_page(
    client: Client, something_happened: None, secret: None
) -> None:
    client.force_login(User.objects.create_user("ada", password="ada", is_staff=True))

    assert TITLE in client.get("/").content.decode()
