"""Every wrong state is refused by the database itself, by the constraint that is meant to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from memory_core.models import EmbeddingBacklog, EntryEmbedding, Memory, Observation, ObservationFingerprint, Project
from tests.fakes import records

pytestmark = pytest.mark.django_db

Wrong = Callable[[], Any]


def _two_latest() -> None:
    records.memory("mem_1")
    records.memory("mem_2", chain="mem_1", version=2)


def _version_twice() -> None:
    records.memory("mem_1", is_latest=False)
    records.memory("mem_2", chain="mem_1", version=1)


def _version_zero() -> None:
    with connection.cursor() as cursor:  # the other one refuses it, too, and is asked first; the test rolls this back
        cursor.execute("ALTER TABLE memory_core_memory DROP CONSTRAINT memory_first_has_no_parent")
    records.memory(version=0)


def _first_with_parent() -> None:
    records.memory("mem_2", parent=records.memory("mem_1"))


def _fingerprint_twice() -> None:
    own = records.session()
    for _ in range(2):
        ObservationFingerprint.objects.create(session=own, digest=b"\0" * 32, seen_at=records.MOMENT)


def _event_twice() -> None:
    records.observation("obs_1", event_id="claude:tool:1")
    records.observation("obs_2", event_id="claude:tool:1")


def _entry_twice() -> None:
    records.entry()
    records.entry()


def _two_spaces_of_one_model() -> None:
    records.space()
    records.space()


def _two_active_spaces() -> None:
    records.space(model="one", active=True)
    records.space(model="two", active=True)


def _chunk_twice() -> None:
    own, space = records.entry(), records.space()
    for _ in range(2):
        EntryEmbedding.objects.create(entry=own, space=space, project=records.project(), embedding=[1, 0, 0, 0])


def _two_beliefs_at_once(**changes: Any) -> None:
    known = records.edge()
    records.edge(source=known.source, target=known.target, **changes)


def _itself() -> None:
    own = records.node()
    records.edge(source=own, target=own)


def _current_twice() -> None:
    with connection.cursor() as cursor:  # the other one refuses it, too; the test rolls this back
        cursor.execute("ALTER TABLE memory_core_graphedge DROP CONSTRAINT edge_one_belief")
    _two_beliefs_at_once()


def _two_weights_in_use() -> None:
    records.weights(in_use=True)
    records.weights(in_use=True)


WRONG_STATES: list[tuple[str, str, Wrong]] = [
    ("memory_one_latest", "two latest versions in a chain", _two_latest),
    ("memory_version_once", "one version number twice in a chain", _version_twice),
    ("memory_version_positive", "version 0", _version_zero),
    ("memory_strength", "strength below 0", lambda: records.memory(strength=-0.1)),
    ("memory_strength", "strength above 10", lambda: records.memory(strength=10.1)),
    ("memory_id_prefix", "an id of another kind", lambda: records.memory("obs_1")),
    ("memory_type", "a type the protocol does not have", lambda: records.memory(type="opinion")),
    ("memory_channel", "a channel that does not exist", lambda: records.memory(channel="rumour")),
    ("memory_first_has_no_parent", "a first version with a parent", _first_with_parent),
    ("observation_event_once", "one client event stored twice", _event_twice),
    ("observation_importance", "importance 0", lambda: records.observation(importance=0)),
    ("observation_importance", "importance 11", lambda: records.observation(importance=11)),
    ("observation_confidence", "confidence below 0", lambda: records.observation(confidence=-0.01)),
    ("observation_confidence", "confidence above 1", lambda: records.observation(confidence=1.01)),
    ("observation_channel", "a channel that does not exist", lambda: records.observation(channel="rumour")),
    ("observation_type", "a type the protocol does not have", lambda: records.observation(type="thought")),
    ("observation_modality", "a modality the protocol does not have", lambda: records.observation(modality="sound")),
    ("fingerprint_once", "two claims of one content in a session", _fingerprint_twice),
    ("image_references_positive", "fewer than no references", lambda: records.image(reference_count=-1)),
    ("project_slug_short", "a slug longer than clients may send", lambda: records.project("p" * 1025)),
    ("session_id_length", "an empty session id", lambda: records.session("")),
    ("session_id_length", "an id longer than clients may send", lambda: records.session("s" * 513)),
    ("session_status", "a status that does not exist", lambda: records.session(status="paused")),
    ("session_count_positive", "fewer than no observations", lambda: records.session(observation_count=-1)),
    ("session_refused_positive", "fewer than no refusals", lambda: records.session(refused_count=-1)),
    ("entry_once", "one piece of a record indexed twice", _entry_twice),
    ("entry_kind", "a kind that is not searched", lambda: records.entry(kind="rumour")),
    ("space_once", "one model's space twice", _two_spaces_of_one_model),
    ("space_one_active", "two spaces read at once", _two_active_spaces),
    ("space_dimensions", "a space without width", lambda: records.space(dimensions=0)),
    ("space_dimensions", "a space wider than halfvec's index", lambda: records.space(dimensions=4001)),
    ("embedding_once", "one chunk's vector twice", _chunk_twice),
    ("node_once", "one name twice in a project", lambda: [records.node(), records.node()]),
    ("node_type", "a type the protocol does not have", lambda: records.node(type="rumour")),
    ("node_has_records", "a name that no record has", lambda: records.node(records=0)),
    ("node_key", "a thing without a name", lambda: records.node("")),
    (
        "edge_one_belief",
        "two beliefs about one edge at one time",
        lambda: _two_beliefs_at_once(
            recorded_during=(records.MOMENT.replace(year=2020), records.MOMENT.replace(year=2030))
        ),
    ),
    ("edge_current", "two current beliefs about one edge", _current_twice),
    ("edge_type", "a type the protocol does not have", lambda: records.edge(type="rumour")),
    ("edge_weight", "a weight of 0", lambda: records.edge(weight=0)),
    ("edge_weight", "a weight above 1", lambda: records.edge(weight=1.1)),
    ("edge_has_records", "an edge that no record speaks for", lambda: records.edge(records=0)),
    ("edge_between_two", "an edge from a node to itself", _itself),
    ("edge_some_time", "a belief that was never held", lambda: records.edge(recorded_during=(records.MOMENT,) * 2)),
    ("weights_one_in_use", "two sets of weights of a project in use", _two_weights_in_use),
    ("weights_in_use_won", "weights in use that did not win", lambda: records.weights(outcome="unsure", in_use=True)),
    ("weights_outcome", "an outcome that does not exist", lambda: records.weights(outcome="maybe")),
    ("weights_held_out_part", "more questions held out than there are", lambda: records.weights(held_out=9)),
    ("synonym_hits_of_asked", "needed more often than asked", lambda: records.group_use(asked=1, hits=2)),
    ("synonym_hits_of_asked", "needed fewer than 0 times", lambda: records.group_use(asked=1, hits=-1)),
    ("access_count_positive", "read fewer than 0 times", lambda: records.access(count=-1)),
]


@pytest.mark.parametrize(
    ("constraint", "wrong"),
    [pytest.param(name, wrong, id=f"{name}: {words}") for name, words, wrong in WRONG_STATES],
)
def test_the_database_refuses(constraint: str, wrong: Wrong) -> None:
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        wrong()

    assert refusal.value.__cause__.diag.constraint_name == constraint


def test_every_constraint_has_a_wrong_state_above() -> None:
    declared = {
        constraint.name
        for model in apps.get_app_config("memory_core").get_models()
        for constraint in model._meta.constraints
    }

    assert declared == {name for name, _, _ in WRONG_STATES}


@pytest.mark.parametrize("make", [records.observation, records.memory], ids=["observation", "memory"])
@pytest.mark.parametrize("change", [{"channel": "user"}, {"channel_detail": "elsewhere"}], ids=str)
def test_where_a_record_came_from_never_changes(make: Wrong, change: dict[str, str]) -> None:
    record = make()

    with pytest.raises(IntegrityError, match=r"origin channel of .* cannot change"), transaction.atomic():
        type(record).objects.filter(pk=record.pk).update(**change)


@pytest.mark.parametrize("make", [records.observation, records.memory], ids=["observation", "memory"])
def test_a_record_may_be_written_again_with_the_channel_it_has(make: Wrong) -> None:
    record = make()

    record.title = "another title"
    record.save()

    assert type(record).objects.get(pk=record.pk).title == "another title"


def test_a_backlog_holds_an_entry_once() -> None:
    own = records.entry()
    records.waiting(own)

    with pytest.raises(IntegrityError), transaction.atomic():
        records.waiting(own)

    assert EmbeddingBacklog.objects.count() == 1


def test_a_belief_may_follow_the_one_that_ended() -> None:
    ended, now = records.MOMENT.replace(year=2020), records.MOMENT
    old = records.edge(recorded_during=(ended, now))

    new = records.edge(source=old.source, target=old.target)

    old.refresh_from_db()
    new.refresh_from_db()
    assert (old.live, new.live) == (False, True)


def _delete_in_sql(slug: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM memory_core_project WHERE slug = %s", [slug])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_a_project_with_records_cannot_be_deleted() -> None:
    records.memory()

    with pytest.raises(IntegrityError), transaction.atomic():
        _delete_in_sql("orchard")

    assert Project.objects.filter(slug="orchard").exists()
    assert Memory.objects.count() == 1


def test_a_session_takes_its_observations_with_it() -> None:
    own = records.observation().session

    own.delete()

    assert Observation.objects.count() == 0


def test_the_global_project_is_there_from_the_start() -> None:
    assert Project.objects.filter(slug="").exists()
