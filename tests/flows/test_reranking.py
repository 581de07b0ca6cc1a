"""A cross-encoder looks again at the best of what was found, where it can; else the order stays, and the answer says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memory_core.domain import tunables_rerank as tunables
from memory_core.domain.errors import ProviderError
from memory_core.domain.scope import Scope
from memory_core.flows import recall, reranking
from memory_core.index import entries, statistics
from tests.fakes import records
from tests.fakes.client import Caller

Configure = Callable[..., None]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]
START = datetime(2026, 5, 4, 9, tzinfo=UTC)
Judge = Callable[[str], float]


class Judging:
    """A reranker that judges passages as it is told, and remembers them."""

    available, reason, model = True, "", "judge"
    scripts = frozenset({"Latin"})

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.seen: list[str] = []

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        self.seen += passages
        return np.array([self.judge(passage) for passage in passages], dtype=np.float32)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return [(place, place + 1) for place, sign in enumerate(text) if not sign.isspace()]

    def room(self, question: str) -> int:
        return 200


@pytest.fixture(autouse=True)
def taken_up_where_it_is(configure: Configure, settings: Any, tmp_path: Path) -> Iterator[None]:
    """As a default instance is, on a machine without a model; nothing is left to the next test."""
    configure(EVERLORE_RERANKER_MODEL="")
    settings.MODELS_DIR = tmp_path
    yield
    reranking.use(None)


def kept(id: str, text: str, *, raw: str = "") -> None:
    own = records.session(f"s_{id}", project=records.project("orchard"))
    records.observation(
        id,
        session=own,
        timestamp=START,
        hook_type="notification",
        narrative=text,
        title=text[:20],
        raw={"message": raw or text},
    )
    entries.add(
        entries.Searchable("observation", id, "orchard", "", own.pk, START, entries.analyse(raw or text)), now=START
    )


def corpus(others: int = tunables.FROM_ENTRIES) -> None:
    """Three answers by the words, in this order, among others that are none."""
    kept("obs_first", "quince jam, quince jelly, quince")
    kept("obs_second", "quince jam and bread")
    kept("obs_third", "a quince among many other fruits of the garden")
    for number in range(others):
        kept(f"obs_other_{number:03}", f"something else, number {number}")


def asked(query: str = "quince jam") -> recall.Answer:
    while statistics.count_pending():
        pass
    return recall.recall(query, scope=Scope(("orchard", ""), None), limit=10, now=START + timedelta(days=1), log=False)


def ids(answer: recall.Answer) -> list[str]:
    return [hit.object_id for hit in answer.hits]


def test_what_the_model_prefers_comes_first_and_says_where_it_stood() -> None:
    corpus()
    before = ids(asked())
    reranking.use(Judging(lambda passage: 9.0 if "garden" in passage else -4.0))

    answer = asked()

    assert before[0] == "obs_first"
    assert sorted(ids(answer)) == sorted(before)
    assert ids(answer)[0] == "obs_third"
    assert answer.hits[0].reranked is not None
    assert (answer.hits[0].reranked.before, answer.hits[0].reranked.score) == (before.index("obs_third") + 1, 9.0)
    assert "reranker" not in answer.degraded


def test_what_was_cut_is_read_whole_where_the_words_stand() -> None:
    corpus()
    long = "plain talk " * 60 + "the quince jam is on the top shelf"
    kept("obs_long", long[:399] + "…", raw=long)
    judge = Judging(lambda passage: 1.0 if "top shelf" in passage else 0.0)
    reranking.use(judge)

    answer = asked("quince jam shelf")

    assert any("top shelf" in passage and len(passage) < len(long) for passage in judge.seen)
    assert ids(answer)[0] == "obs_long"


def test_a_small_scope_is_left_alone() -> None:
    corpus(others=5)
    judge = Judging(lambda passage: 1.0)
    reranking.use(judge)

    answer = asked()

    assert (judge.seen, answer.degraded.get("reranker")) == ([], None)


def test_a_question_that_the_model_cannot_read_is_left_alone() -> None:
    corpus()
    kept("obs_zh", "果酱在架子上")
    judge = Judging(lambda passage: 1.0)
    reranking.use(judge)

    answer = asked("果酱在哪里")

    assert judge.seen == []
    assert ids(answer)[0] == "obs_zh"


def test_records_that_the_model_cannot_read_are_left_alone() -> None:
    for number in range(tunables.FROM_ENTRIES):
        kept(
            f"obs_zh_{number:03}",
            f"{number} 号果园的记录写在厨房最上面的架子旁边的本子里, 已经很久没有人去看过它们了, quince 除外",
        )
    judge = Judging(lambda passage: 1.0)
    reranking.use(judge)

    answer = asked("quince")

    assert (judge.seen, len(answer.hits), answer.degraded.get("reranker")) == ([], 10, None)


def test_only_the_best_are_read_and_the_others_stay_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables, "TOP", 2)
    corpus()
    before = ids(asked())
    judge = Judging(lambda passage: 9.0 if "bread" in passage else 0.0)
    reranking.use(judge)

    answer = asked()

    assert len(judge.seen) == 2
    assert ids(answer) == [before[1], before[0], *before[2:]]
    assert [hit.reranked is None for hit in answer.hits] == [False, False, *[True] * (len(before) - 2)]


def test_what_the_page_would_not_have_shown_can_come_first() -> None:
    corpus()
    reranking.use(Judging(lambda passage: 9.0 if "garden" in passage else -4.0))
    while statistics.count_pending():
        pass

    answer = recall.recall("quince jam", scope=Scope(("orchard", ""), None), limit=1, now=START, log=False)

    assert ids(answer) == ["obs_third"]


def test_a_request_that_asks_to_explain_is_told_what_the_model_did(owner: Caller) -> None:
    corpus()
    reranking.use(Judging(lambda passage: 9.0 if "garden" in passage else -4.0))
    while statistics.count_pending():
        pass

    told = owner.post("smart-search", {"query": "quince jam", "project": "orchard", "explain": True})["results"]
    silent = owner.post("smart-search", {"query": "quince jam", "project": "orchard"})["results"]

    assert told[0]["obsId"] == "obs_third"
    assert told[0]["reranker"] == {"before": 3, "score": 9.0}
    assert {row["reranker"]["before"] for row in told} == set(range(1, len(told) + 1))
    assert not any("reranker" in row for row in silent)


def test_a_model_that_does_not_keep_up_rests_and_is_asked_again_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus()
    now = 1000.0

    def slow(passage: str) -> float:
        nonlocal now
        now += tunables.BUDGET_SECONDS / 2  # three passages take one and a half times as long as they may
        return 0.0

    judge = Judging(slow)
    reranking.use(judge)
    monkeypatch.setattr(reranking, "time", SimpleNamespace(monotonic=lambda: now))

    answers = [asked() for _ in range(tunables.PACE_RUNS + 1)]
    seen = len(judge.seen)
    now += tunables.REST_SECONDS
    afterwards = asked()

    assert [answer.degraded.get("reranker", "") != "" for answer in answers] == [False] * tunables.PACE_RUNS + [True]
    assert "3.8 s for a question" in answers[-1].degraded["reranker"]
    assert seen == 3 * tunables.PACE_RUNS
    assert ("reranker" in afterwards.degraded, len(judge.seen)) == (False, seen + 3)


def test_a_server_starts_with_a_model_that_fails(caplog: pytest.LogCaptureFixture) -> None:
    def fails(passage: str) -> float:
        raise ProviderError("the graph does not run")

    corpus()
    reranking.use(Judging(fails))

    reranking.warm()

    assert "the graph does not run" in caplog.text
    assert asked().degraded["reranker"] == "the graph does not run"


@pytest.mark.parametrize(("wanted", "passages"), [(True, ["warm"]), (False, [])])
def test_a_server_warms_the_model_that_it_will_use(configure: Configure, wanted: bool, passages: list[str]) -> None:
    judge = Judging(lambda passage: 0.0)
    reranking.use(judge)
    configure(RERANK_ENABLED=wanted)

    reranking.warm()

    assert judge.seen == passages


def test_a_model_that_fails_leaves_the_order_and_rests() -> None:
    corpus()
    before = ids(asked())
    calls: list[str] = []

    def fails(passage: str) -> float:
        calls.append(passage)
        raise ProviderError("the graph does not run")

    reranking.use(Judging(fails))

    first, second = asked(), asked()

    assert ids(first) == ids(second) == before
    assert first.degraded["reranker"] == second.degraded["reranker"] == "the graph does not run"
    assert len(calls) == 1


def test_a_model_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus()
    before = ids(asked())
    monkeypatch.setattr(tunables, "MOST_SECONDS", -1.0)
    judge = Judging(lambda passage: 1.0)
    reranking.use(judge)

    answer = asked()

    assert (ids(answer), judge.seen) == (before, [])
    assert "took longer" in answer.degraded["reranker"]


def test_an_instance_without_a_model_says_so_over_http(owner: Caller) -> None:
    corpus()
    while statistics.count_pending():
        pass

    answer = owner.post("smart-search", {"query": "quince jam"})

    assert "cross-encoder" in answer["degraded"]["reranker"]


@pytest.mark.parametrize(("name", "value"), [("EVERLORE_RERANKER_MODEL", "none"), ("RERANK_ENABLED", False)])
def test_an_instance_that_wants_none_says_nothing_and_asks_none(configure: Configure, name: str, value: object) -> None:
    corpus()
    judge = Judging(lambda passage: 1.0)
    reranking.use(judge)
    configure(**{name: value})

    assert ("reranker" in asked().degraded, judge.seen) == (False, [])
