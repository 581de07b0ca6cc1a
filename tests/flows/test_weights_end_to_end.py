"""From questions through recall, over what is opened, to votes that serve the next questions better; chance changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from random import Random
from types import MappingProxyType

import numpy as np
import pytest
from pytest_django import Settings

from memory_core.domain.scope import Scope
from memory_core.flows import access, embed, embedding, fit_weights, recall, recall_log, weights
from memory_core.index import spaces
from memory_core.models import RecallLog, StreamWeights
from tests.fakes import records
from tests.fakes.client import Caller
from tests.fakes.embedder import ThesaurusEmbedder

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

logger = logging.getLogger("everlore.tests")  # --log-cli-level=info shows the figures of docs/adr/0024
ORCHARD = Scope(("orchard", ""))
TOPICS, LEARNED_FROM = 150, 110
NOW = records.MOMENT + timedelta(days=1)
Chooses = Callable[[Random, Sequence[str], str], str]
"""From what an answer shows and the record that serves: which one is opened."""


class Meanings(ThesaurusEmbedder):
    """Knows that what a question calls `ask7` is `mean7` in the record that serves."""

    same = MappingProxyType({f"mean{topic}": f"ask{topic}" for topic in range(TOPICS)})


@pytest.fixture
def served(owner: Caller, settings: Settings) -> list[str]:
    """By topic the record that serves: it means what is asked for in other words, and two others have the word by the way."""
    model = Meanings()
    embedding.use(model)
    space = spaces.guard(model)
    assert space is not None
    random = Random(7)
    ids = []
    for topic in range(TOPICS):
        for name in ("left", "right"):
            by_the_way = " ".join(f"other{random.randrange(900)}" for _ in range(14))
            owner.ran(f"note {name}", f"ask{topic} {by_the_way}", sessionId=f"{name}{topic}")
        ids.append(owner.ran("note", f"mean{topic}", sessionId=f"own{topic}")["observationId"])
    while embed.drain_once(space, model, lambda: NOW.replace(year=2100)):
        pass
    settings.SECRET_KEY = "the same questions are held out in every run"
    return ids


def shown(topic: int, *, log: bool = False, minute: int = 0) -> list[str]:
    moment = NOW + timedelta(minutes=minute)
    found = recall.recall(f"ask{topic}", scope=ORCHARD, limit=10, now=moment, log=log, session=f"asks{topic}")
    return [hit.object_id for hit in found.hits]


def use(served: Sequence[str], chooses: Chooses) -> None:
    """Each topic is asked for once, and one of the records shown is opened."""
    random = Random(11)
    for topic in range(LEARNED_FROM):
        recall_log.forget_budget()
        ids = shown(topic, log=True, minute=topic)
        moment = NOW + timedelta(minutes=topic, seconds=20)
        recall.note_use([chooses(random, ids, served[topic])], scope=ORCHARD, session=f"asks{topic}", now=moment)
    access.flush()


def reciprocal_rank(served: Sequence[str]) -> float:
    """Of the record that serves, on average, for the topics that nobody has asked for."""
    weights.forget()
    ranks = [shown(topic).index(served[topic]) + 1 for topic in range(LEARNED_FROM, TOPICS)]
    return float(np.mean(1 / np.array(ranks)))


def fit() -> StreamWeights:
    row = fit_weights.fit_project("orchard", now=NOW + timedelta(days=1), random=np.random.default_rng(1))
    assert row is not None
    return row


def what_serves(random: Random, ids: Sequence[str], serves: str) -> str:
    return serves if serves in ids and random.random() < 0.8 else random.choice(ids)


def any_of_them(random: Random, ids: Sequence[str], serves: str) -> str:
    return random.choice(ids)


def test_votes_follow_the_stream_that_serves_and_chance_moves_none(served: list[str]) -> None:
    before = reciprocal_rank(served)

    use(served, any_of_them)
    chance = fit()
    assert not chance.in_use
    assert reciprocal_rank(served) == before

    RecallLog.objects.all().delete()
    use(served, what_serves)
    learned = fit()
    after = reciprocal_rank(served)

    for row in (chance, learned):
        logger.info("%s: %s to %s, at least %s; %s", row.outcome, row.old_score, row.new_score, row.least_gain, row.new)
    logger.info("Reciprocal rank of new questions: %s, then %s", before, after)
    assert (learned.outcome, learned.in_use) == ("won", True)
    assert learned.new["dense"] > learned.new["lexical"]
    assert (learned.new_score or 0) > (learned.old_score or 1)
    assert after > before + 0.1
