"""The embedding worker in this process: it stops between runs, hands back, frees what the dead held, and doubts killers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection, connections
from numpy.typing import NDArray

from memory_core.domain import tunables_index, tunables_models, tunables_workers
from memory_core.domain.errors import ModelUnavailable
from memory_core.flows import embedding, remember, reranking
from memory_core.flows.embed import Interrupted, drain_once
from memory_core.index import backlog, spaces
from memory_core.knowledge.memories import NewMemory
from memory_core.models import EmbeddingBacklog, EntryEmbedding, SearchEntry
from tests.fakes.embedder import HashingEmbedder
from workers.embedding_worker import BatchSize, StoppableEmbedder, Worker

from .conftest import eventually

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)


def save(count: int, at: datetime = NOW) -> None:
    for number in range(count):
        content = f"Drawer {number} holds {number * 7919} {chr(97 + number % 26) * 5} buttons"
        remember.remember(NewMemory(content=content, project=f"p{number}"), now=at)


def test_texts_come_back_in_the_order_given() -> None:
    inner = HashingEmbedder()
    texts = ["a long text " * 30, "short", "middle sized text", *(f"number {number}" for number in range(20))]

    vectors = StoppableEmbedder(inner, lambda: False).embed_documents(texts)

    np.testing.assert_array_equal(vectors, inner.embed_documents(texts))


def test_it_stops_between_two_runs_of_the_model() -> None:
    seen: list[int] = []

    class Counting(HashingEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            seen.append(len(texts))
            return super().embed_documents(texts)

    with pytest.raises(Interrupted):
        StoppableEmbedder(Counting(), lambda: len(seen) >= 2).embed_documents(["text"] * 100)

    assert seen == [tunables_workers.EMBED_SLICE] * 2


def test_everything_else_is_the_inner_embedder() -> None:
    stoppable = StoppableEmbedder(HashingEmbedder(), lambda: False)

    assert (stoppable.model, stoppable.dimensions, stoppable.available) == ("hashing", 384, True)


def test_batches_shrink_when_they_take_too_long_and_grow_when_they_are_quick() -> None:
    batch = BatchSize(most=32)
    began = batch.size
    batch.learn(began, tunables_workers.EMBED_TURN_SECONDS * 4)
    small = batch.size
    for _ in range(10):
        batch.learn(batch.size, 0.01)

    assert small == began // 4
    assert batch.size == 32


def test_a_batch_is_never_empty_and_a_short_one_teaches_nothing_about_growing() -> None:
    batch = BatchSize(most=32)
    batch.learn(1, 1000.0)
    assert batch.size == 1
    batch.learn(0, 0.0)
    assert batch.size == 1


@pytest.mark.django_db
def test_what_was_claimed_is_handed_back_on_a_stop() -> None:
    save(3)
    space = spaces.guard(HashingEmbedder())

    with pytest.raises(Interrupted):
        drain_once(space, StoppableEmbedder(HashingEmbedder(), lambda: True), lambda: NOW)

    assert list(EmbeddingBacklog.objects.values_list("attempts", "not_before")) == [(0, NOW)] * 3


@pytest.mark.django_db
def test_claims_of_the_dead_are_due_at_once_and_those_that_wait_after_a_failure_are_not() -> None:
    save(2)
    first, second = backlog.claim(NOW, 2)
    backlog.postpone([second], "the model said no", NOW)

    assert backlog.reclaim(NOW) == 1
    assert [claim.id for claim in backlog.claim(NOW, 10)] == [first.id]


@pytest.mark.django_db
def test_an_entry_over_which_workers_keep_dying_is_given_up_and_can_be_tried_again() -> None:
    save(1)
    for _ in range(tunables_index.DEATHS_BEFORE_GIVEN_UP):
        assert backlog.claim(NOW, 1)
        backlog.reclaim(NOW)

    assert backlog.waiting() == (0, 1)
    assert backlog.retry_failed(NOW) == 1
    assert backlog.waiting() == (1, 0)


@pytest.mark.django_db
def test_an_entry_that_leaves_while_it_is_embedded_gets_no_vector() -> None:
    save(2)
    space = spaces.guard(HashingEmbedder())
    claims = backlog.claim(NOW, 2)
    SearchEntry.objects.filter(pk=claims[0].entry_id).delete()
    vector = HashingEmbedder().embed_query("x")

    backlog.store(space, claims, [[vector], [vector]])

    assert list(EntryEmbedding.objects.values_list("entry_id", flat=True)) == [claims[1].entry_id]
    assert backlog.waiting() == (0, 0)


@pytest.fixture
def worker(transactional_db: None) -> Iterator[Worker]:
    """A worker in a thread of its own, with the fake embedder; its process priority is left alone."""
    embedding.use(HashingEmbedder())
    made = Worker()

    def work() -> None:
        made.run()
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    yield made
    made.stop()
    thread.join(10)
    embedding.use(None)
    assert not thread.is_alive()


@pytest.fixture
def preparations(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many vectors were there each time a reranker was to be prepared; preparing one fails."""
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_RERANKER_MODEL": "an/other"}
    seen: list[int] = []

    def fails() -> None:
        seen.append(EntryEmbedding.objects.count())
        raise ModelUnavailable("it cannot be fetched")

    monkeypatch.setattr(reranking, "prepare_configured", fails)
    return seen


@pytest.mark.usefixtures("transactional_db")
def test_a_reranker_is_prepared_once_after_what_waits_and_embedding_goes_on_without(
    preparations: list[int], request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    save(2, at=datetime.now(UTC) - timedelta(seconds=1))
    request.getfixturevalue("worker")
    eventually("it was to be prepared", lambda: preparations, 10)
    for name in ("first", "second"):
        remember.remember(NewMemory(content=f"the {name} kettle", project=name), now=datetime.now(UTC))
        eventually("embedded", lambda: EntryEmbedding.objects.count() == SearchEntry.objects.count(), 10)

    assert preparations == [2]
    assert [record.levelname for record in caplog.records if "cannot be fetched" in record.message] == ["WARNING"]


@pytest.mark.usefixtures("transactional_db")
def test_a_reranker_that_was_missing_is_looked_for_again_and_missed_aloud_once(
    preparations: list[int],
    request: pytest.FixtureRequest,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tunables_models, "UNAVAILABLE_RETRY_SECONDS", 0)
    request.getfixturevalue("worker")
    eventually("it was to be prepared", lambda: preparations, 10)

    save(1, at=datetime.now(UTC))  # which wakes it

    eventually("it was to be prepared again", lambda: len(preparations) > 1, 10)
    assert [record.levelname for record in caplog.records if "cannot be fetched" in record.message] == ["WARNING"]


def test_it_wakes_when_something_is_saved_and_counts_its_terms(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    eventually("it has taken its place", lambda: spaces.active() is not None, 10)
    time.sleep(0.3)  # it waits now, and looks by itself only after BACKLOG_POLL_SECONDS
    began = time.monotonic()
    save(1, at=datetime.now(UTC))

    eventually("embedded", lambda: EntryEmbedding.objects.count() == 1, 10)
    assert time.monotonic() - began < tunables_index.BACKLOG_POLL_SECONDS / 2
    eventually("counted", lambda: not SearchEntry.objects.filter(counted=False).exists(), 10)


def test_it_goes_on_after_its_connections_were_cut(worker: Worker) -> None:
    eventually("it has taken its place", lambda: spaces.active() is not None, 10)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    save(3, at=datetime.now(UTC) - timedelta(seconds=1))

    eventually("embedded after all", lambda: EntryEmbedding.objects.count() == 3, 20)


def test_it_goes_on_after_the_connection_that_hears_the_wake_ups_was_cut(worker: Worker) -> None:
    eventually("it has taken its place", lambda: spaces.active() is not None, 10)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_advisory_unlock%'"
            " AND datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert cursor.rowcount == 1
    save(3, at=datetime.now(UTC) - timedelta(seconds=1))

    eventually("embedded after all", lambda: EntryEmbedding.objects.count() == 3, 20)
