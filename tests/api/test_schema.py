"""The published schema is true: requests made from it, good and bad, get what it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.db import connections
from django.urls import resolve
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api import urls
from tests.fakes.client import BASE, Caller

pytestmark = pytest.mark.django_db

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture
def published(db: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The schema with the application behind it. A request's end leaves the test's transaction alone, as Django's own
    test client sees to."""
    monkeypatch.setattr(connections["default"], "close_if_unusable_or_obsolete", lambda: None)
    return schemathesis.openapi.from_wsgi(f"{BASE}openapi.json", WSGIHandler())


schema = schemathesis.pytest.from_fixture("published").exclude(path_regex="import-jsonl")  # reads files of this machine


@pytest.mark.slow
@schema.parametrize()
@settings(
    max_examples=20,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_an_answer_is_what_the_schema_says(case: Any) -> None:
    case.call_and_validate(checks=CHECKS)


REAL: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "search", {"body": {"query": "quince"}}),
    ("POST", "search", {"body": {"query": "quince", "format": "narrative", "token_budget": 500}}),
    ("POST", "smart-search", {"body": {"query": "quince"}}),
    ("POST", "smart-search", {"body": {"expandIds": ["MEMORY", "OBSERVATION"]}}),
    ("POST", "remember", {"body": {"content": "quince needs frost", "project": "orchard", "ttlDays": 3}}),
    ("POST", "context", {"body": {"sessionId": "new", "project": "orchard"}}),
    ("POST", "session/start", {"body": {"sessionId": "s1", "project": "orchard", "cwd": "/"}}),
    ("POST", "session/end", {"body": {"sessionId": "s1"}}),
    ("POST", "forget", {"body": {"sessionId": "s1"}}),
    ("GET", "sessions", {}),
    ("GET", "observations", {"query": {"sessionId": "s1", "raw": "true"}}),
    ("GET", "memories", {}),
    ("GET", "memories", {"query": {"count": "true"}}),
    ("GET", "memories/{memory_id}", {"path_parameters": {"memory_id": "MEMORY"}}),
    ("GET", "health", {}),
]


@pytest.mark.parametrize(("method", "path", "request_parts"), REAL, ids=lambda part: str(part)[:40])
def test_answers_with_something_in_them_are_what_it_says(
    published: Any, owner: Caller, method: str, path: str, request_parts: dict[str, Any]
) -> None:
    observation = owner.prompted("we decided to plant a quince")["observationId"]
    memory = owner.remember("the quince needs frost", concepts=["fruit"], files=["a.md"])["memory"]["id"]
    filled = json.loads(json.dumps(request_parts).replace("MEMORY", memory).replace("OBSERVATION", observation))

    answer = published[BASE + path][method].Case(**filled).call_and_validate(checks=CHECKS)

    assert answer.status_code in (200, 201)


def test_every_route_is_in_it() -> None:
    paths = Caller().get("openapi.json")["paths"]

    routes = {BASE + str(route.pattern).replace("<path:memory_id>", "{memory_id}") for route in urls.urlpatterns}
    assert set(paths) == routes - {f"{BASE}openapi.json"}
    assert all(resolve(path.replace("{memory_id}", "mem_1")) for path in paths)


def test_it_names_types_limits_and_what_is_required() -> None:
    bodies = Caller().get("openapi.json")["components"]["schemas"]

    observe = bodies["ObserveBody"]
    assert observe["required"] == ["hookType", "sessionId", "timestamp"]
    assert observe["properties"]["sessionId"] == {"type": "string", "maxLength": 512, "minLength": 1}
    assert bodies["SearchBody"]["properties"]["limit"] == {"type": "integer", "minimum": 1, "nullable": True}
    assert bodies["RememberBody"]["properties"]["concepts"]["maxItems"] == 10_000


def test_it_has_no_names_twice_and_warns_of_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    paths = Caller().get("openapi.json")["paths"]

    names = [operation["operationId"] for methods in paths.values() for operation in methods.values()]
    assert len(set(names)) == len(names)
    assert "Warning" not in capsys.readouterr().err
