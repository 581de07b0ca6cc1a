"""A request reaches a thread with its whole body, or not at all."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from viewer.whole_bodies import WholeBodies

JSON = (b"content-type", b"application/json")
LENGTH = (b"content-length", b"6")
CHUNKED = (b"transfer-encoding", b"chunked")


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


class Inner:
    """Keeps what reached it."""

    def __init__(self) -> None:
        self.seen: list[tuple[dict[bytes, bytes], bytes]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = await receive()
        self.seen.append((dict(scope["headers"]), message.get("body", b"")))


def passed_on(
    headers: list[tuple[bytes, bytes]], messages: list[Message], limit: int = 100
) -> list[tuple[dict[bytes, bytes], bytes]]:
    """What reaches the application of a request with these headers and parts."""
    inner, coming = Inner(), list(messages)

    async def receive() -> Message:
        return coming.pop(0)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    asyncio.run(WholeBodies(inner, limit)({"type": "http", "headers": headers}, receive, send))
    return inner.seen


@pytest.mark.parametrize("framing", [LENGTH, CHUNKED], ids=["with a length", "in chunks"])
def test_the_parts_of_a_body_arrive_as_one_with_its_length(framing: tuple[bytes, bytes]) -> None:
    seen = passed_on([JSON, framing], [part(b"abc", more=True), part(b"", more=True), part(b"def", more=False)])

    assert seen == [({b"content-type": b"application/json", b"content-length": b"6"}, b"abcdef")]


def test_a_sender_that_goes_before_the_end_reaches_nobody() -> None:
    assert passed_on([LENGTH], [part(b"abc", more=True), {"type": "http.disconnect"}]) == []


def test_of_a_body_above_the_limit_only_so_much_is_read_that_it_shows() -> None:
    ((headers, body),) = passed_on([CHUNKED], [part(b"12345678", more=True)] * 3, limit=10)

    assert len(body) == 16
    assert headers[b"content-length"] == b"16"


def test_a_request_without_a_body_is_passed_on_as_it_is() -> None:
    assert passed_on([JSON], [part(b"", more=False)]) == [({b"content-type": b"application/json"}, b"")]
