"""A question that names a time finds that time's records first; one that names none is answered as ever."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest
from django.db import connection

from memory_core.domain import tunables_recall, tunables_time
from memory_core.domain.scope import Scope
from memory_core.flows import embed, embedding, recall
from memory_core.index import entries, spaces, statistics
from memory_core.retrieve import times
from memory_core.sql import recall as sql
from tests.fakes import records
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.statements import listening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]

THURSDAY = datetime(2026, 5, 14, 12, tzinfo=UTC)
"""When the questions are asked; the last Tuesday was the 12th of May, last week began on the 4th."""


def kept(text: str, when: datetime, *, id: str, project: str = "orchard", agent: str = "", session: str = "") -> str:
    """An observation of some moment, in a session of its own unless one is named."""
    own = records.session(session or f"s_{id}", project=records.project(project), agent_id=agent)
    records.observation(id, session=own, agent_id=agent, timestamp=when, narrative=text, title=text[:40])
    entry = entries.Searchable("observation", id, project, agent, own.pk, when, entries.analyse(text))
    entries.add(entry, now=when)
    return id


def days_of_may(text: str, days: Sequence[int] = range(1, 14), *, project: str = "orchard") -> dict[int, str]:
    """The same text on several days, ids in an order that has nothing to do with them."""
    return {
        day: kept(
            text, datetime(2026, 5, day, 10, tzinfo=UTC), id=f"obs_{project}_{day * 7 % 31:02}_{day}", project=project
        )
        for day in days
    }


def asked(query: str, *, project: str = "orchard", agent: str | None = None, explain: bool = False) -> recall.Answer:
    while statistics.count_pending():
        pass
    scope = Scope((project, ""), agent)
    return recall.recall(query, scope=scope, limit=20, now=THURSDAY, log=False, explain=explain)


def order(query: str, **where: str) -> list[str]:
    return [hit.object_id for hit in asked(query, **where).hits]


@pytest.fixture
def with_vectors() -> Iterator[HashingEmbedder]:
    own = HashingEmbedder()
    embedding.use(own)
    yield own
    embedding.use(None)


def vectors_for(embedder: HashingEmbedder) -> None:
    space = spaces.guard(embedder)
    assert space is not None
    while embed.drain_once(space, embedder, lambda: datetime(2100, 1, 1, tzinfo=UTC)):
        pass


@pytest.mark.parametrize(
    ("query", "day"),
    [
        ("what did we change last Tuesday about the parser", 12),
        ("the parser change of 3 May", 3),
        ("what about the parser change six days ago?", 8),
        ("5月7日 parser change", 7),
        ("昨天 parser 的 change", 13),
        ("parser change two days before 2026-05-11", 9),
    ],
)
def test_of_equal_records_that_of_the_named_day_comes_first(query: str, day: int) -> None:
    ids = days_of_may("change the parser")

    assert order(query)[0] == ids[day]


@pytest.mark.parametrize("query", ["last week's parser change", "上周的 parser change", "上週的 parser change"])
def test_last_weeks_records_come_before_all_others(query: str) -> None:
    ids = days_of_may("change the parser")

    assert set(order(query)[:7]) == {ids[day] for day in range(4, 11)}


def test_within_the_day_the_record_that_answers_comes_first() -> None:
    day = datetime(2026, 5, 12, 9, tzinfo=UTC)
    for number in range(8):
        kept(f"water the pear row {number}", day + timedelta(minutes=number), id=f"obs_{number}")
    wanted = kept("parser change for nested quotes", day, id="obs_wanted")

    assert order("what did we change last Tuesday about the parser")[0] == wanted


def test_a_record_on_the_subject_is_not_lost_for_being_of_another_day() -> None:
    right = kept("parser change for nested quotes", datetime(2026, 4, 2, tzinfo=UTC), id="obs_subject")
    kept("water the pear row", datetime(2026, 5, 12, 9, tzinfo=UTC), id="obs_day")

    assert right in order("what did we change last Tuesday about the parser")


def test_a_record_next_to_the_day_comes_before_one_far_from_it() -> None:
    ids = days_of_may("change the parser", days=(2, 13))

    assert order("what about the parser last Tuesday") == [ids[13], ids[2]]


def test_a_record_of_the_day_arrives_though_no_other_arm_reaches_it(
    with_vectors: HashingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    days_of_may("parser change last quotes", days=range(1, 9))
    wanted = kept("watering pears", datetime(2026, 5, 12, 9, tzinfo=UTC), id="obs_wanted")
    vectors_for(with_vectors)
    monkeypatch.setattr(tunables_recall, "LEAST_DEPTH", 4)
    monkeypatch.setattr(tunables_recall, "DEPTH_FACTOR", 0)

    assert wanted not in order("parser change quotes")
    hits = {hit.object_id: hit.evidence for hit in asked("parser change last Tuesday", explain=True).hits}

    assert set(hits[wanted]) == {"timed", "timed_dense"}


def test_a_question_without_a_time_is_asked_with_the_statement_and_the_order_it_always_had() -> None:
    ids = days_of_may("change the parser")

    with listening() as heard:
        given = order("what did we change about the parser")

    assert given == sorted(ids.values())  # equal texts: by id, whatever their age
    assert not any("span" in statement or "age_pool" in statement for statement, _ in heard)
    plain = sql.Shape(lexical=True, dimensions=0, exact=True, projects=True, agent=False, kinds=False, cwd=False)
    assert sql.recall(plain).text in [statement for statement, _ in heard]


def test_the_times_streams_do_nothing_where_nothing_happened_then() -> None:
    ids = days_of_may("change the parser")

    assert order("change of the parser in 1999") == sorted(ids.values())


def test_what_is_asked_of_the_future_is_answered_as_ever() -> None:
    ids = days_of_may("change the parser")

    assert order("change the parser next Tuesday") == sorted(ids.values())


class TestScope:
    def test_another_projects_records_of_the_day_stay_out(self) -> None:
        own = days_of_may("change the parser")
        days_of_may("change the parser", project="quarry")

        assert set(order("what did we change last Tuesday about the parser")) == set(own.values())

    def test_another_agents_records_of_the_day_stay_out(self) -> None:
        moment = datetime(2026, 5, 12, 9, tzinfo=UTC)
        own = kept("change the parser", moment, id="obs_own", agent="one")
        kept("change the parser", moment, id="obs_other", agent="two")

        assert order("what did we change last Tuesday", agent="one") == [own]

    def test_kinds_and_directory_narrow_the_day_too(self) -> None:
        days_of_may("change the parser")
        scope = Scope(("orchard", ""))
        query = "what did we change last Tuesday"

        ask = {"scope": scope, "limit": 20, "now": THURSDAY, "log": False}
        assert recall.recall(query, kinds=("memory",), **ask).hits == []
        assert recall.recall(query, cwd="/elsewhere", **ask).hits == []

    def test_a_read_of_every_project_finds_the_day_in_each(self) -> None:
        one, other = days_of_may("change the parser"), days_of_may("change the parser", project="quarry")

        hits = recall.recall("the parser change last Tuesday", scope=Scope(), limit=20, now=THURSDAY, log=False).hits

        assert {hit.object_id for hit in hits[:2]} == {one[12], other[12]}


class TestRecency:
    def test_the_newest_of_equals_comes_first_where_the_question_asks_for_the_latest(self) -> None:
        ids = days_of_may("change the parser")

        assert order("the latest parser change")[:2] == [ids[13], ids[12]]
        assert order("最新的 parser change")[0] == ids[13]

    def test_the_oldest_of_equals_comes_first_where_the_question_asks_for_the_first(self) -> None:
        ids = days_of_may("change the parser")

        assert order("when did we first mention the parser change")[:2] == [ids[1], ids[2]]

    def test_an_old_record_that_answers_comes_before_a_new_one_that_hardly_does(self) -> None:
        wanted = kept("parser change for nested quotes", datetime(2026, 4, 2, tzinfo=UTC), id="obs_old")
        for number in range(6):
            kept(f"parser row {number}", datetime(2026, 5, 13, 9, number, tzinfo=UTC), id=f"obs_new_{number}")

        assert order("latest parser change for nested quotes")[0] == wanted

    def test_beside_a_span_age_has_no_say(self) -> None:
        days_of_may("change the parser")

        hits = asked("the latest parser change of last week", explain=True).hits

        assert not any("recent" in hit.evidence for hit in hits)

    def test_only_the_best_hits_are_ordered_by_age(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tunables_time, "AGE_POOL", 3)
        days_of_may("change the parser")

        hits = asked("the latest parser change", explain=True).hits

        assert sum("recent" in hit.evidence for hit in hits) == 3


class TestEvents:
    def test_days_before_an_event_are_counted_from_the_record_that_tells_of_it(self) -> None:
        ids = days_of_may("change the parser")
        kept("shipped the grafting release to production", datetime(2026, 5, 9, 15, tzinfo=UTC), id="obs_release")

        assert order("parser change 3 days before the grafting release")[0] == ids[6]
        assert order("the grafting release 之后三天的 parser change")[0] != ids[6]

    def test_the_week_after_an_event_is_all_of_it(self) -> None:
        ids = days_of_may("change the parser")
        kept("the cache migration is done", datetime(2026, 5, 3, 15, tzinfo=UTC), id="obs_migration")

        changes = [
            id for id in order("parser change in the week after the migration of the cache") if id in ids.values()
        ]

        assert set(changes[:7]) == {ids[day] for day in range(4, 11)}

    def test_an_event_nobody_told_of_gives_no_time(self) -> None:
        ids = days_of_may("change the parser")

        assert order("parser change 3 days before the coronation") == sorted(ids.values())

    def test_an_event_of_another_project_gives_no_time(self) -> None:
        kept("the coronation", datetime(2026, 5, 9, tzinfo=UTC), id="obs_elsewhere", project="quarry")

        assert times.question("3 days before the coronation", Scope(("orchard", "")), THURSDAY) is None
        assert times.question("3 days before the coronation", Scope(("quarry",)), THURSDAY) is not None

    def test_an_event_that_is_still_to_come_is_not_measured_from(self) -> None:
        kept("the coronation", THURSDAY + timedelta(days=3), id="obs_later")

        assert times.question("2 days before the coronation", Scope(("orchard", "")), THURSDAY) is None


class TestExplain:
    def test_the_evidence_says_how_near_in_time(self) -> None:
        ids = days_of_may("change the parser")

        evidence = {hit.object_id: hit.evidence for hit in asked("parser change last Tuesday", explain=True).hits}

        assert evidence[ids[12]]["timed"] == [1, 1.0]
        rank, closeness = evidence[ids[13]]["timed"]
        assert rank > 1
        assert 0 < closeness < 1
        assert "timed" not in evidence[ids[1]]
        assert set(evidence[ids[12]]) >= {"lexical", "timed_lexical"}

    def test_all_in_the_span_share_the_first_rank(self) -> None:
        ids = days_of_may("change the parser")

        evidence = {hit.object_id: hit.evidence for hit in asked("last week's parser change", explain=True).hits}

        assert {evidence[ids[day]]["timed"][0] for day in range(4, 11)} == {1}

    def test_recency_is_evidence_of_its_own(self) -> None:
        ids = days_of_may("change the parser")

        evidence = {hit.object_id: hit.evidence for hit in asked("the latest parser change", explain=True).hits}

        assert [evidence[ids[day]]["recent"][0] for day in (13, 12, 11)] == [1, 2, 3]


def test_with_every_vote_of_the_time_arm_at_nothing_its_part_of_the_statement_is_left_out() -> None:
    ids = days_of_may("change the parser")
    silent = dict.fromkeys(times.ARM_OF, 0.0)

    with mock.patch.object(times, "votes", return_value=silent), listening() as heard:
        given = order("the latest parser change last Tuesday")

    assert given == sorted(ids.values())
    assert not any("in_span" in statement or "age_pool" in statement for statement, _ in heard)


def test_the_index_on_time_gives_the_records_of_a_span() -> None:
    days_of_may("change the parser")
    with listening() as heard:
        order("what did we change last Tuesday about the parser")
    statement, parameters = next(one for one in heard if "in_span" in one[0])

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute("EXPLAIN " + statement, parameters)
        plan = "\n".join(row[0] for row in cursor.fetchall())

    assert "Index Scan Backward using entry_in_time" in plan
    assert "Sort Key: near.occurred_at" not in plan
