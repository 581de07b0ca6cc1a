"""Memories are mended and forgotten through the product's flows: versions, index, images and audit follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memory_core.domain import tunables_admin
from memory_core.domain.events import Channel
from memory_core.domain.scope import Scope
from memory_core.flows import recall, remember
from memory_core.knowledge.memories import NewMemory
from memory_core.models import AuditEntry, Memory, Observation, SearchEntry, Session
from tests.fakes import records
from tests.fakes.client import Caller

pytestmark = pytest.mark.django_db


def address(table: str, page: str, *arguments: Any) -> str:
    return reverse(f"admin:memory_core_{table}_{page}", args=[quote(argument) for argument in arguments])


def remembered(content: str, **changes: Any) -> Memory:
    return remember.remember(NewMemory(content=content, project="orchard", **changes), now=timezone.now()).memory


def form_of(client: Client, memory: Memory, **changes: str) -> dict[str, str]:
    """What the page of a memory would send, with some fields changed."""
    page = client.get(address("memory", "change", memory.pk))
    form = page.context["adminform"].form
    sent = {name: form[name].value() for name in form.fields}
    sent["title"], sent["content"] = form["title"].value(), form["content"].value().replace("\n", "\r\n")
    sent.pop("forget_after", None)
    return {**sent, "forget_after_0": "", "forget_after_1": "", **changes}


def change(client: Client, memory: Memory, **changes: str) -> Any:
    return client.post(address("memory", "change", memory.pk), form_of(client, memory, **changes), follow=True)


def found(query: str) -> list[str]:
    answer = recall.recall(query, scope=Scope(), limit=10, now=timezone.now(), log=False)
    return [hit.object_id for hit in answer.hits]


def test_a_change_is_a_new_version_and_only_it_is_found(curator: Client) -> None:
    old = remembered("The port is 5432", files=["compose.yaml"], channel=Channel.TOOL)
    change(curator, old, content="The harbour number is 5433")
    new = Memory.objects.get(chain=old.chain, is_latest=True)
    old.refresh_from_db()
    assert (new.version, new.parent_id, new.supersedes, new.files) == (2, old.pk, [old.pk], ["compose.yaml"])
    assert (old.is_latest, old.content) == (False, "The port is 5432")
    assert found("harbour number") == [new.pk]
    assert found("port") == []


def test_where_a_memory_came_from_stays_whoever_mends_it(curator: Client) -> None:
    old = remembered("From a web page", channel=Channel.TOOL, channel_detail="fetch", agent="claude")
    change(curator, old, content="Mended", channel="user", channel_detail="typed", agent_id="me", project="other")
    new = Memory.objects.get(is_latest=True)
    assert (new.content, new.channel, new.channel_detail, new.agent_id) == ("Mended", "tool", "fetch", "claude")
    assert new.project_id == "orchard"


def test_the_audit_and_the_log_name_who_changed_it(curator: Client) -> None:
    old = remembered("one")
    change(curator, old, content="two")
    new = Memory.objects.get(is_latest=True)
    entry = AuditEntry.objects.get(operation="evolve")
    assert (entry.user_id, entry.target_ids) == ("admin:keeper", [new.pk, old.pk])
    assert LogEntry.objects.get().object_id == new.pk


def test_a_form_sent_back_as_it_came_changes_nothing(curator: Client) -> None:
    memory = remembered("first line\nsecond line\n", concepts=["a", "b"])
    change(curator, memory)
    assert Memory.objects.count() == 1


def test_a_title_made_from_the_content_follows_it(curator: Client) -> None:
    change(curator, remembered("old words"), content="new words")
    assert Memory.objects.get(is_latest=True).title == "new words"


def test_a_title_somebody_chose_stays(curator: Client) -> None:
    change(curator, remembered("old words", title="Chosen"), content="new words")
    assert Memory.objects.get(is_latest=True).title == "Chosen"


def test_lists_are_edited_one_a_line(curator: Client) -> None:
    change(curator, remembered("words", concepts=["a, b"]), concepts="a, b\r\n c \r\n\r\nc")
    assert Memory.objects.get(is_latest=True).concepts == ["a, b", "c"]


def test_a_secret_typed_into_the_form_is_not_stored(curator: Client) -> None:
    change(curator, remembered("words"), content="before <private>the combination is 4711</private> after")
    assert "4711" not in Memory.objects.get(is_latest=True).content


@pytest.mark.parametrize("content", ["", "  \r\n ", "a\x00b"], ids=["empty", "blanks", "nul"])
def test_a_content_that_says_nothing_or_cannot_be_stored_is_refused(curator: Client, content: str) -> None:
    response = change(curator, remembered("words"), content=content)
    assert response.context["adminform"].form.errors["content"]
    assert Memory.objects.count() == 1


def test_an_older_version_can_be_read_but_not_changed(curator: Client) -> None:
    old = remembered("one")
    sent = form_of(curator, old, content="three")
    change(curator, old, content="two")
    assert curator.post(address("memory", "change", old.pk), sent).status_code == 403
    assert curator.get(address("memory", "change", old.pk)).status_code == 200
    assert Memory.objects.count() == 2


def test_a_change_that_comes_too_late_is_said_and_loses_nothing(
    curator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = remembered("one")
    real = remember.revise

    def overtaken(memory_id: str, revision: Any, **options: Any) -> Memory:
        real(memory_id, revision=remember.memories.Revision.of(memory), now=timezone.now())
        return real(memory_id, revision, **options)

    sent = form_of(curator, memory, content="two")
    monkeypatch.setattr(remember, "revise", overtaken)
    response = curator.post(address("memory", "change", memory.pk), sent, follow=True)
    assert "nothing was saved" in response.content.decode()
    assert not Memory.objects.filter(content="two").exists()


def test_forgetting_one_takes_its_past_and_its_entry(curator: Client) -> None:
    old = remembered("one")
    change(curator, old, content="two")
    new = Memory.objects.get(is_latest=True)
    asked = curator.get(address("memory", "delete", new.pk))
    assert "version 1" in asked.content.decode()
    curator.post(address("memory", "delete", new.pk), {"post": "yes"})
    assert not Memory.objects.exists()
    assert not SearchEntry.objects.exists()
    assert AuditEntry.objects.get(operation="forget").user_id == "admin:keeper"


def test_several_are_forgotten_at_once(curator: Client) -> None:
    kept = remembered("Pears are pruned in winter")
    gone = [remembered("The gate is green").pk, remembered("A well stands behind the house").pk]
    sent = {"action": "delete_selected", "_selected_action": gone}
    assert "version 1" in curator.post(address("memory", "changelist"), sent).content.decode()
    curator.post(address("memory", "changelist"), {**sent, "post": "yes"})
    assert list(Memory.objects.values_list("pk", flat=True)) == [kept.pk]
    assert list(SearchEntry.objects.values_list("object_id", flat=True)) == [kept.pk]
    assert AuditEntry.objects.filter(operation="forget").count() == 2


def test_forgetting_observations_takes_their_entries_and_recounts_the_session(curator: Client) -> None:
    caller = Caller("owner")
    for command in ("ls trees", "cat pears", "rm apples"):
        assert caller.ran(command, command).status == 201
    gone = list(Observation.objects.exclude(title__contains="pears").values_list("pk", flat=True))
    sent = {"action": "delete_selected", "_selected_action": gone, "post": "yes"}
    curator.post(address("observation", "changelist"), sent)
    assert Observation.objects.count() == 1
    assert SearchEntry.objects.count() == 1
    assert Session.objects.get().observation_count == 1
    assert AuditEntry.objects.get(operation="forget").user_id == "admin:keeper"


def test_an_observation_cannot_be_rewritten(curator: Client) -> None:
    own = records.observation(title="as it was")
    assert curator.post(address("observation", "change", own.pk), {"title": "otherwise"}).status_code == 403
    assert Observation.objects.get().title == "as it was"


def test_forgetting_a_session_takes_what_it_holds(curator: Client) -> None:
    assert Caller("owner").ran("ls", "pears").status == 201
    asked = curator.get(address("session", "delete", "s1")).content.decode()
    assert "bservations: 1" in asked
    curator.post(address("session", "delete", "s1"), {"post": "yes"})
    assert not Session.objects.exists()
    assert not Observation.objects.exists()
    assert not SearchEntry.objects.exists()


def test_more_than_a_page_can_ask_for_is_not_forgotten_at_once(
    curator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunables_admin, "MOST_FORGOTTEN", 2)
    for number in range(3):
        records.memory(f"mem_{number}")
    sent = {"action": "delete_selected", "_selected_action": ["mem_0"], "select_across": "1", "post": "yes"}
    response = curator.post(address("memory", "changelist"), sent, follow=True)
    assert "At most 2 records" in response.content.decode()
    assert Memory.objects.count() == 3


def test_a_colleague_who_may_change_but_not_delete_cannot_forget(colleague: Callable[..., Client]) -> None:
    client = colleague("view_memory", "change_memory")
    memory = remembered("words")
    sent = {"action": "delete_selected", "_selected_action": [memory.pk], "post": "yes"}
    client.post(address("memory", "changelist"), sent)
    assert Memory.objects.filter(pk=memory.pk).exists()
    change(client, memory, content="other words")
    assert Memory.objects.get(is_latest=True).content == "other words"


def test_hostile_titles_are_harmless_in_messages_and_questions(curator: Client) -> None:
    memory = remembered("words", title="<img src=x onerror=alert(1)>")
    asked = curator.get(address("memory", "delete", memory.pk)).content.decode()
    said = change(curator, memory, content="other words").content.decode()
    for page in (asked, said):
        assert "<img src=x" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in page
