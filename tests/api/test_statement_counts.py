"""How many statements a request costs, in the one table to change when it becomes fewer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memory_core.flows import embed, embedding
from memory_core.index import spaces
from tests.fakes.client import Answer, Caller
from tests.fakes.embedder import ThesaurusEmbedder
from tests.fakes.records import MOMENT
from tests.fakes.statements import listening

pytestmark = pytest.mark.django_db

Request = Callable[[Caller], Answer]

COUNTS: dict[str, tuple[int, Request]] = {
    "observe, a new session": (2, lambda caller: caller.ran("echo new", "", sessionId="new")),
    "observe, a known session": (2, lambda caller: caller.ran("echo more", "")),
    "observe, a repetition": (1, lambda caller: caller.ran("echo 0", "quince")),
    "remember": (9, lambda caller: caller.remember("a walnut needs room")),
    "search, whole": (8, lambda caller: caller.post("search", {"query": "quince", "project": "orchard"})),
    "smart-search": (6, lambda caller: caller.post("smart-search", {"query": "quince", "project": "orchard"})),
    "smart-search, ids": (2, lambda caller: caller.post("smart-search", {"expandIds": ["obs_1", "mem_1"]})),
    "context": (5, lambda caller: caller.post("context", {"sessionId": "new", "project": "orchard"})),
    "session/start": (
        8,
        lambda caller: caller.post("session/start", {"sessionId": "s1", "project": "orchard", "cwd": "/work/orchard"}),
    ),
    "session/end": (2, lambda caller: caller.post("session/end", {"sessionId": "s1"})),
    "sessions": (1, lambda caller: caller.get("sessions?project=orchard")),
    "observations": (2, lambda caller: caller.get("observations?sessionId=s1")),
    "memories": (2, lambda caller: caller.get("memories?project=orchard")),
    "livez": (0, lambda caller: caller.get("livez")),
    "config/flags": (0, lambda caller: caller.get("config/flags")),
}


@pytest.mark.parametrize("request_name", COUNTS)
def test_a_request_costs_as_many_statements_as_the_table_says(owner: Caller, request_name: str) -> None:
    count, request = COUNTS[request_name]
    model = ThesaurusEmbedder()
    embedding.use(model)
    space = spaces.guard(model)
    assert space is not None
    for number in range(2):
        owner.ran(f"echo {number}", "quince")
        owner.remember(f"quince {number} " * (number + 1), project="orchard")
    embed.drain_once(space, model, lambda: MOMENT.replace(year=2100))
    owner.found("quince", project="orchard")  # what a process reads once in a while is read

    with listening() as heard:
        answer = request(owner)

    assert answer.status in (200, 201)
    statements = [text for text, _ in heard if not text.startswith("SAVEPOINT")]
    assert len(statements) == count, "\n".join(text.strip()[:120] for text in statements)
