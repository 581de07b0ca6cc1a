"""A question's rare words tell more than its common ones: the frequencies in the database reach the arms."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_core.domain.events import HookEvent
from memory_core.flows.observe import Stored, observe
from memory_core.flows.recall import scope_of
from memory_core.index import statistics
from memory_core.index.analysis import analyzer
from memory_core.retrieve.search import Request, ground, search

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def note(text: str, session: str) -> str:
    event = HookEvent(
        hook_type="prompt_submit",
        session_id=session,
        project="ledger",
        cwd="/ledger",
        timestamp=NOW,
        data={"prompt": text},
    )
    stored = observe(event, now=NOW)
    assert isinstance(stored, Stored)
    return stored.observation_id


def request() -> Request:
    return Request(scope=scope_of("ledger", None), limit=10, weights={"lexical": 1.0}, explain=True)


def test_the_counts_of_the_scope_are_read_by_term() -> None:
    for number in range(4):
        note(f"invoice number {number * 37}", f"s{number}")
    statistics.count_pending()

    terms = analyzer().analyze("invoice").terms
    known = ground(terms, request(), None)

    assert known.entries == 4
    assert set(known.frequencies.values()) == {4}


def test_a_rare_word_outweighs_two_common_ones() -> None:
    common = [note(f"invoice payment late again {number * 37}", f"s{number}") for number in range(8)]
    rare = note("the reconciliation waits for other things than that", "s9")
    statistics.count_pending()

    found = search(analyzer().analyze("invoice payment reconciliation").terms, None, request())

    assert found[0].object_id == rare
    assert {hit.object_id for hit in found[1:]} == set(common)
    assert found[0].evidence["lexical"][0] == 1
