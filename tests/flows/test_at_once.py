"""Several clients say the same at once; it is stored as if they had come one after the other."""

from __future__ import annotations

import base64
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import OperationalError, connection, connections, transaction

from memory_core.index import statistics
from memory_core.models import (
    CorpusStatistic,
    EmbeddingSpace,
    EntryEmbedding,
    Image,
    Memory,
    Observation,
    Project,
    SearchEntry,
    Session,
)
from memory_core.sql.index import ADD_EMBEDDINGS
from tests.fakes import records
from tests.fakes.client import Answer, Caller
from tests.workers.conftest import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("words_only", "own_images")]

THREADS = 8


def at_once(call: Callable[[int], Answer]) -> list[Answer]:
    """The answers of THREADS calls that start together, each over its own connection."""
    together = Barrier(THREADS)

    def run(number: int) -> Answer:
        try:
            together.wait(timeout=30)
            return call(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_one_event_is_stored_once(owner: Caller) -> None:
    answers = at_once(lambda _: owner.observe())

    assert {answer.status for answer in answers} == {201}
    assert sum("observationId" in answer.body for answer in answers) == 1
    assert Observation.objects.count() == 1
    assert Session.objects.get().observation_count == 1
    assert SearchEntry.objects.count() == 1


def test_an_event_id_of_a_client_counts_within_its_session(owner: Caller) -> None:
    answers = at_once(lambda number: owner.observe(eventId="1", sessionId=f"s{number}"))

    assert all("observationId" in answer.body for answer in answers)
    assert Observation.objects.count() == Session.objects.count() == len(answers)


def test_a_tool_call_is_stored_once_in_whatever_session(owner: Caller) -> None:
    answers = at_once(lambda number: owner.observe(eventId="tool:toolu_1", sessionId=f"s{number}"))

    assert {answer.status for answer in answers} == {201}
    assert sum("observationId" in answer.body for answer in answers) == 1
    assert Observation.objects.count() == 1
    assert Session.objects.count() == 1


def test_different_events_are_all_stored_and_counted(owner: Caller) -> None:
    answers = at_once(lambda number: owner.ran(f"echo {number}", ""))

    assert len({answer["observationId"] for answer in answers}) == THREADS
    assert Session.objects.get().observation_count == THREADS


def test_a_session_is_never_fuller_than_it_may_be(owner: Caller, configure: Callable[..., None]) -> None:
    configure(EVERLORE_MAX_OBSERVATIONS_PER_SESSION=3)

    answers = at_once(lambda number: owner.ran(f"echo {number}", ""))

    assert sum("observationId" in answer.body for answer in answers) == 3
    assert Observation.objects.count() == 3
    assert Session.objects.get().refused_count == THREADS - 3


def test_one_memory_becomes_one_chain(owner: Caller) -> None:
    answers = at_once(lambda _: owner.remember("graft medlars onto quince stock in early spring"))

    assert {answer.status for answer in answers} == {201}
    assert sorted(answer["memory"]["version"] for answer in answers) == list(range(1, THREADS + 1))
    assert Memory.objects.values("chain").distinct().count() == 1
    assert Memory.objects.filter(is_latest=True).count() == 1
    assert SearchEntry.objects.count() == 1


def test_uses_of_one_image_are_all_counted(owner: Caller) -> None:
    picture = "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(64)).decode()

    at_once(lambda number: owner.observe(sessionId=f"s{number}", data={"tool_name": "Read", "tool_output": picture}))
    counted = Image.objects.get().reference_count
    at_once(lambda number: owner.post("forget", {"sessionId": f"s{number}"}))

    assert counted == THREADS
    assert Image.objects.count() == 0


def test_counting_and_forgetting_together_leave_true_statistics(owner: Caller) -> None:
    ids = [owner.ran(f"echo {number}", "pears")["observationId"] for number in range(THREADS)]

    def work(number: int) -> Answer:
        if number % 2:
            statistics.count_pending()
        return owner.post("forget", {"sessionId": "s1", "observationIds": [ids[number]]})

    assert {answer["deleted"] for answer in at_once(work)} == {1}
    assert [row.entries for row in CorpusStatistic.objects.all()] in ([], [0])


def test_counting_a_session_that_grows_while_it_is_forgotten_is_right(owner: Caller) -> None:
    ids = [owner.ran(f"echo {number}", "pears")["observationId"] for number in range(THREADS)]

    def work(number: int) -> Answer:
        if number % 2:
            return owner.ran(f"ls {number}", "pears")
        return owner.post("forget", {"sessionId": "s1", "observationIds": [ids[number]]})

    at_once(work)

    assert Session.objects.get().observation_count == Observation.objects.count() == THREADS


def test_a_memory_that_is_forgotten_while_another_would_supersede_it(owner: Caller) -> None:
    for round_number in range(5):
        words = f"graft medlars onto quince stock in early spring, rule {round_number}"
        known = owner.remember(words)["memory"]["id"]

        def work(number: int, words: str = words, known: str = known) -> Answer:
            return owner.remember(words) if number % 2 else owner.post("forget", {"memoryId": known})

        assert {answer.status for answer in at_once(work)} == {200, 201}
        assert not Memory.objects.filter(pk=known, is_latest=True).exists()


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


def test_a_memory_is_superseded_while_the_worker_stores_its_vector(owner: Caller) -> None:
    words = "lift the celeriac before the first hard frost"
    known = owner.remember(words)["memory"]["id"]
    entry = SearchEntry.objects.get(object_id=known)
    space = EmbeddingSpace.objects.create(provider="test", model="m", dimensions=2, active=True)
    vector = {"space": space.pk, "entries": [entry.pk], "chunks": [0], "embeddings": ["[1,0]"]}

    def supersede() -> Answer:
        try:
            return owner.remember(words)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            ADD_EMBEDDINGS.run(vector)
            answer = pool.submit(supersede)
            eventually("it waits for the worker", _somebody_waits, 20)
        assert answer.result().status == 201
    assert not EntryEmbedding.objects.filter(entry_id=entry.pk).exists()


@pytest.mark.parametrize("path", ["observe", "session/start"])
def test_whoever_waits_for_a_project_holds_its_session(owner: Caller, path: str) -> None:
    """One order for all: two that took them in different orders could wait for each other."""
    body = owner.event() if path == "observe" else {"sessionId": "s1", "project": "orchard", "cwd": "/work/orchard"}

    def call() -> Answer:
        try:
            return owner.post(path, body)
        finally:
            connections.close_all()

    def enter_session() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '200ms'")
                records.session("s1", project=records.project(""))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            Project.objects.create(slug="orchard")
            answer = pool.submit(call)
            eventually("it waits for the project", _somebody_waits, 20)
            with pytest.raises(OperationalError, match="lock timeout"):
                pool.submit(enter_session).result()
        assert answer.result().status in (200, 201)
