"""Weights are fitted for each project from its own log, kept only when they win, shown, and taken back by a person."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from memory_core.domain import tunables_weights as tunables
from memory_core.domain.errors import NotFound
from memory_core.domain.scope import Scope
from memory_core.flows import fit_weights, recall, weights
from memory_core.fuse import fitting
from memory_core.models import AuditEntry, RecallLog, StreamWeights
from memory_core.retrieve import search
from tests.fakes import records
from tests.fakes.client import Caller
from workers import jobs

pytestmark = pytest.mark.django_db
NOW = records.MOMENT + timedelta(days=1)
ORCHARD, QUARRY = Scope(("orchard", "")), Scope(("quarry", ""))
Chooses = Callable[[Random, list[str], list[str]], str]


def the_one_with_the_words(random: Random, shown: list[str], by_words: list[str]) -> str:
    return by_words[0] if random.random() < 0.8 else random.choice(shown)


def any_of_them(random: Random, shown: list[str], by_words: list[str]) -> str:
    return random.choice(shown)


def log_of(project: str, chooses: Chooses, count: int = 150, at: datetime = records.MOMENT) -> None:
    """Answers of a project, ordered by words and vectors alike, with one used record each."""
    random = Random(project)
    own = records.project(project)
    rows = []
    for number in range(count):
        candidates = [f"obs_{place:02}" for place in range(20)]
        lexical, dense = random.sample(range(1, 21), 20), random.sample(range(1, 21), 20)
        by_words = [id for _, id in sorted(zip(lexical, candidates, strict=True))]
        fused = [1 / (10 + words) + 1 / (10 + vectors) for words, vectors in zip(lexical, dense, strict=True)]
        shown = [id for _, id in sorted(zip(fused, candidates, strict=True), reverse=True)]
        rows.append(
            RecallLog(
                project=own,
                asked_at=at,
                digest=hashlib.blake2b(f"{project} {number}".encode(), digest_size=16).digest(),
                shown=shown,
                candidates=candidates,
                ranks={"lexical": lexical, "dense": dense, "gone": [0] * 20},
                votes={"lexical": 1.0, "dense": 1.0},
                used=[chooses(random, shown, by_words)],
            )
        )
    RecallLog.objects.bulk_create(rows)


def fit(project: str = "orchard", now: datetime = NOW) -> StreamWeights | None:
    return fit_weights.fit_project(project, now=now, random=np.random.default_rng(1))


def in_use(scope: Scope = ORCHARD) -> dict[str, float]:
    weights.forget()
    return dict(weights.in_use(scope))


class TestAFit:
    def test_wins_where_words_find_what_is_used_and_counts_from_then_on(self) -> None:
        log_of("orchard", the_one_with_the_words)

        row = fit()

        assert row is not None
        assert (row.outcome, row.in_use, row.old) == ("won", True, {})
        assert row.old_score is not None
        assert row.new_score is not None
        assert row.least_gain is not None
        assert row.new_score > row.old_score + tunables.LEAST_GAIN
        assert row.least_gain > 0
        assert row.new["lexical"] > row.new["dense"]
        assert in_use() == row.new

    def test_loses_where_use_has_no_reason_and_is_kept_to_be_seen(self) -> None:
        log_of("orchard", any_of_them)

        row = fit()

        assert row is not None
        assert row.outcome in ("no_gain", "unsure", "same")
        assert not row.in_use
        assert row.old_score is not None
        assert row.new_score is not None
        assert in_use() == {}

    def test_keeps_the_old_weights_when_the_new_ones_lose(self) -> None:
        log_of("orchard", the_one_with_the_words)
        won = fit()
        assert won is not None
        RecallLog.objects.all().delete()
        log_of("orchard", any_of_them, count=100, at=NOW)

        lost = fit(now=NOW + timedelta(days=1))

        assert lost is not None
        assert not lost.in_use
        assert lost.old == won.new
        assert in_use() == won.new

    def test_touches_no_other_project(self) -> None:
        log_of("orchard", the_one_with_the_words)
        log_of("quarry", any_of_them)

        counts = jobs.fit_weights(NOW)

        assert counts == {"fits": 2, "won": 1, "failed": 0}
        assert in_use(ORCHARD)["lexical"] > in_use(ORCHARD)["dense"]
        assert in_use(QUARRY) == {}
        assert in_use(Scope(None)) == {}

    def test_needs_enough_questions(self) -> None:
        log_of("orchard", the_one_with_the_words, count=tunables.LEAST_QUESTIONS - 1)

        assert fit() is None
        assert not StreamWeights.objects.exists()

    def test_is_not_made_again_from_the_same_questions(self) -> None:
        log_of("orchard", any_of_them)
        assert fit() is not None

        assert fit(now=NOW + timedelta(days=1)) is None
        assert StreamWeights.objects.count() == 1

    def test_is_made_again_when_other_records_of_the_same_questions_were_used(self) -> None:
        log_of("orchard", any_of_them)
        assert fit() is not None
        RecallLog.objects.all().delete()
        log_of("orchard", the_one_with_the_words)

        row = fit(now=NOW + timedelta(days=1))

        assert row is not None
        assert row.outcome == "won"
        assert fit(now=NOW + timedelta(days=2)) is None

    def test_is_not_made_when_it_is_switched_off(self, configure: Any) -> None:
        log_of("orchard", the_one_with_the_words)
        assert fit() is not None

        configure(EVERLORE_LEARNED_WEIGHTS=False)

        assert in_use() == {}
        assert fit() is None

    def test_that_dies_in_the_middle_leaves_the_old_weights(self, monkeypatch: pytest.MonkeyPatch) -> None:
        log_of("orchard", the_one_with_the_words)
        won = fit()
        assert won is not None
        log_of("orchard", any_of_them, count=30, at=NOW)

        def dies(*_: Any, **__: Any) -> None:
            raise MemoryError

        monkeypatch.setattr(StreamWeights.objects, "create", dies)
        monkeypatch.setattr(fitting, "_outcome", lambda *_: "won")
        RecallLog.objects.filter(asked_at=NOW).update(digest=b"another question")
        with pytest.raises(MemoryError):
            fit(now=NOW + timedelta(days=1))

        assert in_use() == won.new
        assert StreamWeights.objects.get(in_use=True).pk == won.pk

    def test_is_dropped_when_somebody_decided_meanwhile(self, monkeypatch: pytest.MonkeyPatch) -> None:
        log_of("orchard", the_one_with_the_words)
        earlier = records.weights(new={"lexical": 2.0}, in_use=True)
        real = fitting.fit

        def meanwhile(*given: Any, **options: Any) -> Any:
            weights.reset("orchard", user="keeper", now=NOW)
            return real(*given, **options)

        monkeypatch.setattr(fitting, "fit", meanwhile)

        assert fit() is None
        assert in_use() == {}
        assert StreamWeights.objects.filter(pk=earlier.pk, in_use=False).exists()

    def test_leaves_the_last_ones_and_every_decision(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tunables, "KEEP_FITS", 2)
        decision = records.weights(outcome="reset", fitted_at=records.MOMENT - timedelta(days=9))
        old = [records.weights(outcome="unsure") for _ in range(3)]
        log_of("orchard", any_of_them)

        row = fit()

        assert row is not None
        assert set(StreamWeights.objects.values_list("pk", flat=True)) == {decision.pk, old[-1].pk, row.pk}

    def test_may_be_made_for_a_stream_that_is_gone(self) -> None:
        records.weights(new={"lexical": 2.0, "gone": 4.0}, in_use=True)
        log_of("orchard", the_one_with_the_words)

        row = fit()

        assert row is not None
        assert "gone" not in row.old
        assert "gone" not in row.new


class TestADecision:
    def test_to_go_back_counts_at_once_and_the_fit_starts_anew(self) -> None:
        log_of("orchard", the_one_with_the_words)
        assert fit() is not None

        assert weights.reset("orchard", user="keeper", now=NOW)

        assert in_use() == {}
        assert fit(now=NOW + timedelta(days=1)) is None  # all its questions are older than the decision
        entry = AuditEntry.objects.get(operation="weights")
        assert (entry.user_id, entry.target_ids) == ("keeper", ["orchard"])
        assert not weights.reset("orchard", user="keeper", now=NOW)

    def test_for_an_earlier_fit_uses_its_weights(self) -> None:
        first = records.weights(new={"lexical": 2.0})
        records.weights(new={"dense": 2.0}, in_use=True)

        row = weights.choose(first.pk, user="keeper", now=NOW)

        assert (row.outcome, row.old, row.new) == ("chosen", {"dense": 2.0}, {"lexical": 2.0})
        assert in_use() == {"lexical": 2.0}

    @pytest.mark.parametrize("act", [
        lambda: weights.reset("nowhere", user="keeper", now=NOW),
        lambda: weights.choose(0, user="keeper", now=NOW),
        lambda: weights.choose(records.weights(new={}).pk, user="keeper", now=NOW),
    ], ids=["no such project", "no such fit", "a fit without weights"])  # fmt: skip
    def test_about_what_is_not_there_is_refused(self, act: Callable[[], Any]) -> None:
        with pytest.raises(NotFound):
            act()


def test_learned_weights_change_the_votes_of_their_project_alone(
    owner: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner.ran("look", "quince")
    records.weights(new={"lexical": 0.5, "session_lexical": 4.0}, in_use=True)
    asked: list[Any] = []
    real = search.find

    def find(terms: Any, dense: Any, request: search.Request) -> search.Found:
        asked.append(request.weights)
        return real(terms, dense, request)

    monkeypatch.setattr(search, "find", find)

    for scope in (ORCHARD, QUARRY, Scope(None)):
        recall.recall("quince", scope=scope, limit=5, now=NOW, log=False)

    learned, other, every = asked
    assert other == every == recall.weights(None)
    assert learned["lexical"] == 0.5 * other["lexical"]
    assert learned["session_lexical"] == 4.0 * other["session_lexical"]
    assert learned["near_lexical"] == other["near_lexical"]


def test_from_search_and_use_through_rest_to_weights(owner: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "LEAST_QUESTIONS", 4)
    monkeypatch.setattr(fitting, "is_held_out", lambda question: int(question, 16) % 2 == 0)
    words = ["quince", "medlar", "pear", "plum", "cherry", "walnut", "hazel", "apple"]
    for n, word in enumerate(words):
        owner.ran(f"plant {word}", "in spring", sessionId=f"s{n}")
    for word in words:
        ids = owner.found(f"plant {word}", project="orchard", sessionId="asks")
        owner.post("smart-search", {"expandIds": ids[:1], "project": "orchard", "sessionId": "asks"})

    row = fit()

    assert row is not None
    assert row.questions == len(words)
    assert row.outcome == "same"
    assert row.old_score == row.new_score == pytest.approx(1.0)


class TestPruning:
    def test_old_recalls_go_and_surplus_ones_by_project_and_use(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tunables, "KEEP_RECALLS", 2)
        old = records.asked(asked_at=NOW - timedelta(days=tunables.KEEP_DAYS, seconds=1))
        kept = [
            records.asked(asked_at=NOW, project=project, used=used)
            for project in (None, records.project("quarry"))
            for used in ([], ["obs_1"])
            for _ in range(2)
        ]
        surplus = records.asked(asked_at=NOW - timedelta(minutes=1), project=records.project("quarry"))

        assert jobs.prune_recalls(NOW) == {"recalls": 2}

        assert set(RecallLog.objects.values_list("pk", flat=True)) == {row.pk for row in kept}
        assert old.pk not in {row.pk for row in kept}
        assert surplus.pk not in {row.pk for row in kept}
        assert jobs.prune_recalls(NOW) == {"recalls": 0}


class TestTheCommand:
    def test_shows_both_and_why(self, capsys: pytest.CaptureFixture[str]) -> None:
        log_of("orchard", the_one_with_the_words)
        jobs.fit_weights(NOW)

        call_command("weights", "--json")

        import json

        shown = json.loads(capsys.readouterr().out)["projects"]["orchard"]
        assert shown["answers"] == shown["used"] == 150
        row = shown["fits"][0]
        assert (row["outcome"], row["in_use"], row["old"]) == ("won", True, {})
        assert shown["in_use"] == row["new"]

    def test_fits_resets_and_chooses(self, capsys: pytest.CaptureFixture[str]) -> None:
        log_of("orchard", the_one_with_the_words)

        call_command("weights", "--project", "orchard", "--fit")
        won = in_use()
        assert won["lexical"] > won["dense"]
        call_command("weights", "--project", "orchard", "--reset")
        assert in_use() == {}
        call_command("weights", "--use", str(StreamWeights.objects.get(outcome="won").pk))

        assert in_use() == won
        text = capsys.readouterr().out
        assert "orchard" in text
        assert "lexical" in text
