"""Whatever comes in is a clear refusal or a correct save: never a fault of ours, never half a write."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from memory_core.models import Observation
from tests.fakes import tables
from tests.fakes.client import Answer, Caller

pytestmark = pytest.mark.django_db

BODIES: dict[str, dict[str, Any]] = {
    "observe": {
        "hookType": "post_tool_use",
        "sessionId": "s1",
        "project": "orchard",
        "cwd": "/work",
        "timestamp": "2026-03-01T12:00:00Z",
        "data": {"tool_name": "Bash"},
        "agentId": "owner",
        "eventId": "e1",
    },
    "session/start": {
        "sessionId": "s1",
        "project": "orchard",
        "cwd": "/work",
        "title": "t",
        "agentId": "owner",
        "timestamp": "2026-03-01T08:00:00Z",
    },
    "session/end": {"sessionId": "s1", "timestamp": "2026-03-01T08:00:00Z"},
    "context": {"sessionId": "s1", "project": "orchard", "budget": 100, "agentId": "owner"},
    "search": {
        "query": "quince",
        "limit": 5,
        "project": "orchard",
        "cwd": "/work",
        "format": "full",
        "token_budget": 100,
        "explain": True,
        "agentId": "owner",
        "sessionId": "s1",
    },
    "smart-search": {
        "query": "quince",
        "expandIds": [],
        "limit": 5,
        "project": "orchard",
        "explain": True,
        "includeLessons": True,
        "agentId": "owner",
        "sessionId": "s1",
        "source": "viewer",
    },
    "remember": {
        "content": "prune in winter",
        "title": "t",
        "type": "fact",
        "concepts": ["a"],
        "files": ["b"],
        "sourceObservationIds": ["c"],
        "sessionId": "s1",
        "ttlDays": 1,
        "project": "orchard",
        "agentId": "owner",
    },
    "forget": {
        "memoryId": "mem_1",
        "sessionId": "s1",
        "observationIds": ["a"],
        "reason": "r",
        "project": "orchard",
        "agentId": "owner",
    },
}
"""A body of each POST route with every field of it."""

REQUIRED = {
    "observe": ({"hookType", "sessionId", "project", "cwd", "timestamp"}, "hookType, sessionId, project, cwd, and"),
    "session/start": ({"sessionId", "project", "cwd"}, "sessionId, project, and cwd are required non-empty strings"),
    "session/end": ({"sessionId"}, "sessionId is required and must be a non-empty string"),
    "context": ({"sessionId", "project"}, "sessionId and project are required strings"),
    "search": ({"query"}, "query is required and must be a non-empty string"),
    "remember": ({"content"}, "content is required"),
}
"""The fields that must be there, and how the protocol's words begin when one is not."""

WRONG = [7, 1.5, True, False, [], ["x"], {}, {"a": 1}, "", " ", "x", -1, 10**400, "9" * 100_000]
FIELDS = [(route, field) for route, body in BODIES.items() for field in body]


def refused_or_saved(caller: Caller, method: str, path: str, body: str | bytes, **options: str) -> Answer:
    """The answer; a refusal has words in it and has left every table as it was."""
    before = tables.counts()
    answer = caller.raw(method, path, body, **options)
    assert answer.status < 500, answer
    if answer.status >= 400:
        assert set(answer.body) == {"error"}, answer
        assert len(answer["error"]) > 8
        assert tables.counts() == before
    return answer


def post(caller: Caller, path: str, body: Any) -> Answer:
    return refused_or_saved(caller, "POST", path, json.dumps(body))


@pytest.mark.parametrize("route", BODIES)
def test_every_field_of_the_schema_is_in_the_table(owner: Caller, route: str) -> None:
    published = owner.get("openapi.json").body
    content = published["paths"][f"/agentmemory/{route}"]["post"]["requestBody"]["content"]
    name = content["application/json"]["schema"]["$ref"].rpartition("/")[2]

    assert set(BODIES[route]) == set(published["components"]["schemas"][name]["properties"])


@pytest.mark.slow
@pytest.mark.parametrize(("route", "field"), FIELDS)
def test_any_type_in_any_field(owner: Caller, route: str, field: str) -> None:
    for number, wrong in enumerate(WRONG):
        post(owner, route, BODIES[route] | {field: wrong, "eventId": f"e{number}"})


@pytest.mark.parametrize(("route", "field"), FIELDS)
def test_a_null_is_an_absence(owner: Caller, route: str, field: str) -> None:
    body = {key: value for key, value in BODIES[route].items() if key != "eventId"}
    absent = post(owner, route, {key: value for key, value in body.items() if key != field})
    null = post(owner, route, body | {field: None})

    assert (null.status >= 400) == (absent.status >= 400) or field in {"project", "eventId", "cwd"}


@pytest.mark.parametrize(
    ("route", "field"), [(route, field) for route in REQUIRED for field in sorted(REQUIRED[route][0])]
)
@pytest.mark.parametrize("value", [None, "", "  ", 7, [], {}, True], ids=repr)
def test_a_required_field_is_asked_for_in_the_protocols_words(
    owner: Caller, route: str, field: str, value: Any
) -> None:
    answer = post(owner, route, BODIES[route] | {field: value})

    words = REQUIRED[route][1]
    if route == "observe" and field in ("project", "cwd") and not isinstance(value, str | None):
        words = f"{field} must be a string"  # they may be left out together, so they are no required fields
    assert answer.status == 400
    assert answer["error"].startswith(words)


@pytest.mark.parametrize("route", BODIES)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        b"7",
        b"{",
        b"{}{}",
        b'{"query": }',
        b"{'query': 1}",
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1e400}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a": -' + b"9" * 5000 + b"}",
        b'{"a": "\xff"}',
        b'\xff\xfe{\x00"\x00',
        b'{"a": "\n"}',
        b"[" * 10_000 + b"]" * 10_000,
        b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
        b'{"data": ' + b"[" * 101 + b"]" * 101 + b"}",
        b"[" * 1_000_000,
    ],
    ids=lambda body: repr(body[:24]),
)
def test_what_is_no_json_object_is_refused(owner: Caller, route: str, body: bytes) -> None:
    assert refused_or_saved(owner, "POST", route, body).status == 400


@pytest.mark.parametrize("route", BODIES)
def test_a_body_of_20_megabytes_is_too_large(owner: Caller, route: str) -> None:
    body = BODIES[route] | {"padding": "x" * 20_000_000}

    answer = post(owner, route, body)

    assert answer.status == 413
    assert "EVERLORE_MAX_BODY_BYTES" in answer["error"]


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/xml", "multipart/form-data; boundary=x", "", "application/x-www-form-urlencoded"],
)
def test_another_content_type_is_refused(owner: Caller, kind: str) -> None:
    answer = refused_or_saved(owner, "POST", "remember", json.dumps(BODIES["remember"]), content_type=kind)

    assert answer.status in (400, 415)


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "Application/JSON", "application/json;x=y"])
def test_json_in_other_words_is_json(owner: Caller, kind: str) -> None:
    assert owner.raw("POST", "remember", json.dumps(BODIES["remember"]), content_type=kind).status == 201


def test_a_byte_order_mark_is_no_mistake(owner: Caller) -> None:
    assert owner.raw("POST", "remember", b"\xef\xbb\xbf" + json.dumps(BODIES["remember"]).encode()).status == 201


HOSTILE_TEXTS = {
    "NUL": ("a\u0000b quince", "a\ufffdb quince"),
    "lone surrogate": ("a\ud800b quince", "a\ufffdb quince"),
    "surrogates of one character": ("\ud83c\udf33 quince", "🌳 quince"),
    "quotes": ("'; DROP TABLE memory_core_memory; -- quince", None),
    "percent": ("100%s %(x)s %% quince", None),
    "backslashes": ("\\x00 \\' \\\\ quince", None),
    "every plane": ("\U0010ffff\ue000\u200b\u202e quince", None),
    "combining": ("e" + "\u0301" * 2000 + " quince", None),
}


@pytest.mark.parametrize("name", HOSTILE_TEXTS)
def test_any_text_is_kept_and_found(owner: Caller, name: str) -> None:
    said, kept = HOSTILE_TEXTS[name]

    answer = post(owner, "remember", {"content": said, "concepts": [said], "title": said[:100]})

    assert answer.status == 201
    assert answer["memory"]["content"] == (kept or said)
    assert owner.found("quince") == [answer["memory"]["id"]]


@pytest.mark.parametrize("name", HOSTILE_TEXTS)
def test_any_text_may_stand_in_every_field_of_an_event(owner: Caller, name: str) -> None:
    said, kept = HOSTILE_TEXTS[name]
    fields = dict.fromkeys(("sessionId", "project", "cwd", "agentId", "eventId", "hookType"), said[:100])

    answer = post(owner, "observe", BODIES["observe"] | fields | {"data": {said: said}})

    assert answer.status == 201
    stored = Observation.objects.get(pk=answer["observationId"])
    assert stored.raw == {kept or said: kept or said}
    assert owner.found("quince") == [stored.pk]


@pytest.mark.parametrize(
    "id",
    ["a/b", "..", "%2e%2e%2f", "a?b#c", "a b", "ü", "記憶", "x" * 512, "\u202e", "a\nb", "-", "null", "\\", '"', "😀"],
    ids=lambda id: id[:12].encode("unicode_escape").decode(),
)
def test_any_session_id_works_everywhere(owner: Caller, id: str) -> None:
    from urllib.parse import quote

    own = {"sessionId": id, "project": "orchard"}
    assert post(owner, "session/start", own | {"cwd": "/w"}).status == 200
    answer = post(owner, "observe", BODIES["observe"] | {"sessionId": id})
    assert answer.status == 201

    listed = owner.get(f"observations?sessionId={quote(id, safe='')}")["observations"]
    assert [row["id"] for row in listed] == [answer["observationId"]]
    assert post(owner, "context", own).status == 200
    assert post(owner, "session/end", {"sessionId": id}).body == {"success": True}
    assert post(owner, "forget", {"sessionId": id})["deleted"] == 3


@pytest.mark.parametrize("route", ["observe", "session/start", "session/end", "context"])
def test_an_id_of_a_thousand_characters_is_refused(owner: Caller, route: str) -> None:
    answer = post(owner, route, BODIES[route] | {"sessionId": "x" * 1000})

    assert (answer.status, answer.body) == (400, {"error": "sessionId must have at most 512 characters"})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00+00:00"),
        ("2026-03-01T12:00:00.123456789Z", "2026-03-01T12:00:00.123456+00:00"),
        ("2026-03-01T12:00:00", "2026-03-01T12:00:00+00:00"),
        ("2026-03-01T12:00:00+05:30", "2026-03-01T06:30:00+00:00"),
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00+00:00"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59+00:00"),
        ("  2026-03-01T12:00:00Z  ", "2026-03-01T12:00:00+00:00"),
    ],
)
def test_a_time_is_read(owner: Caller, given: str, kept: str) -> None:
    answer = post(owner, "observe", BODIES["observe"] | {"timestamp": given})

    assert answer.status == 201
    assert Observation.objects.get(pk=answer["observationId"]).timestamp.isoformat() == kept
    assert owner.get("sessions").status == owner.get("observations?sessionId=s1").status == 200


@pytest.mark.parametrize(
    "given",
    [
        "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+23:59",
        "1969-12-31T23:59:59Z",
        "9999-12-31T23:59:59-23:59",
        "10000-01-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-03-01T25:00:00Z",
        "yesterday",
        "1740830400",
        "-2026-03-01T12:00:00Z",
        "２０２６-03-01T12:00:00Z",
        "2026-03-01T12:00:00+99:99",
        "x" * 100_000,
    ],
    ids=lambda given: given[:30],
)
def test_a_time_that_is_none_is_refused(owner: Caller, given: str) -> None:
    answer = post(owner, "observe", BODIES["observe"] | {"timestamp": given})

    assert answer.status == 400
    assert answer["error"].startswith("timestamp must be a")


class TestMany:
    def test_ten_thousand_and_one_concepts_are_too_many(self, owner: Caller) -> None:
        answer = post(owner, "remember", BODIES["remember"] | {"concepts": ["x"] * 10_001})

        assert (answer.status, answer.body) == (400, {"error": "concepts must have at most 10000 items"})

    @pytest.mark.parametrize("field", ["concepts", "files", "sourceObservationIds"])
    def test_items_that_are_no_texts_are_refused(self, owner: Caller, field: str) -> None:
        answer = post(owner, "remember", BODIES["remember"] | {field: ["a", 7]})

        assert (answer.status, answer.body) == (400, {"error": f"{field} must be an array of strings"})

    def test_a_memory_of_more_than_a_million_characters_is_refused(self, owner: Caller) -> None:
        answer = post(owner, "remember", {"content": "x" * 1_000_001})

        assert (answer.status, answer.body) == (400, {"error": "content must have at most 1000000 characters"})

    def test_a_question_of_millions_is_refused(self, owner: Caller) -> None:
        assert post(owner, "search", {"query": "x" * 2_000_001}).status == 400

    def test_a_payload_of_thousands_of_keys_is_kept(self, owner: Caller) -> None:
        data = {f"key{number}": number for number in range(3000)}

        answer = post(owner, "observe", BODIES["observe"] | {"data": data})

        assert Observation.objects.get(pk=answer["observationId"]).raw == data

    def test_a_payload_as_deep_as_may_be_is_kept(self, owner: Caller) -> None:
        deep: Any = "quince"
        for _ in range(98):
            deep = [deep]

        answer = post(owner, "observe", BODIES["observe"] | {"data": deep})

        assert answer.status == 201
        assert owner.found("quince") == [answer["observationId"]]

    @pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**4000, 1e308, 5e-324, -0.0], ids=lambda n: repr(n)[:20])
    def test_any_number_is_kept_in_a_payload(self, owner: Caller, number: float) -> None:
        answer = post(owner, "observe", BODIES["observe"] | {"data": {"n": number}})

        kept = Observation.objects.get(pk=answer["observationId"]).raw["n"]
        assert type(number)(kept) == number  # the database writes a large float as an integer of the same value


class TestElsewhere:
    @pytest.mark.parametrize(
        "path", ["nowhere", "observe/", "memories/", "", "livez/../observe", "OBSERVE", "%00", "search%2F"]
    )
    @pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
    def test_an_unknown_route_is_said_in_json(self, owner: Caller, method: str, path: str) -> None:
        answer = refused_or_saved(owner, method, path, b"")

        assert answer.status in (400, 404)
        assert answer.headers["Content-Type"].startswith("application/json")

    @pytest.mark.parametrize("route", BODIES)
    @pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "TRACE"])
    def test_a_wrong_method_is_said_in_json(self, owner: Caller, route: str, method: str) -> None:
        answer = refused_or_saved(owner, method, route, b"{}")

        assert (answer.status, answer.body) == (405, {"error": f'Method "{method}" not allowed.'})
        assert "POST" in answer.headers["Allow"]

    @pytest.mark.parametrize("route", ["livez", "health", "sessions", "memories", "config/flags"])
    def test_a_body_of_a_get_is_not_read(self, owner: Caller, route: str) -> None:
        assert refused_or_saved(owner, "GET", route, b"{broken").status == 200

    @pytest.mark.parametrize(
        "host", ["evil.example", "localhost:3111@evil.example", "a b", "127.0.0.1.evil.example", ""]
    )
    def test_a_foreign_host_is_refused(self, client: Any, settings: Any, host: str) -> None:
        settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

        response = client.get("/agentmemory/sessions", headers={"Host": host})

        assert response.status_code == 400
        assert "EVERLORE_ALLOWED_HOSTS" in response.json()["error"]

    @pytest.mark.parametrize("host", ["localhost:3111", "127.0.0.1", "[::1]:3111", "LOCALHOST"])
    def test_our_own_names_are_let_in(self, client: Any, settings: Any, host: str) -> None:
        settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

        assert client.get("/agentmemory/livez", headers={"Host": host}).status_code == 200

    @pytest.mark.parametrize(
        "value", ["%00", "%ff", "%ed%a0%80", "x" * 5000, "-1", "1e9", "%F0%9F%8C%B3", "a&b=c", "[]"]
    )
    def test_any_value_in_an_address(self, owner: Caller, value: str) -> None:
        names = ("project", "agentId", "sessionId", "limit", "offset", "latest", "count", "raw")
        for name, route in product(names, ("sessions", "observations", "memories", "memories/mem_1")):
            refused_or_saved(owner, "GET", f"{route}?sessionId=s1&{name}={value}", b"")

    @pytest.mark.parametrize(
        "accept", ["text/html", "application/xml", "image/png", "*/*", "application/json", "", "x"]
    )
    def test_whatever_is_accepted_json_is_given(self, client: Any, accept: str) -> None:
        response = client.get("/agentmemory/livez", headers={"Accept": accept})

        assert response.status_code in (200, 406)
        assert response.headers["Content-Type"].startswith("application/json")
        assert isinstance(response.json(), dict)
