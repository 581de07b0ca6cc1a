"""What is saved is found by its meaning a moment later; a model that fails never costs a save or a search."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.db import connection

from memory_core.domain import tunables_index as tunables
from memory_core.domain import tunables_recall
from memory_core.domain.errors import WidthMismatch
from memory_core.flows import embed, embedding
from memory_core.index import backlog, spaces
from memory_core.models import EmbeddingBacklog, EmbeddingCache, EmbeddingSpace, EntryEmbedding
from memory_core.providers.embedding.null import NullEmbedder
from memory_core.retrieve import search
from tests.api.conftest import Configure
from tests.fakes import records
from tests.fakes.client import Caller
from tests.fakes.embedder import HashingEmbedder, ThesaurusEmbedder
from tests.fakes.statements import listening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

LATER = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.fixture
def model() -> Iterator[ThesaurusEmbedder]:
    own = ThesaurusEmbedder()
    embedding.use(own)
    yield own
    embedding.use(None)


@pytest.fixture
def space(model: ThesaurusEmbedder) -> EmbeddingSpace:
    found = spaces.guard(model)
    assert found is not None
    return found


def drain(space: EmbeddingSpace, model: ThesaurusEmbedder, at: datetime = LATER) -> int:
    return embed.drain_once(space, model, lambda: at)


class TestFound:
    def test_by_meaning_once_the_backlog_is_drained(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        memory = owner.remember("red automobile")["memory"]["id"]
        before = owner.found("vehicle")

        drained = drain(space, model)

        assert (before, drained) == ([], 1)
        assert owner.found("vehicle") == [memory]
        assert EmbeddingBacklog.objects.count() == 0

    def test_by_what_stands_late_in_a_long_text(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        long = owner.remember("weather is fine today. " * 100 + "\n\nautomobile automobile automobile")["memory"]["id"]
        owner.remember("weather is fine")

        drain(space, model)

        assert EntryEmbedding.objects.filter(entry__object_id=long).count() > 1
        assert owner.found("vehicle vehicle")[0] == long

    def test_and_agreement_of_words_and_meaning_scores_above_one(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        owner.remember("red car")
        drain(space, model)

        row = owner.post("smart-search", {"query": "red car"})["results"][0]

        assert row["score"] == pytest.approx(1.05)

    def test_in_its_own_directory_however_many_are_nearer_elsewhere(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tunables_recall, "LEAST_DEPTH", 2)
        for number in range(5):
            owner.prompted("crimson automobile", sessionId=f"s{number}")
        own = owner.prompted(
            "a long text about the weather and a crimson automobile", sessionId="own", cwd="/elsewhere"
        )
        drain(space, model)

        answer = owner.post("search", {"query": "red car", "cwd": "/elsewhere", "limit": 1, "format": "compact"})

        assert [row["obsId"] for row in answer["results"]] == [own["observationId"]]

    def test_only_in_its_own_project_and_by_its_own_agent(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        mine = owner.remember("red automobile")["memory"]["id"]
        theirs = Caller("stranger", "quarry").remember("blue automobile")["memory"]["id"]
        drain(space, model)

        assert owner.found("vehicle", project="orchard") == [mine]
        assert owner.found("vehicle", agentId="stranger") == [theirs]

    def test_memories_before_observations(self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace) -> None:
        owner.prompted("first seen")
        memory = owner.remember("then saved")["memory"]["id"]

        assert [claim.object_id for claim in backlog.claim(LATER, 1)] == [memory]


class TestEqualText:
    def test_is_embedded_once(self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace) -> None:
        for project in ("a", "b", "c"):
            owner.remember("red automobile", project=project)
        drain(space, model)
        owner.remember("red automobile", project="d")
        drain(space, model)

        assert len(model.embedded) == 1
        assert EntryEmbedding.objects.count() == 4
        assert EmbeddingCache.objects.count() == 1

    def test_in_another_space_is_embedded_anew(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        other = records.space(model="other", dimensions=model.dimensions)

        for one in (space, other):
            embed.embed_texts(["red automobile"], one, model, LATER)

        assert len(model.embedded) == 2

    def test_comes_back_from_the_cache_as_it_was(self, model: ThesaurusEmbedder, space: EmbeddingSpace) -> None:
        fresh = embed.embed_texts(["red automobile"], space, model, LATER)[0]

        kept = embed.embed_texts(["red automobile"], space, model, LATER)[0]

        assert float(np.dot(fresh, kept)) == pytest.approx(1, abs=1e-3)


class TestFailing:
    def test_a_save_does_not_notice(self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace) -> None:
        model.fails_on = ""

        memory = owner.remember("red automobile")["memory"]["id"]
        drain(space, model)

        assert owner.found("red") == [memory]
        assert EmbeddingBacklog.objects.get().last_error == "cannot embed ''"

    def test_one_bad_text_does_not_hold_up_the_others(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        model.fails_on = "poison"
        for word in ("red", "poison", "blue"):
            owner.remember(f"{word} automobile", project=word)

        assert drain(space, model) == 3

        left = EmbeddingBacklog.objects.get()
        assert left.entry.project_id == "poison"
        assert EntryEmbedding.objects.count() == 2

    def test_it_is_tried_again_later_and_later(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        model.fails_on = ""
        owner.remember("red automobile")
        now, pauses = LATER, []

        while drain(space, model, now):
            waiting = EmbeddingBacklog.objects.get()
            pauses.append((waiting.not_before - now).total_seconds())
            assert drain(space, model, waiting.not_before - timedelta(milliseconds=1)) == 0
            now = waiting.not_before

        assert pauses == [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0]
        assert (waiting.attempts, waiting.failed) == (tunables.EMBED_MOST_ATTEMPTS, True)
        assert backlog.waiting() == (0, 1)

    def test_it_is_found_by_meaning_when_the_model_is_back(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        model.fails_on = ""
        memory = owner.remember("red automobile")["memory"]["id"]
        drain(space, model)
        model.fails_on = None

        drain(space, model, LATER + timedelta(seconds=2))

        assert owner.found("vehicle") == [memory]

    def test_a_question_that_cannot_be_embedded_goes_by_words_and_says_so(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        owner.remember("red automobile")
        drain(space, model)

        def broken(self: ThesaurusEmbedder, text: str) -> None:
            self.embed_documents([text])

        monkeypatch.setattr(ThesaurusEmbedder, "embed_query", broken)
        model.fails_on = ""

        answer = owner.post("smart-search", {"query": "red"})

        assert len(answer["results"]) == 1
        assert answer["degraded"] == {"dense": "cannot embed ''"}


class TestGone:
    def test_an_entry_that_was_forgotten_while_it_was_embedded_gets_no_vector(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        memory = owner.remember("red automobile")["memory"]["id"]
        claims = backlog.claim(LATER)
        owner.post("forget", {"memoryId": memory})

        embed.embed_claims(claims, space, model, lambda: LATER)

        assert EntryEmbedding.objects.count() == EmbeddingBacklog.objects.count() == 0

    def test_superseding_takes_the_old_vectors_and_the_old_place_in_the_backlog(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        owner.remember("one red automobile")
        drain(space, model)
        owner.remember("one red  automobile")
        newest = owner.remember("one red   automobile")["memory"]["id"]

        drain(space, model)

        assert list(EntryEmbedding.objects.values_list("entry__object_id", flat=True)) == [newest]
        assert owner.found("vehicle") == [newest]

    def test_a_claim_of_a_worker_that_died_comes_back(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        owner.remember("red automobile")
        assert len(backlog.claim(LATER)) == 1

        assert drain(space, model, LATER + timedelta(seconds=tunables.EMBED_LEASE_SECONDS - 1)) == 0
        assert drain(space, model, LATER + timedelta(seconds=tunables.EMBED_LEASE_SECONDS)) == 1


class TestGuard:
    def test_the_first_model_makes_the_space(self, space: EmbeddingSpace) -> None:
        assert (space.provider, space.model, space.dimensions, space.active) == ("fake", "hashing", 64, True)
        assert spaces.guard(ThesaurusEmbedder()) == space

    @pytest.mark.usefixtures("space")
    def test_another_width_is_refused_with_three_ways_out(self) -> None:
        with pytest.raises(WidthMismatch) as refusal:
            spaces.guard(HashingEmbedder(32))

        text = str(refusal.value)
        assert "from hashing (64 wide)" in text
        assert "hashing (32 wide)" in text
        assert [line.strip()[:2] for line in text.splitlines()[1:]] == ["1.", "2.", "3."]
        for way in ("EVERLORE_EMBEDDING_MODEL=hashing", "everlore reindex", "EVERLORE_EMBEDDING_MODEL=none"):
            assert way in text

    def test_without_a_model_the_space_stays(self, space: EmbeddingSpace) -> None:
        assert spaces.guard(NullEmbedder("none here")) == space

    def test_a_question_of_another_model_is_not_compared(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        owner.remember("red automobile")
        drain(space, model)
        embedding.use(HashingEmbedder(32))

        answer = owner.post("smart-search", {"query": "vehicle"})

        assert answer["results"] == []
        assert answer["degraded"] == {"dense": "nothing has been embedded with this model yet"}


class TestVotes:
    def test_a_model_has_no_vote_on_what_it_cannot_read(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace
    ) -> None:
        chinese = owner.remember("用户喜欢深色主题")["memory"]["id"]
        owner.remember("red automobile")
        drain(space, model)

        assert owner.found("深色主题") == [chinese]

    def test_nor_when_its_weight_is_nothing(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace, configure: Configure
    ) -> None:
        configure(EVERLORE_DENSE_WEIGHT=0)
        owner.remember("red automobile")
        drain(space, model)

        assert owner.found("vehicle") == []

    def test_words_have_none_when_theirs_is_nothing(
        self, owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace, configure: Configure
    ) -> None:
        configure(EVERLORE_LEXICAL_WEIGHT=0)
        owner.remember("red automobile")
        assert owner.found("red") == []

        drain(space, model)

        assert len(owner.found("red")) == 1


def test_what_cannot_take_part_is_said(owner: Caller) -> None:
    embedding.use(NullEmbedder("the model is not on this machine"))

    answer = owner.post("search", {"query": "red"})

    assert answer["degraded"] == {"dense": "the model is not on this machine"}


@pytest.mark.slow
def test_the_exact_scan_and_the_index_give_the_same(
    owner: Caller, model: ThesaurusEmbedder, space: EmbeddingSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("oak", "elm", "fir", "yew", "ash", "bay", "fig", "gum")
    for number in range(60):
        owner.remember(" ".join(words[(number * step) % 8] for step in (1, 3, 5)) + f" n{number}", project=f"p{number}")
    while drain(space, model):
        pass
    exact = owner.found("elm yew bay")
    monkeypatch.setattr("memory_core.domain.tunables_recall.EXACT_LIMIT", -1)
    search.forget_sizes()
    with connection.cursor() as cursor:  # so small a table would be scanned
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_sort = off")

    with listening() as heard:
        approximate = owner.found("elm yew bay")

    assert approximate == exact
    assert len(exact) == 20
    asked = next(one for one in heard if "<=>" in one[0])
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + asked[0], asked[1])
        assert f"everlore_space_{space.pk}" in "\n".join(row[0] for row in cursor.fetchall())
