"""`everlore up` with real processes: it answers, survives every kill, and stops."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable

import psutil
import pytest

from .conftest import Instance, eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def instance(make_instance: Callable[..., Instance]) -> Instance:
    return make_instance()


@pytest.fixture
def running(instance: Instance) -> Instance:
    """The module's instance, started again where the test before it ended it."""
    if instance.process is None or instance.process.poll() is not None:
        instance.up()
    return instance


def gone(processes: list[psutil.Process]) -> bool:
    """Whether none of the processes runs on."""
    return not [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


def waiting(instance: Instance) -> int:
    """Entries that wait for vectors."""
    return int(instance.call("GET", "health")[1]["health"]["everlore"]["embeddingBacklog"])


def test_says_where_it_answers_once_it_answers(running: Instance) -> None:
    assert running.answers()
    assert f"http://127.0.0.1:{running.port}" in running.output
    assert str(running.home) in running.output


def test_a_second_one_on_the_same_data_names_the_first(running: Instance) -> None:
    second = running.command("up")

    assert second.returncode == 1
    assert str(running.process.pid) in second.stdout
    assert f"http://127.0.0.1:{running.port}" in second.stdout
    assert running.answers()


def test_a_memory_has_its_vector_within_a_second_of_the_answer(
    running: Instance, capsys: pytest.CaptureFixture[str]
) -> None:
    running.call("POST", "remember", {"content": "The parcel service rings twice.", "project": "p"})
    eventually("the model is warm", lambda: waiting(running) == 0, 120)
    took = []
    for number in range(5):
        running.call(
            "POST",
            "remember",
            {"content": f"Bay {number} of the warehouse is for returns only.", "project": f"q{number}"},
        )
        began = time.monotonic()
        eventually("embedded", lambda: waiting(running) == 0, 10)
        took.append(time.monotonic() - began)
    with capsys.disabled():
        print(f"\nfrom the answer to the vector: {', '.join(f'{seconds:.2f}' for seconds in took)} s")

    assert min(took) < 1.0


def test_a_memory_does_not_wait_for_a_large_backlog(running: Instance, capsys: pytest.CaptureFixture[str]) -> None:
    long = "The harbour crane lifts one container after another onto the waiting train. " * 60
    running.child("cli worker").suspend()
    for number in range(60):
        running.observe(f"{number} {long}", f"long-{number}")
    running.child("cli worker").resume()
    eventually("the worker is at it", lambda: waiting(running) < 60, 60)
    _status, answer = running.call(
        "POST", "remember", {"content": "Berth nine floods in spring.", "project": "harbour"}
    )
    began = time.monotonic()

    def embedded() -> bool:
        return bool(running.sql(
            "SELECT 1 FROM memory_core_entryembedding v JOIN memory_core_searchentry e ON e.id = v.entry_id"
            " WHERE e.object_id = %s", answer["memory"]["id"],
        ))  # fmt: skip

    eventually("the memory has its vector", embedded, 20)
    took, left = time.monotonic() - began, waiting(running)
    with capsys.disabled():
        print(f"\nfrom the answer to the vector, {left} long entries still waiting: {took:.2f} s")

    assert left > 0


def test_a_killed_worker_loses_nothing_of_the_backlog(running: Instance) -> None:
    running.child("cli worker").suspend()
    ids = [
        running.observe(f"Lighthouse {number} blinks every {number + 2} seconds.", f"light-{number}")
        for number in range(200)
    ]
    running.child("cli worker").resume()
    eventually("the worker is in the middle of it", lambda: waiting(running) < 200, 60)
    running.child("cli worker").kill()

    eventually("the next one has done the rest", lambda: waiting(running) == 0, 90)
    rows = running.sql(
        "SELECT count(DISTINCT e.object_id) FROM memory_core_entryembedding v JOIN memory_core_searchentry e"
        " ON e.id = v.entry_id WHERE e.object_id = ANY(%s)", ids,
    )  # fmt: skip
    assert rows == [(200,)]


def test_the_worker_stops_within_its_grace_in_the_middle_of_a_backlog(running: Instance) -> None:
    long = "A ferry crosses the strait each hour, and the timetable hangs beside the kiosk. " * 60
    running.child("cli worker").suspend()
    for number in range(40):
        running.observe(f"{number} {long}", f"ferry-{number}")
    worker = running.child("cli worker")
    worker.resume()
    eventually("the worker is in the middle of it", lambda: waiting(running) < 40, 60)
    began = time.monotonic()
    worker.terminate()
    eventually("it has stopped", lambda: gone([worker]), 10)

    assert time.monotonic() - began < 4.0
    held = "SELECT count(*) FROM memory_core_embeddingbacklog WHERE not_before > now() AND last_error = '' AND attempts > 0"
    eventually(
        "nothing is held by a worker that is gone", lambda: running.sql(held) == [(0,)] or waiting(running) == 0, 30
    )
    eventually("the next one has done the rest", lambda: waiting(running) == 0, 90)


def test_senders_that_never_finish_hold_nobody_up(running: Instance) -> None:
    half = b'POST /agentmemory/observe HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"hookType":'
    stuck = [socket.create_connection(("127.0.0.1", running.port)) for _ in range(40)]  # 2 processes of 8 threads
    try:
        for connection in stuck:
            connection.sendall(half)

        assert [running.call("GET", "livez")[0] for _ in range(4)] == [200] * 4
    finally:
        for connection in stuck:
            connection.close()


def test_a_killed_web_process_comes_back(running: Instance) -> None:
    web = running.child("uvicorn")
    workers = web.children()
    web.kill()

    eventually("its processes are gone, too", lambda: gone([web, *workers]), 20)
    eventually("another one answers", running.answers, 60)
    assert "web was ended by signal 9" in running.output


def test_a_killed_database_comes_back_and_everything_goes_on(running: Instance) -> None:
    stored = running.observe("The beekeeper paints every hive another colour.", "hives")
    postmaster = next(process for process in running.everybody() if "-D" in process.cmdline())
    postmaster.kill()

    def answered() -> bool:
        status, _answer = running.call("POST", "remember", {"content": "The smoker hangs in the shed.", "project": "p"})
        return status == 201

    eventually("something can be saved again", answered, 60)
    assert "The database has died" in running.output
    assert stored in running.search("beekeeper hive")
    eventually("the worker goes on", lambda: waiting(running) == 0, 60)


def test_what_was_answered_survives_the_kill_of_everything(running: Instance) -> None:
    stored = running.observe("The windmill on the northern dyke grinds mustard.", "windmill")
    everybody = running.everybody()
    for process in everybody:
        if process.is_running():
            process.kill()
    eventually("everything is dead", lambda: gone(everybody), 20)
    running.process.wait(10)
    running.up()

    assert running.sql("SELECT count(*) FROM memory_core_observation WHERE id = %s", stored) == [(1,)]
    assert stored in running.search("mustard windmill")  # by its words; its vector may have died with the worker
    eventually("the worker has made up for it", lambda: waiting(running) == 0, 90)
    assert stored in running.search("mustard windmill")


def test_a_killed_supervisor_leaves_nothing_that_blocks_the_next_start(running: Instance) -> None:
    children = [child for child in running.everybody() if child.pid != running.process.pid]
    running.process.kill()
    running.process.wait(10)
    running.up()  # at once: it waits for what the guard still clears away

    assert running.answers()
    eventually("the old ones are gone", lambda: gone(children), 5)


def test_leftovers_of_a_killed_supervisor_and_guard_are_ended_by_the_next_start(running: Instance) -> None:
    children = [
        child for child in running.everybody() if "postgres" not in child.name() and child.pid != running.process.pid
    ]
    running.child("guard.py").kill()
    running.process.kill()
    running.process.wait(10)
    running.up()

    assert running.answers()
    eventually("the old ones are gone", lambda: gone(children), 5)


def test_the_doctor_finds_a_running_instance_well(running: Instance) -> None:
    found = running.command("doctor", "--json")

    assert found.returncode == 0, found.stdout
    assert '"fail"' not in found.stdout


def test_the_demo_finds_by_meaning_what_no_word_leads_to_and_goes_again(running: Instance) -> None:
    first, again = running.command("demo"), running.command("demo")
    removed = running.command("demo", "--remove")

    assert "12 events of 3 sessions" in first.stdout
    assert "0 events of 3 sessions" in again.stdout
    assert "Friday afternoon" in first.stdout
    assert "Hits from everlore-demo/orchard: 0" in first.stdout
    assert "18 records" in removed.stdout  # 12 events, and two for each session as the protocol counts


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything_in_time(running: Instance, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    everybody = running.everybody()
    took = running.stop(number)
    with capsys.disabled():
        print(f"\nstopped by {signal.Signals(number).name} in {took:.1f} s")

    assert running.process.returncode == 0, running.output
    assert gone(everybody)
    assert "killed" not in running.output


def test_a_model_of_another_width_starts_nothing(instance: Instance) -> None:
    if instance.process is not None and instance.process.poll() is None:
        instance.stop()
    refused = instance.command("up", EVERLORE_EMBEDDING_MODEL="multilingual-e5-small")

    assert refused.returncode == 1
    for way in (
        "EVERLORE_EMBEDDING_MODEL=sentence-transformers/all-MiniLM-L6-v2",
        "everlore reindex",
        "EVERLORE_EMBEDDING_MODEL=none",
    ):
        assert way in refused.stdout
    assert not (instance.home / "pg" / "postmaster.pid").exists()
    assert "is ready" not in refused.stdout


def test_a_port_that_is_taken_is_said_before_anything_starts(make_instance: Callable[..., Instance]) -> None:
    fresh = make_instance()
    with socket.socket() as other:
        other.bind(("127.0.0.1", fresh.port))
        other.listen()
        refused = fresh.command("up")

    assert refused.returncode == 1
    assert "EVERLORE_PORT" in refused.stdout
    assert not (fresh.home / "pg").exists()


def test_flags_of_up_win_over_the_environment_and_are_checked_like_it(make_instance: Callable[..., Instance]) -> None:
    refused = make_instance().command("everlore", "memory_core.cli", "up", "--port", "99999")

    assert refused.returncode == 2
    assert "EVERLORE_PORT is '99999'" in refused.stderr
    assert "Traceback" not in refused.stderr
