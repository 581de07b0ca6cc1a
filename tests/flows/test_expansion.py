"""A question finds what it calls by another name, sees no further for it, and what a group of synonyms brings is counted."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.db import connections

from memory_core.flows import access
from memory_core.flows import recall as flow
from memory_core.index import statistics
from memory_core.models import AccessLog, SynonymGroupUse
from memory_core.sql.expansion import COUNT_GROUP_USES
from memory_core.text import synonyms
from tests.api.conftest import Configure
from tests.fakes import records
from tests.fakes.client import Caller
from tests.fakes.statements import listening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only", "own_images")]
THREADS = 6


@pytest.fixture(autouse=True)
def only_words(configure: Configure, tmp_path: Path) -> None:
    """The graph is not asked, and the synonyms are these."""
    path = tmp_path / "synonyms.txt"
    path.write_text("k8s kubernetes kube\npear pyrus\n")
    configure(EVERLORE_LINKED_WEIGHT=0, EVERLORE_SYNONYMS_FILE=str(path))


def kept(owner: Caller, *contents: str, **where: str | None) -> list[str]:
    """The ids of memories with these contents, counted."""
    answers = [owner.remember(content, **where) for content in contents]
    assert {answer.status for answer in answers} == {201}
    while statistics.count_pending():
        pass
    return [answer["memory"]["id"] for answer in answers]


def asked(query: str, *, log: bool = True, agent: str | None = None, project: str = "orchard") -> list[str]:
    scope = flow.scope_of(project, agent)
    return [hit.object_id for hit in flow.recall(query, scope=scope, limit=10, now=records.MOMENT, log=log).hits]


def test_a_synonym_finds_what_is_called_otherwise_here(owner: Caller) -> None:
    other, _ = kept(owner, "The kubernetes cluster runs in Oslo", "The walnut needs room")

    assert asked("k8s") == [other]


def test_a_longer_or_shorter_form_finds_what_the_stem_does_not(owner: Caller) -> None:
    longer, shorter, _ = kept(
        owner, "The configuration is strict", "Please dedup the harvest list", "The walnut needs room"
    )

    assert asked("config") == [longer]
    assert asked("deduplication") == [shorter]


@pytest.mark.parametrize(("setting", "query"), [("EVERLORE_SYNONYMS", "k8s"), ("EVERLORE_PREFIXES", "config")])
def test_each_way_can_be_switched_off(owner: Caller, configure: Configure, setting: str, query: str) -> None:
    kept(owner, "The kubernetes configuration is strict", "The walnut needs room")
    assert asked(query) != []

    configure(**{setting: False})

    assert asked(query) == []


def test_the_word_itself_is_enough_where_it_is_known(owner: Caller) -> None:
    named, _ = kept(owner, "Our k8s cluster runs in Oslo", "The kubernetes handbook lies in the shed")

    assert asked("k8s") == [named]


def test_a_question_whose_words_are_known_asks_the_database_no_more_than_before(
    owner: Caller, configure: Configure
) -> None:
    kept(owner, "Our k8s configuration is strict", "The walnut needs room")
    asked("walnut")

    with listening() as wide:
        asked("k8s configuration")
    configure(EVERLORE_SYNONYMS=False, EVERLORE_PREFIXES=False)
    with listening() as narrow:
        asked("k8s configuration")

    own = [[text for text, _ in heard if not text.startswith("SAVEPOINT")] for heard in (wide, narrow)]
    assert own[0] == own[1]


def test_unknown_words_cost_two_statements_however_many_they_are(owner: Caller) -> None:
    kept(owner, "The walnut needs room")
    asked("walnut")

    counts = []
    for query in ("walnut", "walnut zeppelin", "walnut zeppelin submarine locomotive tricycle"):
        with listening() as heard:
            asked(query)
        counts.append(len(heard))

    assert counts == [counts[0], counts[0] + 2, counts[0] + 2]


@pytest.mark.parametrize("query", ["k8s", "config"])
def test_no_word_of_another_project_is_asked_for(owner: Caller, query: str) -> None:
    kept(owner, "The walnut needs room")
    kept(owner, "The kubernetes configuration is strict", project="quarry")
    scope = flow.scope_of("orchard", None)

    found = flow.recall(query, scope=scope, limit=10, now=records.MOMENT, explain=True)

    assert found.hits == []
    assert SynonymGroupUse.objects.count() == 0


def test_no_word_of_another_agent_is_read_for_a_longer_form() -> None:
    kept(Caller("mine"), "The configurator is mine")
    kept(Caller("theirs"), "Their configuration is strict", "Another configuration is strict, too", agentId="theirs")

    with listening() as heard:
        found = flow.recall(
            "configurat", scope=flow.scope_of("orchard", "mine"), limit=10, now=records.MOMENT, explain=True
        )

    longer = [parameters for text, parameters in heard if "tsvector_to_array" in text and "words" in (parameters or {})]
    assert [parameters["agent"] for parameters in longer] == ["mine"]
    assert {hit.agent for hit in found.hits} <= {"mine"}


def test_the_global_project_gives_words_to_every_project(owner: Caller) -> None:
    (everywhere,) = kept(owner, "The kubernetes configuration is strict", project=None)
    kept(owner, "The walnut needs room")

    assert asked("k8s") == asked("config") == [everywhere]


@pytest.mark.parametrize("word", ["o'config", "config\\", "con:*fig", "100%config", "config_", "con\x00fig", "'"])
def test_a_hostile_word_is_asked_for_as_a_word(owner: Caller, word: str) -> None:
    kept(owner, "The walnut needs room")

    assert owner.post("smart-search", {"query": f"{word} walnut"}).status == 200


def test_a_group_is_counted_once_a_question_with_whether_it_was_needed(owner: Caller) -> None:
    kept(owner, "The kubernetes cluster runs in Oslo", "The walnut needs room")

    asked("k8s k8s")
    asked("k8s walnut")
    asked("walnut")

    (row,) = SynonymGroupUse.objects.all()
    assert (row.group, row.asked, row.hits, row.last_used_at) == ("k8s kubernetes kube", 2, 2, records.MOMENT)


def test_a_group_that_brought_nothing_into_the_answer_is_asked_but_not_needed(owner: Caller) -> None:
    kept(owner, "The walnut needs room")
    expansion = synonyms.load("").groups[0].name

    COUNT_GROUP_USES.run(
        {"uses": f'[{{"group": "{expansion}", "ids": [], "synonyms": "a", "sources": "b", "ms": 1000}}]'}
    )

    assert list(SynonymGroupUse.objects.values_list("asked", "hits")) == [(1, 0)]


@pytest.mark.parametrize(
    ("texts", "needed"),
    [
        pytest.param(["kube"], 1, id="the synonym alone"),
        pytest.param(["kube", "k8s"], 0, id="both, in different pieces of one record"),
        pytest.param(["k8s"], 0, id="the word alone"),
    ],
)
def test_a_record_counts_when_no_piece_of_it_has_the_word_itself(texts: list[str], needed: int) -> None:
    for piece, text in enumerate(texts):
        records.entry("mem_1", kind="memory", piece=piece, terms=text)

    uses = '[{"group": "g h", "ids": ["mem_1"], "synonyms": "\'kube\'", "sources": "\'k8s\'", "ms": 1000}]'
    COUNT_GROUP_USES.run({"uses": uses})

    assert SynonymGroupUse.objects.get().hits == needed


def test_a_question_that_is_not_logged_counts_nothing(owner: Caller) -> None:
    kept(owner, "The kubernetes cluster runs in Oslo")

    assert asked("k8s", log=False) != []
    assert SynonymGroupUse.objects.count() == AccessLog.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_uses_that_are_counted_in_the_background_are_written_when_it_stops(owner: Caller) -> None:
    kept(owner, "The kubernetes cluster runs in Oslo")
    access.start()

    asked("k8s")
    asked("k8s")
    access.stop()

    assert SynonymGroupUse.objects.get().asked == 2


@pytest.mark.django_db(transaction=True)
def test_questions_at_once_are_all_counted(owner: Caller) -> None:
    kept(owner, "The kubernetes cluster runs in Oslo", "The pyrus blooms")
    together = Barrier(THREADS)

    def ask(number: int) -> None:
        try:
            together.wait(timeout=30)
            asked("k8s pear" if number % 2 else "pear k8s")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(ask, range(THREADS)))

    assert set(SynonymGroupUse.objects.values_list("group", "asked", "hits")) == {
        ("k8s kubernetes kube", THREADS, THREADS),
        ("pear pyrus", THREADS, THREADS),
    }


def test_an_explained_hit_names_the_words_that_stand_in_it(owner: Caller) -> None:
    first, second = kept(
        owner, "The kubernetes configuration of the 数据库 is strict", "A configuration of parsePears is odd"
    )
    question = "k8s Configurations, 数据 parsePears zeppelin"

    answer = owner.post("smart-search", {"query": question, "project": "orchard", "explain": True})

    words = {row["obsId"]: row["matchedTerms"] for row in answer["results"]}
    assert {"word": "kubernetes", "of": "k8s", "by": "synonym"} in words[first]
    assert {"word": "Configurations"} in words[first]
    assert {"word": "数据"} in words[first]
    assert {"word": "parsePears"} in words[second]
    assert not any("zeppelin" in str(own) for own in words.values())
    assert not any(match.get("of") for match in words[second])


def test_an_explained_hit_names_the_form_that_stands_for_a_word(owner: Caller) -> None:
    kept(owner, "The configuration is strict")

    answer = owner.post("search", {"query": "config", "project": "orchard", "explain": True})

    assert answer["results"][0]["matchedTerms"] == [{"word": "configur", "of": "config", "by": "prefix"}]


def test_an_answer_that_is_not_to_be_explained_names_no_words(owner: Caller) -> None:
    kept(owner, "The configuration is strict")

    assert "matchedTerms" not in owner.post("smart-search", {"query": "strict"})["results"][0]
