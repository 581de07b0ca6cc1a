"""A request goes to one thread and its answer comes back whole."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from typing import Any

from starlette.types import Message, Scope

from viewer.on_threads import OnThreads

Start = Callable[..., Any]


def http(**changes: Any) -> Scope:
    given: dict[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/agentmemory/observe",
        "query_string": b"a=1",
        "headers": [
            (b"content-type", b"application/json"),
            (b"content-length", b"2"),
            (b"x-name", "é".encode("latin1")),
        ],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 3111),
    }
    return given | changes


def sent(app: Any, scopes: list[Scope], body: bytes = b"{}") -> list[list[Message]]:
    """What each request was answered, all asked at once."""

    async def one(scope: Scope) -> list[Message]:
        messages: list[Message] = []

        async def receive() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Message) -> None:
            messages.append(message)

        await app(scope, receive, send)
        return messages

    async def all_of_them() -> list[list[Message]]:
        return await asyncio.gather(*(one(scope) for scope in scopes))

    return asyncio.run(all_of_them())


class Closing:
    """An answer in two parts that notes whether it was closed, as Django's must be to end the request."""

    closed = 0

    def __iter__(self) -> Any:
        return iter([b"hel", b"lo"])

    def close(self) -> None:
        Closing.closed += 1


def test_status_headers_and_the_parts_of_the_body_come_back_and_the_answer_is_closed() -> None:
    seen: list[dict[str, Any]] = []

    def app(environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        seen.append(environ)
        start_response("201 Created", [("Content-Type", "text/plain"), ("X-Two", "a"), ("X-Two", "b")])
        return Closing()

    ((start, body),) = sent(OnThreads(app, 1), [http()])

    assert start["status"] == 201
    assert start["headers"] == [(b"content-type", b"text/plain"), (b"x-two", b"a"), (b"x-two", b"b")]
    assert body["body"] == b"hello"
    assert Closing.closed == 1
    assert (seen[0]["CONTENT_LENGTH"], seen[0]["wsgi.input"].read(), seen[0]["HTTP_X_NAME"]) == ("2", b"{}", "é")
    assert seen[0]["QUERY_STRING"] == "a=1"


def test_no_more_requests_are_worked_on_at_once_than_there_are_threads() -> None:
    names: set[str] = set()

    def app(environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        names.add(threading.current_thread().name)
        start_response("200 OK", [])
        return [b""]

    answers = sent(OnThreads(app, 2), [http() for _ in range(20)])

    assert len(answers) == 20
    assert len(names) <= 2


def test_a_websocket_is_closed() -> None:
    ((message,),) = sent(OnThreads(lambda environ, start: [], 1), [{"type": "websocket", "path": "/"}])

    assert message == {"type": "websocket.close", "code": 1000}
