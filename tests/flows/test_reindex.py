"""A rebuild makes the index anew beside the live one; what is saved meanwhile is in both."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from memory_core.flows import embed, embedding, reindex
from memory_core.index import backlog, spaces
from memory_core.models import EmbeddingSpace, EntryEmbedding, SearchEntry
from tests.fakes.client import Caller
from tests.fakes.embedder import HashingEmbedder, ThesaurusEmbedder

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]

LATER = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.fixture
def old() -> Iterator[ThesaurusEmbedder]:
    own = ThesaurusEmbedder()
    embedding.use(own)
    yield own
    embedding.use(None)


@pytest.fixture
def live(old: ThesaurusEmbedder) -> EmbeddingSpace:
    found = spaces.guard(old)
    assert found is not None
    return found


def clock() -> datetime:
    return LATER


def rebuilt(space: EmbeddingSpace) -> int:
    return reindex.vectors(space, HashingEmbedder(), clock=clock, progress=lambda _: None)


def test_the_new_space_is_complete_before_it_is_read(
    owner: Caller, old: ThesaurusEmbedder, live: EmbeddingSpace
) -> None:
    owner.remember("quinces are hard")
    owner.ran("echo", "pears")
    embed.drain_once(live, old, clock)
    fresh = reindex.space_for(HashingEmbedder())

    done = rebuilt(fresh)

    assert (done, spaces.active()) == (2, live)
    assert reindex.activate(fresh) == [live]
    assert spaces.active() == fresh
    reindex.delete_space(live)
    assert set(EntryEmbedding.objects.values_list("space_id", flat=True)) == {fresh.pk}


def test_what_a_worker_held_at_the_swap_waits_for_the_new_space(
    owner: Caller, old: ThesaurusEmbedder, live: EmbeddingSpace
) -> None:
    fresh = reindex.space_for(HashingEmbedder())
    owner.remember("quinces are hard")
    claims = backlog.claim(LATER, 10)
    reindex.activate(fresh)

    with pytest.raises(embed.Interrupted):
        embed.embed_claims(claims, live, old, clock)

    assert backlog.waiting() == (1, 0)
    assert not EntryEmbedding.objects.exists()
    assert rebuilt(fresh) == 1


def test_words_come_from_the_records_and_strays_go(owner: Caller) -> None:
    owner.remember("quinces are hard")
    known = SearchEntry.objects.get()
    SearchEntry.objects.filter(pk=known.pk).update(object_id="mem_gone")

    assert reindex.words(clock=clock, progress=lambda _: None) == 1

    assert SearchEntry.objects.get().object_id == known.object_id
    assert owner.found("quince")
