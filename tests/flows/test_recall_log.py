"""What is kept of a question asked through REST, and which use of its records is noted where."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from memory_core.domain import tunables_recall
from memory_core.domain import tunables_weights as tunables
from memory_core.domain.scope import Scope
from memory_core.flows import access, embed, embedding, fit_weights, recall, recall_log
from memory_core.fuse import fitting
from memory_core.index import spaces
from memory_core.models import AccessLog, RecallLog
from memory_core.retrieve.search import ARM_OF
from tests.fakes import records
from tests.fakes.client import Caller
from tests.fakes.embedder import ThesaurusEmbedder

pytestmark = pytest.mark.django_db
ORCHARD = Scope(("orchard", ""))


@pytest.fixture
def trees(owner: Caller) -> list[str]:
    """Four observations: two of a quince, two of a medlar."""
    return [
        owner.ran(f"look {n}", word, timestamp=f"2026-03-01T12:00:0{n}Z")["observationId"]
        for n, word in enumerate(["quince", "quince", "medlar", "medlar"])
    ]


def ask(owner: Caller, query: str, **changes: Any) -> list[str]:
    return owner.found(query, **({"project": "orchard", "sessionId": "s1"} | changes))


def expand(owner: Caller, *ids: str, **changes: Any) -> None:
    answer = owner.post("smart-search", {"expandIds": list(ids), "project": "orchard", "sessionId": "s1"} | changes)
    assert answer.status == 200


def last() -> RecallLog:
    found = RecallLog.objects.order_by("-pk").first()
    assert found is not None
    return found


class TestWhatIsKept:
    def test_the_ranks_of_every_stream_and_the_configured_votes(self, owner: Caller, trees: list[str]) -> None:
        shown = ask(owner, "quince", agentId="owner-agent", sessionId="s7")
        assert shown == []  # another agent's
        shown = ask(owner, "quince", sessionId="s7")

        row = last()
        assert RecallLog.objects.count() == 1
        assert (row.project_id, row.agent_id, row.session_id, row.used, row.follows) == ("orchard", "", "s7", [], None)
        assert row.shown == shown
        assert set(shown) <= set(row.candidates)
        assert set(row.ranks) <= set(ARM_OF)
        assert {len(ranks) for ranks in row.ranks.values()} == {len(row.candidates)}
        by_words = dict(zip(row.candidates, row.ranks["lexical"], strict=True))
        assert sorted(by_words[id] for id in trees[:2]) == [1, 2]
        assert row.votes["lexical"] == 0.6

    def test_not_the_words(self, owner: Caller, trees: list[str]) -> None:
        ask(owner, "quince")

        row = last()
        kept = repr([getattr(row, column.name) for column in RecallLog._meta.fields])
        assert "quince" not in kept
        assert bytes(row.digest) == recall_log.digest_of("  quince\n")
        assert bytes(row.digest) != recall_log.digest_of("medlar")

    def test_another_instance_makes_another_digest(self, settings: Any) -> None:
        here = recall_log.digest_of("quince")

        settings.SECRET_KEY = "another"

        assert recall_log.digest_of("quince") != here

    def test_the_evidence_is_shown_only_to_those_who_ask_for_it(self, owner: Caller, trees: list[str]) -> None:
        rows = owner.post("smart-search", {"query": "quince", "project": "orchard"})["results"]
        explained = owner.post("smart-search", {"query": "quince", "project": "orchard", "explain": True})["results"]

        assert [row["obsId"] for row in rows] == [row["obsId"] for row in explained]
        assert not any("explain" in row for row in rows)
        assert all(row["explain"] for row in explained)

    def test_the_whole_search_is_kept_too(self, owner: Caller, trees: list[str]) -> None:
        owner.post("search", {"query": "quince", "project": "orchard", "sessionId": "s2"})

        assert last().session_id == "s2"

    @pytest.mark.parametrize(
        "body",
        [{"source": "viewer"}, {"query": "nothing like it"}],
        ids=["a person in the viewer", "nothing found"],
    )
    def test_nothing_of_what_teaches_nothing(self, owner: Caller, trees: list[str], body: dict[str, str]) -> None:
        owner.post("smart-search", {"query": "quince", "project": "orchard"} | body)

        assert not RecallLog.objects.exists()

    def test_nothing_when_it_is_switched_off(self, owner: Caller, trees: list[str], configure: Any) -> None:
        configure(EVERLORE_LEARNED_WEIGHTS=False)

        ids = ask(owner, "quince")
        expand(owner, ids[0])

        assert not RecallLog.objects.exists()
        assert AccessLog.objects.get(pk=ids[0]).count == 2

    def test_a_question_to_every_project_has_none(self, owner: Caller, trees: list[str]) -> None:
        owner.found("quince")

        assert last().project_id is None
        assert last().ranks == {}

    def test_no_ranks_where_the_question_asks_for_one_sides_words(self, owner: Caller) -> None:
        owner.prompted("I planted the quince by the wall")
        owner.ran("look", "the quince by the wall")

        ids = ask(owner, "What did you recommend for the quince?")
        expand(owner, ids[0])

        assert last().used == ids[:1]
        assert last().ranks == {}
        assert list(fit_weights.judged("orchard", None)) == []

    def test_enough_to_fuse_the_answer_again(self, owner: Caller) -> None:
        embedding.use(ThesaurusEmbedder())
        space = spaces.guard(ThesaurusEmbedder())
        assert space is not None
        for n, word in enumerate(["quince", "quince medlar", "medlar", "pear quince", "pear"]):
            owner.ran(f"look {n}", word, sessionId=f"s{n % 2}")
        embed.drain_once(space, ThesaurusEmbedder(), lambda: records.MOMENT.replace(year=2100))
        records.weights(new={"lexical": 0.5, "session_lexical": 4.0}, in_use=True)

        found = recall.recall("quince pear", scope=ORCHARD, limit=20, now=records.MOMENT, explain=True).hits

        row = last()
        assert {"lexical", "dense"} <= set(row.ranks)
        again = fitting.Refusion(
            [
                fitting.Judged(
                    question="0a",
                    candidates=row.candidates,
                    ranks=row.ranks,
                    votes=row.votes,
                    used=frozenset(row.candidates),
                )
            ],
            ARM_OF,
            k=tunables_recall.RRF_K,
            agreement=tunables_recall.AGREEMENT_BONUS,
        )
        scores, _ = again.scores({"lexical": 0.5, "session_lexical": 4.0})
        kept_whole = {hit.object_id: hit.score for hit in found if not hit.repeats and hit.reranked is None}
        fused = dict(zip(sorted(row.candidates), scores[0], strict=True))
        assert len(kept_whole) >= 3
        assert {id: fused[id] for id in kept_whole} == pytest.approx(kept_whole, abs=1e-5)

    def test_at_least_all_that_were_shown(self, owner: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tunables, "LOGGED_CANDIDATES", 1)
        for n in range(4):
            owner.ran(f"look {n}", "quince")

        shown = ask(owner, "quince", limit=3)

        assert sorted(last().candidates) == sorted(shown)
        assert len(shown) == 3


class TestTheShare:
    @pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 1.0])
    def test_is_kept_and_has_the_same_part_held_out(self, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tunables, "LOGGED_SHARE", share)
        digests = [recall_log.digest_of(f"question {n}") for n in range(4_000)]

        logged = [digest for digest in digests if recall_log.is_in_share(digest)]

        assert len(logged) / len(digests) == pytest.approx(share, abs=0.03)
        if logged:
            held_out = sum(fitting.is_held_out(digest.hex()) for digest in logged) / len(logged)
            assert held_out == pytest.approx(tunables.HELD_OUT_TENTHS / 10, abs=0.06)

    def test_is_one_of_questions_not_of_times_they_are_asked(
        self, owner: Caller, trees: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tunables, "LOGGED_SHARE", 0.5)
        words = [f"quince {n}" for n in range(12)]
        expected = [word for word in words if recall_log.is_in_share(recall_log.digest_of(word))]

        for word in words * 2:
            recall.recall(word, scope=ORCHARD, limit=5, now=records.MOMENT)

        assert 0 < len(expected) < len(words)
        kept = sorted(bytes(digest) for digest in RecallLog.objects.values_list("digest", flat=True))
        assert kept == sorted(recall_log.digest_of(word) for word in expected * 2)


class TestBudget:
    def test_a_flood_is_not_logged(self) -> None:
        budget = recall_log.Budget()

        taken = [budget.take(0.0) for _ in range(int(tunables.LOGGED_AT_ONCE) + 50)]

        assert sum(taken) == tunables.LOGGED_AT_ONCE

    def test_it_fills_again_and_no_further_than_full(self) -> None:
        budget = recall_log.Budget()
        for _ in range(int(tunables.LOGGED_AT_ONCE)):
            assert budget.take(100.0)
        assert not budget.take(100.0)

        assert budget.take(100.0 + 1 / tunables.LOGGED_PER_SECOND)
        assert not budget.take(100.0 + 1 / tunables.LOGGED_PER_SECOND)
        later = [budget.take(1e6) for _ in range(int(tunables.LOGGED_AT_ONCE) + 5)]
        assert sum(later) == tunables.LOGGED_AT_ONCE


class TestUse:
    def test_an_expanded_record_was_used(self, owner: Caller, trees: list[str]) -> None:
        ids = ask(owner, "quince")

        expand(owner, ids[1])
        expand(owner, ids[1], ids[0])

        assert last().used == sorted(ids[:2])

    def test_so_was_one_that_a_new_memory_cites(self, owner: Caller, trees: list[str]) -> None:
        ids = ask(owner, "quince")

        owner.remember("quinces are hard", sourceObservationIds=[ids[1], "obs_none"], sessionId="s1")

        assert last().used == [ids[1]]

    def test_and_a_memory_that_is_read_by_its_address(self, owner: Caller) -> None:
        memory = owner.remember("quinces are hard")["memory"]["id"]
        ask(owner, "quince")

        assert owner.get(f"memories/{memory}?project=orchard").status == 200

        assert last().used == [memory]

    def test_the_newest_answer_that_gave_it_is_meant(self, owner: Caller, trees: list[str]) -> None:
        ids = ask(owner, "quince")
        ask(owner, "quince look")
        ask(owner, "quince", limit=1)

        expand(owner, ids[-1])

        assert [bool(row.used) for row in RecallLog.objects.order_by("pk")] == [False, True, False]

    @pytest.mark.parametrize(
        ("changes", "noted"),
        [
            ({"sessionId": "s1"}, True),
            ({"sessionId": None}, True),
            ({"sessionId": None, "project": None}, True),
            ({"sessionId": "s2"}, False),
            ({"project": "quarry", "sessionId": None}, False),
            ({"source": "viewer"}, False),
        ],
        ids=[
            "same session",
            "no session",
            "neither session nor project",
            "another session",
            "another project",
            "viewer",
        ],
    )
    def test_it_is_noted_for_whoever_asked(
        self, owner: Caller, trees: list[str], changes: dict[str, Any], noted: bool
    ) -> None:
        ids = ask(owner, "quince")

        expand(owner, ids[0], **changes)

        assert last().used == ([ids[0]] if noted else [])

    def test_not_for_another_agent(self, owner: Caller) -> None:
        other = Caller("other")
        other.ran("look", "quince", agentId="other")
        ids = ask(other, "quince", agentId="other", sessionId=None)

        expand(owner, ids[0], sessionId=None)
        assert last().used == []

        expand(other, ids[0], agentId="other", sessionId=None)
        assert last().used == ids

    def test_not_after_the_window(self, owner: Caller, trees: list[str]) -> None:
        ids = ask(owner, "quince")
        RecallLog.objects.update(asked_at=last().asked_at - timedelta(seconds=tunables.USE_WINDOW_SECONDS + 60))

        expand(owner, ids[0])

        assert last().used == []

    def test_not_for_a_record_that_was_not_given(self, owner: Caller, trees: list[str]) -> None:
        ask(owner, "quince", limit=1)
        unseen = [id for id in trees if id not in last().shown]

        expand(owner, *unseen)

        assert last().used == []


class TestFollowUp:
    def test_another_question_that_gives_nothing_of_the_first_follows_it(self, owner: Caller, trees: list[str]) -> None:
        ask(owner, "quince", limit=1)
        first = last().pk
        ask(owner, "medlar", limit=1)

        assert last().follows == first

    @pytest.mark.parametrize(
        ("query", "changes", "seconds"),
        [
            ("quince", {}, 0),
            ("quince tree", {}, 0),
            ("medlar", {"sessionId": "s2"}, 0),
            ("medlar", {"sessionId": None}, 0),
            ("medlar", {}, tunables.FOLLOW_UP_SECONDS + 5),
        ],
        ids=["the same question", "a record in common", "another session", "no session", "later"],
    )
    def test_others_do_not(
        self, owner: Caller, trees: list[str], query: str, changes: dict[str, Any], seconds: int
    ) -> None:
        ask(owner, "quince", limit=1)
        RecallLog.objects.update(asked_at=last().asked_at - timedelta(seconds=seconds))

        ask(owner, query, **({"limit": 1} | changes))

        assert last().follows is None

    def test_what_was_used_then_was_wanted_before_where_it_was_a_candidate(
        self, owner: Caller, trees: list[str]
    ) -> None:
        ask(owner, "quince look", limit=1)
        first = last()
        hidden = next(id for id in trees[2:] if id in first.candidates)
        for row in (hidden, *first.shown):
            assert row in first.candidates
        ids = ask(owner, "medlar", limit=2)
        assert last().follows == first.pk

        expand(owner, hidden)

        first.refresh_from_db()
        assert hidden in ids
        assert first.used == last().used == [hidden]


class TestInTheBackground:
    @pytest.fixture(autouse=True)
    def _collecting(self) -> Iterator[None]:
        """As in a web process, but written when the test says so."""
        access._background.set()
        yield
        access._background.clear()
        access.flush()

    def test_a_use_waits_for_the_answer_that_another_process_writes(self, owner: Caller, trees: list[str]) -> None:
        ids = ask(owner, "quince")
        expand(owner, ids[0])
        assert not RecallLog.objects.exists()

        access.flush(everything=False)
        assert last().used == []

        access.flush()
        assert last().used == [ids[0]]

    def test_a_log_that_cannot_be_written_costs_nobody_the_answer(
        self, owner: Caller, trees: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(tunables, "FOLLOW_UP_SECONDS", "never")

        assert ask(owner, "quince")
        access.flush()

        assert not RecallLog.objects.exists()
        assert "The access log was not written" in caplog.text


def test_a_caller_who_logs_nothing_leaves_nothing(owner: Caller, trees: list[str]) -> None:
    found = recall.recall("quince", scope=ORCHARD, limit=5, now=records.MOMENT, log=False)

    assert found.hits
    assert not RecallLog.objects.exists()
