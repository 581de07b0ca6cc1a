"""The instance says how it is, and lets in whom it should."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import OperationalError, connection

from api import urls
from memory_core.models import EmbeddingBacklog
from tests.api.conftest import Configure
from tests.fakes import records
from tests.fakes.client import BASE, Caller

pytestmark = pytest.mark.django_db

SECRET = "open-sesame"
ROUTES = [re.sub(r"<.*>", "mem_1", str(route.pattern)) for route in urls.urlpatterns]


class TestSecret:
    @pytest.fixture(autouse=True)
    def _set(self, configure: Configure) -> None:
        configure(EVERLORE_SECRET=SECRET)

    def test_whether_it_lives_is_told_to_everybody(self) -> None:
        assert Caller().get("livez").status == 200

    @pytest.mark.parametrize("route", [route for route in ROUTES if route != "livez"])
    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_everything_else_asks_for_it(self, route: str, method: str) -> None:
        answer = Caller().raw(method, route, "{broken")

        assert (answer.status, answer.body) == (401, {"error": "unauthorized"})
        assert answer.headers["WWW-Authenticate"] == "Bearer"

    @pytest.mark.parametrize("route", [route for route in ROUTES if route != "livez"])
    def test_who_has_it_comes_in(self, route: str) -> None:
        assert Caller(secret=SECRET).get(route).status != 401

    @pytest.mark.parametrize(
        "header",
        [
            "",
            SECRET,
            f"bearer {SECRET}",
            f"Bearer  {SECRET}",
            f"Bearer {SECRET}x",
            f"Bearer {SECRET[:-1]}",
            "Bearer ",
            "Basic b3Blbg==",
            "Bearer öffne",
        ],
        ids=repr,
    )
    def test_anything_but_the_very_words_is_refused(self, client: Any, header: str) -> None:
        response = client.get(BASE + "sessions", headers={"Authorization": header})

        assert response.status_code == 401


def test_without_a_secret_everybody_comes_in(owner: Caller) -> None:
    assert {owner.get(route).status for route in ("livez", "health", "sessions", "memories")} == {200}


def test_alive_is_said_in_the_protocols_words(owner: Caller) -> None:
    assert owner.get("livez").body == {
        "status": "ok",
        "service": "agentmemory",
        "implementation": "everlore",
        "viewerPort": 3111,
        "viewerSkipped": False,
        "streamsPort": 3111,
    }


class TestHealth:
    def test_healthy(self, owner: Caller) -> None:
        answer = owner.get("health")

        assert (answer.status, answer["status"], answer["version"]) == (200, "healthy", "0.9.29")
        assert (answer["functionMetrics"], answer["circuitBreaker"]) == ([], None)
        health = answer["health"]
        assert health["kvConnectivity"]["status"] == "ok"
        assert health["memory"]["rss"] > 10_000_000
        assert health["alerts"] == []
        assert health["notes"] == ["words only: no model in this test"]

    def test_entries_given_up_make_it_degraded(self, owner: Caller) -> None:
        records.waiting(records.entry(), failed=True)
        records.waiting(records.entry("obs_2"))

        answer = owner.get("health")

        assert (answer.status, answer["status"]) == (200, "degraded")
        assert answer["health"]["alerts"] == ["embedding_failed_1"]
        assert answer["health"]["everlore"] == {
            "embeddingBacklog": 1,
            "embeddingFailed": 1,
            "embeddingSpace": None,
        }
        assert EmbeddingBacklog.objects.count() == 2

    def test_critical_with_the_same_body_when_the_database_is_gone(self, owner: Caller) -> None:
        def gone(*_: Any) -> None:
            raise OperationalError("connection refused\nmore")

        with connection.execute_wrapper(gone):
            answer = owner.get("health")

        assert (answer.status, answer["status"]) == (503, "critical")
        assert answer["health"]["kvConnectivity"] == {"status": "error", "error": "connection refused"}
        assert answer["health"]["alerts"] == ["database_unreachable"]

    @pytest.mark.parametrize("route", ["sessions", "memories"])
    def test_other_reads_say_to_come_again(self, owner: Caller, route: str) -> None:
        def gone(*_: Any) -> None:
            raise OperationalError("connection refused")

        with connection.execute_wrapper(gone):
            answer = owner.get(route)

        assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
        assert answer["error"] == "the database cannot be reached at the moment; try again in a few seconds"


class TestFlags:
    def test_in_the_protocols_order(self, owner: Caller) -> None:
        answer = owner.get("config/flags")

        assert (answer["version"], answer["provider"], answer["embeddingProvider"]) == ("0.9.29", "noop", "none")
        assert [row["key"] for row in answer["flags"]] == [
            "GRAPH_EXTRACTION_ENABLED",
            "CONSOLIDATION_ENABLED",
            "AGENTMEMORY_AUTO_COMPRESS",
            "AGENTMEMORY_INJECT_CONTEXT",
        ]
        keys = {
            "key",
            "label",
            "enabled",
            "default",
            "affects",
            "needsLlm",
            "description",
            "enableHow",
            "docsHref",
        }
        assert all(set(row) == keys for row in answer["flags"])

    @pytest.mark.parametrize("on", [True, False])
    def test_injection_is_as_it_is_set(self, owner: Caller, configure: Configure, on: bool) -> None:
        configure(EVERLORE_INJECT_CONTEXT=on)

        assert owner.get("config/flags")["flags"][3]["enabled"] is on
