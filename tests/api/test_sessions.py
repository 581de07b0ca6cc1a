"""A session begins, goes on, ends and goes on again without losing what it holds."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from memory_core.models import Project, Session
from tests.fakes.client import Caller

pytestmark = pytest.mark.django_db


def start(caller: Caller, session: str = "s1", **changes: object) -> dict[str, object]:
    body = {"sessionId": session, "project": caller.project, "cwd": f"/work/{caller.project}", "agentId": caller.agent}
    answer = caller.post("session/start", body | changes)
    assert answer.status == 200, answer
    return answer["session"]


def test_an_observation_makes_its_session_known(owner: Caller) -> None:
    owner.prompted("  plant\n two   pears ", timestamp="2026-03-01T08:00:00Z")

    shown = owner.get("sessions")["sessions"]

    assert [one["id"] for one in shown] == ["s1"]
    assert shown[0] | {"updatedAt": ""} == {
        "id": "s1",
        "project": "orchard",
        "cwd": "/work/orchard",
        "startedAt": "2026-03-01T08:00:00.000Z",
        "updatedAt": "",
        "status": "active",
        "observationCount": 1,
        "firstPrompt": "plant two pears",
        "agentId": "owner",
    }


def test_the_first_prompt_is_kept_and_short(owner: Caller) -> None:
    owner.prompted("first " * 100)
    owner.prompted("second")

    assert Session.objects.get().first_prompt == ("first " * 100)[:200]


def test_a_restart_overwrites_nothing(owner: Caller) -> None:
    start(owner, title="Prune the pears")
    owner.ran("ls", "pears")
    before = Session.objects.get()

    shown = start(owner)

    assert (shown["observationCount"], shown["summary"]) == (1, "Prune the pears")
    assert Session.objects.get().started_at == before.started_at
    assert len(owner.get("observations?sessionId=s1")["observations"]) == 1


def test_a_restart_by_another_agent_keeps_the_first_ones_name(owner: Caller) -> None:
    start(owner)

    assert start(owner, agentId="colleague")["agentId"] == "owner"


def test_an_end_closes_and_a_restart_opens(owner: Caller) -> None:
    start(owner)

    assert owner.post("session/end", {"sessionId": "s1"}).body == {"success": True}
    ended = owner.get("sessions")["sessions"][0]
    assert (ended["status"], "endedAt" in ended) == ("completed", True)
    again = start(owner)
    assert (again["status"], "endedAt" in again) == ("active", False)


def test_an_observation_after_the_end_opens_the_session_again(owner: Caller) -> None:
    start(owner)
    owner.post("session/end", {"sessionId": "s1"})

    owner.ran("ls", "pears", timestamp=(timezone.now() + timedelta(seconds=1)).isoformat())

    shown = owner.get("sessions")["sessions"][0]
    assert (shown["status"], "endedAt" in shown) == ("active", False)


def test_a_late_report_of_something_before_the_end_leaves_it_closed(owner: Caller) -> None:
    start(owner)
    owner.post("session/end", {"sessionId": "s1"})

    owner.ran("ls", "pears", timestamp="2026-03-01T12:00:00Z")

    shown = owner.get("sessions")["sessions"][0]
    assert (shown["status"], shown["observationCount"]) == ("completed", 1)


def test_a_stop_hook_is_no_end(owner: Caller) -> None:
    owner.observe(hookType="stop", data={})

    assert Session.objects.get().status == "active"


def test_ending_an_unknown_session_makes_none_up(owner: Caller) -> None:
    answer = owner.post("session/end", {"sessionId": "nobody"})

    assert (answer.status, answer.body) == (200, {"success": True, "known": False})
    assert Session.objects.count() == 0


class TestEventWithoutAPlace:
    """OpenClaw's plugin names neither the project nor the directory."""

    def test_it_belongs_where_its_session_does(self, owner: Caller) -> None:
        start(owner)

        answer = owner.observe(project=None, cwd=None)

        shown = owner.get("observations?sessionId=s1")["observations"]
        assert [(one["id"], one["project"]) for one in shown] == [(answer["observationId"], "orchard")]

    def test_of_an_unknown_session_it_is_refused(self, owner: Caller) -> None:
        assert owner.observe(project=None, cwd=None).status == 400

    @pytest.mark.parametrize("missing", ["project", "cwd"])
    def test_half_a_place_is_refused(self, owner: Caller, missing: str) -> None:
        start(owner)

        assert owner.observe(**{missing: None}).status == 400


def test_a_project_knows_the_directories_it_was_seen_in(owner: Caller) -> None:
    for cwd in ("/a", "/b", "/a"):
        start(owner, cwd=cwd)

    assert Project.objects.get(slug="orchard").roots == ["/a", "/b"]


def test_sessions_are_listed_newest_first_and_in_pages(owner: Caller) -> None:
    for day in (1, 3, 2):
        owner.observe(sessionId=f"s{day}", timestamp=f"2026-03-0{day}T00:00:00Z")

    def ids(query: str) -> list[str]:
        return [one["id"] for one in owner.get(f"sessions{query}")["sessions"]]

    assert ids("") == ["s3", "s2", "s1"]
    assert ids("?limit=2") == ["s3", "s2"]
    assert ids("?limit=2&offset=2") == ["s1"]
    assert ids("?limit=plenty") == ["s3", "s2", "s1"]


def test_observations_are_listed_oldest_first_and_in_pages(owner: Caller) -> None:
    ids = [owner.ran("ls", str(n), timestamp=f"2026-03-01T12:00:0{n}Z")["observationId"] for n in (3, 1, 2)]

    def listed(query: str) -> list[str]:
        return [one["id"] for one in owner.get(f"observations?sessionId=s1{query}")["observations"]]

    assert listed("") == [ids[1], ids[2], ids[0]]
    assert listed("&limit=1&offset=1") == [ids[2]]


def test_observations_need_a_session_and_an_unknown_one_has_none(owner: Caller) -> None:
    assert (owner.get("observations").status, owner.get("observations").body) == (400, {"error": "sessionId required"})
    assert owner.get("observations?sessionId=nobody").body == {"observations": []}


def test_a_session_that_is_told_late_began_and_ended_when_it_did(owner: Caller) -> None:
    start(owner, "late", timestamp="2026-02-03T04:05:06Z")
    owner.post("session/end", {"sessionId": "late", "timestamp": "2026-02-03T05:05:06Z"})

    session = Session.objects.get(pk="late")
    assert session.started_at.isoformat() == "2026-02-03T04:05:06+00:00"
    assert session.ended_at is not None
    assert session.ended_at.isoformat() == "2026-02-03T05:05:06+00:00"


def test_where_projects_are_kept_apart_a_session_of_another_project_is_not_given_back(
    owner: Caller, configure: Callable[..., None]
) -> None:
    start(owner, "theirs", project="other", title="their plan")
    configure(EVERLORE_PROJECT_SCOPE="isolated")

    answer = owner.post("session/start", {"sessionId": "theirs", "project": owner.project, "cwd": "/work"})

    assert answer.status == 400
    assert "their plan" not in str(answer.body)
