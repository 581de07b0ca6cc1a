"""A record that shares no word with the question is found through what the project's records name together."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError

from memory_core.domain import tunables_recall
from memory_core.domain.scope import Scope
from memory_core.flows import embed, embedding, link, recall
from memory_core.index import spaces, statistics
from memory_core.models import GraphNode
from memory_core.sql.statement import Statement
from tests.api.conftest import Configure
from tests.fakes.client import Caller
from tests.fakes.embedder import ThesaurusEmbedder
from tests.fakes.records import MOMENT
from tests.fakes.statements import listening

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("words_only", "own_images")]

QUESTION = "why was Quillfeather slow?"
"""Names one thing. The records below that answer it say neither its name nor another word of the question."""


def learn() -> None:
    """What the worker does: count, then link."""
    while statistics.count_pending():
        pass
    while link.link_pending(MOMENT):
        pass


def told(caller: Caller, text: str, session: str, **changes: Any) -> str:
    """A prompt that the caller's project keeps; gives its id."""
    return str(caller.prompted(text, sessionId=session, **changes)["observationId"])


def asked(
    question: str = QUESTION,
    *,
    project: str = "orchard",
    agent: str | None = None,
    explain: bool = False,
    **limits: Any,
) -> recall.Answer:
    scope = Scope((project, ""), agent)
    return recall.recall(question, scope=scope, limit=20, now=MOMENT, log=False, explain=explain, **limits)


def found(question: str = QUESTION, **changes: Any) -> dict[str, str]:
    """Session by record of the hits."""
    return {hit.object_id: hit.session_id for hit in asked(question, **changes).hits}


def clue(caller: Caller, session: str = "s1", **changes: Any) -> str:
    """What joins the thing asked for to the thing that the answer names."""
    return told(caller, "it seems Quillfeather keeps its jobs in Marrowstore", session, **changes)


def answer(caller: Caller, session: str = "s2", **changes: Any) -> str:
    return told(caller, "yesterday Marrowstore lost half of the disks", session, **changes)


def test_a_record_without_a_shared_word_arrives_with_its_session(owner: Caller) -> None:
    clue(owner)
    wanted = answer(owner)
    assert wanted not in found()

    learn()

    assert found()[wanted] == "s2"


def test_it_arrives_over_http_too(owner: Caller) -> None:
    clue(owner)
    wanted = answer(owner)
    learn()

    rows = {
        row["obsId"]: row for row in owner.post("smart-search", {"query": QUESTION, "project": "orchard"})["results"]
    }

    assert rows[wanted]["sessionId"] == "s2"


def test_a_question_that_no_other_arm_can_read_is_answered(owner: Caller) -> None:
    told(owner, "it seems C++ is what `Marrowstore` is made of", "s1")
    wanted = answer(owner)
    learn()

    assert wanted in found("Marrowstor")  # written nearly so; as a word it stands nowhere


def test_two_edges_are_followed_and_three_are_not(owner: Caller) -> None:
    clue(owner)
    told(owner, "it seems Marrowstore is kept by Thistledown", "s2")
    second = told(owner, "today Thistledown is away, and leaves a note for Emberlynn", "s3")
    third = told(owner, "call Emberlynn about lunch", "s4")
    learn()

    hits = found()

    assert second in hits
    assert third not in hits


def test_a_file_is_named_by_the_end_of_its_path(owner: Caller) -> None:
    edit = {"tool_name": "Edit", "tool_input": {"file_path": "/srv/app/src/ledger.py", "new_string": "parse_totals()"}}
    owner.observe(data=edit, sessionId="s1")
    wanted = told(owner, "remember that parse_totals rounds up", "s2")
    learn()

    assert wanted in found("what belongs to ledger.py?")


def test_a_memory_is_found_through_the_graph(owner: Caller) -> None:
    clue(owner)
    wanted = owner.remember("the disks of Marrowstore are from 2019")["memory"]["id"]
    learn()

    assert wanted in found()


def test_the_names_of_another_project_lead_nowhere(owner: Caller) -> None:
    clue(owner, project="quarry")
    answer(owner, project="quarry", session="s3")
    here = answer(owner)
    learn()

    assert here not in found()
    assert set(found(project="quarry").values()) == {"s1", "s3"}


def test_another_agents_record_is_not_evidence_where_the_scope_is_one_agent(owner: Caller) -> None:
    clue(owner, agentId="owner")
    own = answer(owner, session="s2", agentId="owner")
    foreign = answer(owner, session="s3", agentId="stranger")
    learn()

    limited = found(agent="owner")

    assert own in limited
    assert foreign not in limited
    assert {own, foreign} <= set(found())


def test_kinds_and_directories_limit_the_arm(owner: Caller) -> None:
    clue(owner)
    wanted = answer(owner, cwd="/work/here")
    other = answer(owner, session="s3", cwd="/work/there")
    learn()

    assert wanted in found(cwd="/work/here")
    assert other not in found(cwd="/work/here")
    assert wanted not in found(kinds=("memory",))


def test_what_is_forgotten_does_not_arrive_and_its_names_are_gone(owner: Caller) -> None:
    clue(owner)
    wanted = answer(owner)
    learn()

    owner.post("forget", {"sessionId": "s2", "observationIds": [wanted]})

    assert wanted not in found()
    assert GraphNode.objects.get(key="marrowstore").records == 1
    owner.post("forget", {"sessionId": "s1"})
    assert not GraphNode.objects.exists()


def test_what_is_superseded_does_not_arrive(owner: Caller) -> None:
    clue(owner)
    old = owner.remember("the big disks of Marrowstore are old, loud, slow, hot and from 2019")["memory"]["id"]
    learn()
    new = owner.remember("the big disks of Marrowstore are old, loud, slow, hot and from 2020")["memory"]["id"]
    learn()

    hits = found()

    assert old not in hits
    assert new in hits


def test_a_name_that_a_large_share_of_the_records_have_says_nothing(
    owner: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_core.domain.tunables_graph.HUB_LEAST", 1)
    monkeypatch.setattr("memory_core.domain.tunables_graph.HUB_SHARE", 0.1)
    clue(owner)
    wanted = answer(owner)
    for number in range(20):
        told(owner, f"plain talk number {number}", "s3")
    learn()
    assert wanted in found()

    for number in range(20):
        told(owner, f"again Marrowstore did a thing, {number}", "s4")
    learn()

    assert wanted not in found()


def test_a_hit_tells_its_path_when_it_is_asked_to(owner: Caller) -> None:
    clue(owner)
    wanted = answer(owner)
    learn()

    paths = {hit.object_id: hit.path for hit in asked(explain=True).hits}

    assert paths[wanted] == ("Quillfeather", "Marrowstore")
    assert {hit.path for hit in asked().hits} == {()}


def test_a_weight_of_zero_does_not_ask_the_graph(owner: Caller, configure: Configure) -> None:
    clue(owner)
    wanted = answer(owner)
    learn()
    configure(EVERLORE_LINKED_WEIGHT=0)

    with listening() as heard:
        assert wanted not in found()

    assert not any("memory_core_graphnode" in text for text, _ in heard)


def test_a_question_that_names_nothing_known_costs_one_look(owner: Caller) -> None:
    clue(owner)
    learn()

    with listening() as heard:
        found("where are the pears kept")

    assert sum("memory_core_graph" in text for text, _ in heard) == 1


def test_trouble_with_the_graph_is_named_and_the_search_goes_on(owner: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    known = clue(owner)
    learn()

    def fail(self: Statement, parameters: Any = None) -> Any:
        raise OperationalError("the disk is on fire")

    monkeypatch.setattr("memory_core.sql.graph.HOP", type("Broken", (), {"rows": fail})())

    given = asked()

    assert given.degraded["linked"] == "the disk is on fire"
    assert [hit.object_id for hit in given.hits] == [known]


def test_vectors_lead_into_the_graph_when_that_has_a_vote(owner: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables_recall, "EXPANDED_VOTE", 0.5)
    own = ThesaurusEmbedder()
    embedding.use(own)
    space = spaces.guard(own)
    assert space is not None
    near = told(owner, "the automobile runs on Marrowstore", "s1")
    for number in range(30):
        told(owner, f"plain talk number {number}", "s3")
    wanted = answer(owner)
    learn()
    while embed.drain_once(space, own, lambda: MOMENT.replace(year=2100)):
        pass

    hits = {hit.object_id: hit.evidence for hit in asked("vehicle", explain=True).hits}

    assert "dense" in hits[near]
    assert "dense_linked" in hits[wanted]


def test_records_that_name_the_same_thing_are_equal_to_the_arm(owner: Caller) -> None:
    clue(owner)
    equals = [answer(owner, session=f"s{number}") for number in (2, 3, 4)]
    learn()

    ranks = {hit.object_id: hit.evidence["linked"][0] for hit in asked(explain=True).hits if "linked" in hit.evidence}

    assert ranks == dict.fromkeys(equals, 2)  # 1, 2 and 3 are theirs together; the clue was found by its words


def test_what_only_another_agent_names_is_neither_followed_nor_told(owner: Caller) -> None:
    """A path names nodes, and a node's name is a word of a record."""
    clue(owner, agentId="other")
    wanted = answer(owner, session="s3", agentId="mine")
    told(owner, "it seems Marrowstore is big", "s4", agentId="mine")
    learn()

    mine = asked(agent="mine", explain=True).hits
    everyone = asked(explain=True).hits

    assert not any("Quillfeather" in hit.path for hit in mine)
    assert wanted not in {hit.object_id for hit in mine}
    assert wanted in {hit.object_id for hit in everyone}


def test_a_name_that_many_records_have_is_found_by_likeness_too(owner: Caller) -> None:
    """Where no key was met, the number of records was taken for 0, and each name for a hub."""
    named = [told(owner, f"it seems Marrowstore is full again, {number}", f"s{number}") for number in range(8)]
    for number in range(300):
        told(owner, f"nothing of the kind, {number}", f"n{number}")
    learn()

    assert set(named) & set(found("Marrowstor"))


def test_a_chinese_name_is_not_looked_for_by_likeness(owner: Caller) -> None:
    """In a database of locale C it has no trigrams, so that each node would be read."""
    clue(owner)
    learn()

    with listening() as statements:
        found("「数据库设计文档」是什么")

    assert not any("similarity(" in text for text, _ in statements)
