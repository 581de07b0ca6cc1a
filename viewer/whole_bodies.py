"""Reads a request's whole body before a thread works on it.

A sender that is slow or stuck then holds a connection and not a thread: with a body read inside the thread, as many
such senders as there are threads stopped every other request. A body in chunks gets the length that WSGI wants.
"""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FRAMING = (b"content-length", b"transfer-encoding")


class WholeBodies:
    """Passes requests on once their body is there. Of one above `limit` bytes only so much is read that this shows."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app, self.limit = app, limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; one whose sender has gone before its end goes nowhere."""
        if scope["type"] != "http" or not any(name in _FRAMING for name, _value in scope["headers"]):
            await self.app(scope, receive, send)
            return
        body = await self._read(receive)
        if body is None:
            return
        kept = [(name, value) for name, value in scope["headers"] if name not in _FRAMING]
        headers = [*kept, (b"content-length", str(len(body)).encode())]
        await self.app({**scope, "headers": headers}, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        body = bytearray()
        more = True
        while more and len(body) <= self.limit:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            more = message.get("more_body", False)
        return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body first, then what comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message
