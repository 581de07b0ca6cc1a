"""Runs the Django application for each request on one of a few long-lived threads, and hands the whole answer back at once.

Everything Django answers here is short and ready when it answers, so that a request costs one hand-over to a thread and one
back; a bridge that can stream hands over for the start, for each piece and for the end.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from a2wsgi.wsgi import build_environ
from starlette.types import Receive, Scope, Send

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class OnThreads:
    """An ASGI application over a WSGI one; `threads` requests are worked on at once, the others wait."""

    def __init__(self, app: Application, threads: int) -> None:
        self.app = app
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix="django")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an HTTP request whose body comes as one message; close a websocket that nobody serves here."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        environ: dict[str, Any] = dict(build_environ(scope, io.BytesIO(message.get("body", b""))))  # type: ignore[arg-type]
        loop = asyncio.get_running_loop()
        status, headers, body = await loop.run_in_executor(self.executor, self._answer, environ)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _answer(self, environ: dict[str, Any]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            started.append((status, headers))

        answer = self.app(environ, start_response)
        try:
            body = b"".join(answer)
        finally:
            if close := getattr(answer, "close", None):
                close()
        status, headers = started[-1]
        encoded = [(name.lower().encode("latin1"), value.encode("latin1")) for name, value in headers]
        return int(status.split(" ", 1)[0]), encoded, body
