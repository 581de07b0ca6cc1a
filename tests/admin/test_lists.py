"""The lists: quick however much is stored, searchable, and harmless however hostile what they show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from memory_core import activity
from memory_core.admin import lists, names
from memory_core.domain import tunables_admin
from memory_core.flows import remember
from memory_core.knowledge.memories import NewMemory
from memory_core.models import Memory
from tests.fakes import records

pytestmark = pytest.mark.django_db

TABLES = (
    "project",
    "session",
    "observation",
    "image",
    "memory",
    "auditentry",
    "activityevent",
    "embeddingspace",
    "embeddingbacklog",
    "graphnode",
    "graphedge",
    "synonymgroupuse",
)
HOSTILE = "<script>alert(1)</script>\u202egnp.exe \"'>&amp;"


def address(table: str, page: str = "changelist", *arguments: Any) -> str:
    return reverse(f"admin:memory_core_{table}_{page}", args=[quote(argument) for argument in arguments])


def fill(count: int, text: str = "a title") -> None:
    """`count` rows in every table, each of a project of its own."""
    for number in range(count):
        project = records.project(f"project {number} {text}")
        session = records.session(f"s{number}{text}", project=project, title=text)
        records.observation(f"obs_{number}", session=session, title=text, raw={"data": text}, facts=[text])
        records.memory(f"mem_{number}", project=project, title=text, content=text, metadata={text: text})
        records.image(f"{number}.png")
        records.space(model=f"model {number} {text}")
        entry = records.entry(f"obs_{number}", project=project)
        records.waiting(entry, last_error=text)
        node = records.node(f"{number} {text}", project=project)
        records.edge(source=node, target=records.node(f"other {number} {text}", project=project))
        records.group_use(f"group {number} {text}")
        activity.record(text, project=project.pk, object_id=f"obs_{number}", data={"title": text})
        activity.audit(
            f"aud_{number}", now=timezone.now(), operation=text, function="f", targets=[text], details={text: text}
        )


def remembered(content: str, project: str = "orchard", **changes: Any) -> Memory:
    return remember.remember(NewMemory(content=content, project=project, **changes), now=timezone.now()).memory


def titles(client: Client, table: str, **query: str) -> set[str]:
    """The ids of the rows that a list shows."""
    response = client.get(address(table), query)
    assert response.status_code == 200
    return {str(row.pk) for row in response.context["cl"].result_list}


@pytest.mark.parametrize("table", TABLES)
def test_a_list_asks_as_many_questions_for_many_rows_as_for_few(curator: Client, table: str) -> None:
    fill(2)
    curator.get(address(table))  # what Django reads once a process
    with CaptureQueriesContext(connection) as few:
        curator.get(address(table))
    for number in range(2, 12):
        project = records.project(f"more {number}")
        session = records.session(f"more{number}", project=project)
        records.observation(f"obs_more{number}", session=session)
        records.memory(f"mem_more{number}", project=project)
        records.image(f"more{number}.png")
        records.space(model=f"more {number}")
        records.waiting(records.entry(f"obs_more{number}", project=project))
        records.group_use(f"more {number}")
        records.edge(project=project)
        activity.record("kind", object_id=f"obs_{number}")
        activity.audit(f"aud_more{number}", now=timezone.now(), operation="o", function="f", targets=[])
    with CaptureQueriesContext(connection) as many:
        response = curator.get(address(table))
    assert response.status_code == 200
    assert len(response.context["cl"].result_list) > 2
    assert len(many) == len(few)


@pytest.mark.parametrize("table", TABLES)
def test_hostile_text_is_escaped_on_lists_and_pages(curator: Client, table: str) -> None:
    fill(1, HOSTILE)
    listed = curator.get(address(table))
    row = list(listed.context["cl"].result_list)[-1]
    page = curator.get(address(table, "change", row.pk))
    for response in (listed, page):
        assert response.status_code == 200
        assert b"<script>alert" not in response.content.lower()
    if table != "image":  # an image's name is a digest
        assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in page.content


@pytest.mark.parametrize("table", TABLES)
def test_nothing_can_be_added(curator: Client, table: str) -> None:
    assert curator.get(address(table, "add")).status_code == 403


@pytest.mark.parametrize(
    "table",
    [
        "project",
        "image",
        "auditentry",
        "activityevent",
        "embeddingspace",
        "embeddingbacklog",
        "graphnode",
        "graphedge",
        "synonymgroupuse",
    ],
)
def test_what_is_derived_or_a_record_of_the_past_cannot_be_changed_or_deleted(curator: Client, table: str) -> None:
    fill(1)
    row = list(curator.get(address(table)).context["cl"].result_list)[-1]
    assert curator.post(address(table, "change", row.pk), {"slug": "x"}).status_code == 403
    assert curator.post(address(table, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert "delete_selected" not in curator.get(address(table)).content.decode()


def test_memories_are_found_by_their_words_in_any_language(curator: Client) -> None:
    pears = remembered("Pears are pruned in winter")
    chinese = remembered("数据库端口改为五四三三")
    assert titles(curator, "memory", q="pruning pears") == {pears.pk}
    assert titles(curator, "memory", q="端口") == {chinese.pk}
    assert titles(curator, "memory", q=pears.pk[:12]) >= {pears.pk}
    assert titles(curator, "memory", q="zeppelin") == set()


def test_a_search_within_a_project_stays_there(curator: Client) -> None:
    here = remembered("the gate is green", project="orchard")
    remembered("the gate is green", project="harbour")
    assert titles(curator, "memory", q="gate", project="orchard") == {here.pk}


def test_the_global_scope_can_be_chosen(curator: Client) -> None:
    everywhere = remembered("tabs, not spaces", project="")
    remembered("spaces, not tabs", project="orchard")
    assert titles(curator, "memory", project="") == {everywhere.pk}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"type": "bug"}, {"mem_bug"}),
        ({"is_latest__exact": "0"}, {"mem_old"}),
        ({"channel": "user"}, {"mem_said"}),
    ],
    ids=["type", "latest", "origin"],
)
def test_memories_are_filtered(curator: Client, query: dict[str, str], expected: set[str]) -> None:
    records.memory("mem_bug", type="bug")
    records.memory("mem_old", is_latest=False)
    records.memory("mem_said", channel="user")
    assert titles(curator, "memory", **query) == expected


def test_sessions_are_filtered_by_status_and_found_by_title(curator: Client) -> None:
    records.session("a", status="completed", title="Planting")
    records.session("b", title="Harvest")
    assert titles(curator, "session", status="completed") == {"a"}
    assert titles(curator, "session", q="harv") == {"b"}


def test_the_audit_is_found_by_the_record_it_is_about(curator: Client) -> None:
    kept = remembered("the well is deep")
    remembered("something else entirely")
    remember.forget_memory(kept.pk, now=timezone.now(), user="admin:keeper")
    found = curator.get(address("auditentry"), {"q": kept.pk}).context["cl"].result_list
    assert {row.operation for row in found} == {"remember", "forget"}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "term",
    ["\x00", "%", "'; DROP TABLE", "٣", "9" * 30, "x" * 5000],
    ids=["nul", "percent", "quote", "arabic digit", "huge number", "long"],
)
def test_a_strange_search_term_finds_nothing_and_breaks_nothing(curator: Client, table: str, term: str) -> None:
    fill(1)
    assert curator.get(address(table), {"q": term}).status_code == 200


def test_pages_end_where_counting_would_read_the_whole_table(curator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables_admin, "MOST_PAGED", 3)
    for number in range(5):
        records.memory(f"mem_{number}", created_at=records.MOMENT + timedelta(minutes=number))
    assert curator.get(address("memory")).context["cl"].result_count == 3


def test_a_list_does_not_read_payloads(curator: Client) -> None:
    fill(1)
    with CaptureQueriesContext(connection) as asked:
        curator.get(address("observation"))
    reads = [query["sql"] for query in asked if 'FROM "memory_core_observation"' in query["sql"]]
    assert reads
    assert not any('"raw"' in sql for sql in reads)


def test_a_colleague_sees_only_what_they_may(colleague: Callable[..., Client]) -> None:
    client = colleague("view_memory")
    records.memory()
    assert client.get(address("memory")).status_code == 200
    assert client.get(address("observation")).status_code == 403
    assert client.post(address("memory", "delete", "mem_1"), {"post": "yes"}).status_code == 403
    assert client.post(address("memory", "change", "mem_1"), {"content": "x"}).status_code == 403
    assert Memory.objects.get().content == "some content"


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    response = client.get(address("memory"))
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/admin/login/")


def test_every_column_the_admin_shows_has_a_name_of_its_own() -> None:
    for table in names.TABLES:
        for field in apps.get_model("memory_core", table)._meta.fields:
            assert field.name in names.COLUMNS, f"{table}.{field.name}"


def test_the_paginator_counts_with_a_limit() -> None:
    rows = Memory.objects.order_by("pk")
    with CaptureQueriesContext(connection) as asked:
        assert lists.BoundedPaginator(rows, 10).count == 0
    assert f"LIMIT {tunables_admin.MOST_PAGED}" in asked[0]["sql"]


def test_a_group_of_synonyms_shows_how_often_it_was_needed(curator: Client) -> None:
    records.group_use("k8s kubernetes", asked=8, hits=2)

    page = curator.get(address("synonymgroupuse")).content.decode()

    assert "k8s kubernetes" in page
    assert ">25<" in page
