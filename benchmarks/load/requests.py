"""Requests as the bytes that go over the wire, built before the clock starts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from . import content

PREFIX = "/agentmemory"


def post(path: str, body: dict[str, Any], secret: str = "") -> bytes:
    """A whole HTTP/1.1 POST on a connection that stays open."""
    data = json.dumps(body, ensure_ascii=False).encode()
    bearer = f"Authorization: Bearer {secret}\r\n" if secret else ""
    head = (
        f"POST {PREFIX}{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{bearer}"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


def observe(number: int) -> dict[str, Any]:
    """The body that reports the corpus's event of this number."""
    event = content.event(number)
    return {
        "hookType": event.hook_type,
        "sessionId": event.session_id,
        "project": event.project,
        "cwd": f"/src/{event.project}",
        "timestamp": event.timestamp.isoformat(),
        "data": event.data,
    }


@dataclass(frozen=True, slots=True)
class Operation:
    """Something to measure: `body` gives the request of a number for a corpus of a size."""

    name: str
    path: str
    body: Callable[[int, int], dict[str, Any]]
    writes: bool = False


def _search(number: int, corpus: int) -> dict[str, Any]:
    project, query = content.question(number, corpus)
    return {"query": query, "project": project, "limit": 10}


def _search_all(number: int, corpus: int) -> dict[str, Any]:
    return {"query": content.question(number, corpus)[1], "limit": 10}


OPERATIONS = (
    Operation("smart-search, one project", "/smart-search", _search),
    Operation("smart-search, every project", "/smart-search", _search_all),
    Operation("observe", "/observe", lambda number, corpus: observe(corpus + number), writes=True),
    Operation("remember", "/remember", lambda number, _: content.memory(number), writes=True),
)
"""What is measured, in this order: what reads first, so that the corpus still has its size."""


def requests(operation: Operation, *, corpus: int, first: int, count: int, secret: str = "") -> Iterator[bytes]:
    """`count` requests, from number `first`; no number comes twice in a run, so that nothing is deduplicated."""
    for number in range(first, first + count):
        yield post(operation.path, operation.body(number, corpus), secret)
