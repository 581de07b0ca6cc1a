"""What records give to the graph is counted once, taken back whole, and survives workers that die or meet."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import DataError, connection, connections, transaction

from memory_core.domain.graph import Entity, Extracted, NodeType
from memory_core.flows import link, reindex
from memory_core.index import entries, links, statistics
from memory_core.index.links import Link
from memory_core.models import GraphEdge, GraphEvidence, GraphNode, LinkBacklog, LinkedEntry
from memory_core.sql import graph as sql
from tests.fakes import records
from tests.fakes.client import Caller
from tests.fakes.records import MOMENT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("words_only", "own_images")]


def learn() -> None:
    while statistics.count_pending():
        pass
    while link.link_pending(MOMENT):
        pass


def graph() -> tuple[set[tuple[str, int]], set[tuple[str, str, int]], int]:
    """Nodes by key with their counts, edges by the keys they join with theirs, and how much evidence there is."""
    nodes = set(GraphNode.objects.values_list("key", "records"))
    edges = {
        (*sorted((source, target)), count)
        for source, target, count in GraphEdge.objects.values_list("source__key", "target__key", "records")
    }
    return nodes, edges, GraphEvidence.objects.count()  # type: ignore[return-value]


def things(*keys: str) -> Extracted:
    """Things that are all joined in a row."""
    own = tuple(Entity(NodeType.CONCEPT, key, key) for key in keys)
    return Extracted(own, tuple((place - 1, place) for place in range(1, len(own))))


def test_the_graph_counts_the_records_that_name_a_thing_and_that_join_two(owner: Caller) -> None:
    owner.prompted("it seems Ada Lovelace met Charles Babbage")
    owner.prompted("again Ada Lovelace met Charles Babbage and Mary Somerville", sessionId="s2")

    learn()

    nodes, edges, evidence = graph()
    assert nodes == {("ada lovelace", 2), ("charles babbage", 2), ("mary somerville", 1)}
    assert ("ada lovelace", "charles babbage", 2) in edges
    assert evidence == 5
    assert not LinkBacklog.objects.exists()


def test_linking_again_changes_nothing(owner: Caller) -> None:
    owner.prompted("it seems Ada Lovelace met Charles Babbage")
    owner.prompted("again Ada Lovelace met Mary Somerville", sessionId="s2")
    learn()
    before = graph()

    statistics.recount()
    learn()

    assert graph() == before


def test_a_rebuild_makes_the_same_graph(owner: Caller) -> None:
    owner.prompted("it seems Ada Lovelace met Charles Babbage")
    owner.remember("Charles Babbage had one Difference Engine, by Joseph Clement")
    learn()
    before = graph()
    GraphEvidence.objects.all().delete()
    LinkedEntry.objects.all().delete()
    GraphEdge.objects.all().delete()
    GraphNode.objects.all().delete()

    reindex.words(clock=lambda: MOMENT, progress=lambda _: None)

    assert graph() == before


def test_a_worker_that_dies_in_the_middle_leaves_nothing_behind_and_the_record_waits(
    owner: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """What a killed process does to its transaction."""

    def die(*_: Any) -> None:
        raise Killed

    owner.prompted("it seems Ada Lovelace met Charles Babbage")
    while statistics.count_pending():
        pass
    with monkeypatch.context() as patch:
        patch.setattr(links, "_add_edges", die)
        with pytest.raises(Killed):
            link.link_pending(MOMENT)
    assert graph() == (set(), set(), 0)

    assert link.link_pending(MOMENT) == 1

    assert graph()[0] == {("ada lovelace", 1), ("charles babbage", 1)}


def test_a_record_that_cannot_be_linked_stops_nobody(owner: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    write = links.write

    def refuse(made: Sequence[Link], now: Any) -> None:
        if any(one.key == "bad thing" for link_ in made for one in link_.extracted.entities):
            raise DataError("no")
        write(made, now)

    monkeypatch.setattr(links, "write", refuse)
    owner.prompted("it seems Ada Lovelace met Charles Babbage")
    owner.prompted('again the "bad thing" was there', sessionId="s2")

    learn()

    assert graph()[0] == {("ada lovelace", 1), ("charles babbage", 1)}
    assert not LinkBacklog.objects.exists()


def test_workers_that_link_the_same_things_at_once_lose_no_count() -> None:
    workers, each = 4, 10
    own = [records.entry(f"obs_{number}") for number in range(workers * each)]
    words = [f"thing {number}" for number in range(8)]
    together = Barrier(workers)

    def run(worker: int) -> None:
        together.wait(timeout=30)
        try:
            for number in range(each):
                turn = (worker + number) % len(words)
                with transaction.atomic():
                    one = own[worker * each + number]
                    links.write([Link(one.pk, "orchard", things(*words[turn:], *words[:turn]))], MOMENT)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(run, range(workers)))

    nodes, edges, evidence = graph()
    assert nodes == {(word, workers * each) for word in words}
    assert evidence == workers * each * len(words)
    assert sum(count for _, _, count in edges) == workers * each * (len(words) - 1)


def test_workers_share_the_backlog(owner: Caller) -> None:
    for number in range(30):
        owner.prompted(f"number {number}: it seems Ada Lovelace met Charles Babbage", sessionId=f"s{number}")
    while statistics.count_pending():
        pass

    def run(_: int) -> int:
        try:
            return sum(iter(lambda: link.link_pending(MOMENT, 3), 0))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        done = sum(pool.map(run, range(3)))

    assert done >= 30
    assert graph()[0] == {("ada lovelace", 30), ("charles babbage", 30)}


def test_forgetting_while_records_are_linked_leaves_no_trace(owner: Caller) -> None:
    for number in range(40):
        owner.prompted(f"number {number}: it seems Ada Lovelace met Charles Babbage", sessionId=f"s{number}")
    while statistics.count_pending():
        pass

    def work(worker: int) -> None:
        try:
            if worker:
                while link.link_pending(MOMENT, 2):
                    pass
            else:
                for number in range(40):
                    owner.post("forget", {"sessionId": f"s{number}"})
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))

    assert graph() == (set(), set(), 0)
    assert not LinkBacklog.objects.exists()
    assert not LinkedEntry.objects.exists()


def test_a_record_that_was_linked_differently_before_gives_the_new_only() -> None:
    own = records.entry()
    with transaction.atomic():
        links.write([Link(own.pk, "orchard", things("one", "two"))], MOMENT)
    with transaction.atomic():
        links.write([Link(own.pk, "orchard", things("two", "three"))], MOMENT)

    assert graph() == ({("two", 1), ("three", 1)}, {("three", "two", 1)}, 2)


def test_removing_an_entry_takes_closed_beliefs_about_its_names_along() -> None:
    own = records.entry()
    with transaction.atomic():
        links.write([Link(own.pk, "orchard", things("one", "two"))], MOMENT)
    known = GraphEdge.objects.get()
    GraphEdge.objects.create(
        project_id="orchard",
        source=known.source,
        target=known.target,
        type="uses",
        weight=0.9,
        records=1,
        valid_during=(None, None),
        recorded_during=(MOMENT.replace(year=2020), MOMENT.replace(year=2021)),
    )

    with transaction.atomic():
        entries.remove([own.object_id])

    assert graph() == (set(), set(), 0)


@pytest.mark.slow
def test_a_hop_reads_its_index_and_no_more_than_it_may() -> None:
    own = [records.entry(f"obs_{number}") for number in range(40)]
    for number, one in enumerate(own):
        with transaction.atomic():
            made = Extracted(
                tuple(Entity(NodeType.CONCEPT, f"k{number * 7 + n}", "x") for n in range(120)),
                tuple((0, n) for n in range(1, 120)),
            )
            links.write([Link(one.pk, "orchard", made)], MOMENT)
    nodes = list(GraphNode.objects.filter(key__in=["k0", "k7"]).values_list("pk", flat=True))
    parameters = {"nodes": nodes, "now": MOMENT, "each": 16, "all": 20, "agent": None}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_core_graphedge")
        cursor.execute("ANALYZE memory_core_graphnode")
        text = sql.HOP.text
        for place, name in enumerate(parameters, 1):
            text = text.replace(f"%({name})s", f"${place}")
        cursor.execute(f"PREPARE hop(bigint[], timestamptz, integer, integer, text) AS {text}")
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")  # what a kept statement comes to
        cursor.execute("EXPLAIN (COSTS OFF) EXECUTE hop(%s, %s, 16, 20, NULL)", [nodes, MOMENT])
        plan = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("DEALLOCATE hop")

    assert GraphEdge.objects.count() > 4_000
    assert "edge_from" in plan
    assert "edge_to" in plan
    assert "edge_one_belief" not in plan
    assert "Seq Scan on memory_core_graph" not in plan
    assert len(sql.HOP.rows(parameters)) == 20


@pytest.mark.slow
def test_names_are_looked_up_by_their_indexes() -> None:
    records.project()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_core_graphnode (project_id, type, key, name, records)"
            " SELECT 'orchard', 'concept', md5(n::text), 'x', 1 FROM generate_series(1, 20000) n"
        )
        cursor.execute("VACUUM ANALYZE memory_core_graphnode")
        cursor.execute(
            f"EXPLAIN (COSTS OFF) {sql.named(projects=True).text}",
            {"projects": ["orchard", ""], "agent": None, "keys": ["a", "b"]},
        )
        exact = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute(
            f"EXPLAIN (COSTS OFF) {sql.alike(projects=True).text}",
            {
                "projects": ["orchard", ""],
                "agent": None,
                "names": ["abcdefg"],
                "ends": ["%/abcdefg"],
                "above": 0.6,
                "nodes": 2,
            },
        )
        alike = "\n".join(row[0] for row in cursor.fetchall())

    assert "node_once" in exact
    assert "node_alike" in alike
    assert "Seq Scan on memory_core_graphnode" not in exact + alike
