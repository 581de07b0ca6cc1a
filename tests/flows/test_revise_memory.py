"""A memory is given new words: the next version of its chain, in the index instead of the old one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.flows import remember
from memory_core.knowledge.memories import NewMemory, Revision
from memory_core.models import ActivityEvent, Memory, SearchEntry

pytestmark = pytest.mark.django_db


def remembered(content: str, **changes: Any) -> Memory:
    return remember.remember(NewMemory(content=content, project="orchard", **changes), now=timezone.now()).memory


def revise(memory: Memory, **changes: Any) -> Memory:
    return remember.revise(memory.pk, replace(Revision.of(memory), **changes), now=timezone.now(), user="keeper")


def test_what_is_not_named_is_carried_on() -> None:
    old = remembered("one", session_ids=["s1"], source_observation_ids=["obs_1"], metadata={"k": "v"}, ttl_days=3)
    new = revise(old, content="two")
    assert (new.session_ids, new.source_observation_ids, new.metadata) == (["s1"], ["obs_1"], {"k": "v"})
    assert (new.forget_after, new.strength, new.chain, new.version) == (old.forget_after, old.strength, old.chain, 2)


def test_the_index_holds_the_new_version_alone() -> None:
    new = revise(remembered("one"), content="two")
    assert list(SearchEntry.objects.values_list("object_id", flat=True)) == [new.pk]


def test_the_feed_tells_of_it() -> None:
    new = revise(remembered("one"), content="two")
    event = ActivityEvent.objects.get(kind="memory_revised")
    assert (event.object_id, event.project_slug, event.data) == (new.pk, "orchard", {"title": "two"})


def test_an_older_version_is_refused() -> None:
    old = remembered("one")
    revise(old, content="two")
    with pytest.raises(InvalidInput, match="newer version"):
        revise(old, content="three")
    assert Memory.objects.count() == 2


def test_an_unknown_memory_is_refused() -> None:
    memory = remembered("one")
    remember.forget_memory(memory.pk, now=timezone.now())
    with pytest.raises(NotFound):
        revise(memory, content="two")


@pytest.mark.parametrize("content", ["", " \n"])
def test_an_empty_content_is_refused(content: str) -> None:
    with pytest.raises(InvalidInput):
        revise(remembered("one"), content=content)


def test_a_saved_title_is_searchable_at_once() -> None:
    """The index of a fresh memory reads the same text as a rebuilt one."""
    memory = remembered("the content", title="Zeppelin")
    entry = SearchEntry.objects.get(object_id=memory.pk)
    assert "zeppelin" in entry.terms
