"""Memories: saved, superseded, listed, forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.dateparse import parse_datetime

from memory_core.models import AuditEntry, Memory, Observation, SearchEntry, Session
from tests.fakes.client import Caller

pytestmark = pytest.mark.django_db

WORDS = ["alder", "birch", "cedar", "elder", "fir", "gorse", "hazel", "ivy", "juniper", "larch", "maple", "oak"]
TEN = " ".join(WORDS[:10])


class TestLikeness:
    """Likeness is words in common by words in all; TEN has ten."""

    def test_exactly_seven_tenths_is_another_memory_that_is_near(self, owner: Caller) -> None:
        first = owner.remember(TEN)["memory"]

        answer = owner.remember(" ".join(WORDS[:7]))

        assert answer["memory"]["version"] == 1
        assert answer["similarTo"] == {"id": first["id"], "title": first["title"], "similarity": 0.7}

    def test_above_seven_tenths_is_the_next_version(self, owner: Caller) -> None:
        first = owner.remember(TEN)["memory"]

        answer = owner.remember(" ".join(WORDS[:8]))

        assert "similarTo" not in answer.body
        new = answer["memory"]
        assert (new["version"], new["parentId"], new["supersedes"]) == (2, first["id"], [first["id"]])

    def test_exactly_four_tenths_is_not_near(self, owner: Caller) -> None:
        owner.remember(TEN)

        assert "similarTo" not in owner.remember(" ".join(WORDS[:4])).body

    def test_above_four_tenths_is_near(self, owner: Caller) -> None:
        first = owner.remember(TEN)["memory"]["id"]

        answer = owner.remember(" ".join([*WORDS[:5], "teak", "yew"]))

        assert (answer["similarTo"]["id"], answer["similarTo"]["similarity"]) == (first, 0.42)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("we use tabs", "we use  tabs"),
            ("用户喜欢深色主题", "用户喜欢深色主题。"),
            ("ok", "ok"),
            ("Graft in MARCH always", "graft in march always"),
        ],
    )
    def test_the_same_again_is_a_version_in_any_script(self, owner: Caller, old: str, new: str) -> None:
        owner.remember(old)

        assert owner.remember(new)["memory"]["version"] == 2

    def test_another_project_has_its_own_memories(self, owner: Caller) -> None:
        owner.remember(TEN)

        answer = owner.remember(TEN, project="quarry")

        assert (answer["memory"]["version"], "similarTo" in answer.body) == (1, False)

    def test_of_several_the_nearest_is_the_one_replaced(self, owner: Caller) -> None:
        owner.remember(" ".join(WORDS[2:12]))
        nearest = owner.remember(TEN)["memory"]["id"]

        assert owner.remember(" ".join(WORDS[:9]))["memory"]["parentId"] == nearest


class TestChain:
    @pytest.fixture
    def chain(self, owner: Caller) -> list[str]:
        return [owner.remember(f"{TEN} {n}")["memory"]["id"] for n in (1, 2, 3)]

    def test_three_versions_hang_together(self, owner: Caller, chain: list[str]) -> None:
        rows = owner.get("memories")["memories"]

        assert [row["id"] for row in rows] == chain
        assert [row["version"] for row in rows] == [1, 2, 3]
        assert [row.get("parentId") for row in rows] == [None, chain[0], chain[1]]
        assert [row["isLatest"] for row in rows] == [False, False, True]

    def test_only_the_newest_is_found_at_once(self, owner: Caller, chain: list[str]) -> None:
        assert owner.found("alder") == chain[2:]
        assert list(SearchEntry.objects.values_list("object_id", flat=True)) == chain[2:]

    def test_older_versions_can_still_be_read(self, owner: Caller, chain: list[str]) -> None:
        assert owner.get(f"memories/{chain[0]}")["memory"]["content"] == f"{TEN} 1"
        expanded = owner.post("smart-search", {"expandIds": [chain[0]]})["results"]
        assert expanded[0]["observation"]["version"] == 1

    def test_forgetting_the_newest_forgets_its_past(self, owner: Caller, chain: list[str]) -> None:
        assert owner.post("forget", {"memoryId": chain[2]}).body == {"success": True, "deleted": 3}
        assert Memory.objects.count() == 0
        assert owner.found("alder") == []

    def test_forgetting_an_older_version_keeps_the_newer_ones(self, owner: Caller, chain: list[str]) -> None:
        assert owner.post("forget", {"memoryId": chain[1]})["deleted"] == 2
        left = owner.get("memories")["memories"]
        assert [(row["id"], row["version"], "parentId" in row) for row in left] == [(chain[2], 3, False)]
        assert owner.remember(f"{TEN} 4")["memory"]["version"] == 4

    def test_every_change_is_in_the_audit(self, owner: Caller, chain: list[str]) -> None:
        owner.post("forget", {"memoryId": chain[2], "reason": "it was wrong"})

        rows = [(row.operation, row.target_ids) for row in AuditEntry.objects.order_by("timestamp", "id")]
        assert rows == [
            ("remember", [chain[0]]),
            ("remember", [chain[1], chain[0]]),
            ("remember", [chain[2], chain[1]]),
            ("forget", chain[::-1]),
        ]
        assert AuditEntry.objects.get(operation="forget").details == {"why": "it was wrong"}


class TestSaved:
    def test_what_is_not_said_has_its_default(self, owner: Caller) -> None:
        memory = Caller().remember("  prune in winter  ", project=None)["memory"]

        assert {key: memory[key] for key in ("type", "content", "strength", "version", "concepts", "files")} == {
            "type": "fact",
            "content": "  prune in winter  ",
            "strength": 7,
            "version": 1,
            "concepts": [],
            "files": [],
        }
        assert memory["origin"]["channel"] == "agent"
        assert not {"project", "agentId", "forgetAfter", "parentId"} & set(memory)

    def test_what_is_said_is_kept(self, owner: Caller) -> None:
        memory = owner.remember(
            "prune in winter",
            type="workflow",
            title="Pruning",
            concepts=["pruning", " ", "winter"],
            files=["a.md"],
            sessionId="s1",
            ttlDays=1.5,
        )["memory"]

        assert (memory["type"], memory["title"], memory["concepts"]) == ("workflow", "Pruning", ["pruning", "winter"])
        assert (memory["files"], memory["sessionIds"], memory["agentId"]) == (["a.md"], ["s1"], "owner")
        made, due = parse_datetime(memory["createdAt"]), parse_datetime(memory["forgetAfter"])
        assert made is not None
        assert due is not None
        assert due - made == timedelta(days=1.5)

    @pytest.mark.parametrize("kind", ["opinion", "", 7, None, ["fact"]], ids=repr)
    def test_another_type_is_a_fact(self, owner: Caller, kind: object) -> None:
        answer = owner.post("remember", {"content": "prune", "type": kind})

        assert (answer.status, answer["memory"]["type"]) == (201, "fact")

    @pytest.mark.parametrize("days", [0, -1, "3", True, [], None], ids=repr)
    def test_a_life_that_is_no_positive_number_is_endless(self, owner: Caller, days: object) -> None:
        answer = owner.post("remember", {"content": "prune", "ttlDays": days})

        assert (answer.status, "forgetAfter" in answer["memory"]) == (201, False)

    def test_a_life_beyond_every_calendar_is_refused(self, owner: Caller) -> None:
        assert owner.remember("prune", ttlDays=1e300).body == {"error": "ttlDays must be at most 36500"}

    @pytest.mark.parametrize(
        ("content", "title"),
        [("x" * 100, "x" * 80), ("🌳" * 41, "🌳" * 40), ("a" + "🌳" * 41, "a" + "🌳" * 39)],
        ids=["80 characters", "80 UTF-16 units", "no character is cut in two"],
    )
    def test_the_title_is_the_beginning(self, owner: Caller, content: str, title: str) -> None:
        assert owner.remember(content)["memory"]["title"] == title

    def test_ten_thousand_concepts_are_kept(self, owner: Caller) -> None:
        concepts = [f"concept{number}" for number in range(10_000)]

        answer = owner.remember("prune", concepts=concepts)

        assert (answer.status, answer["memory"]["concepts"]) == (201, concepts)
        assert owner.found("concept9999") == [answer["memory"]["id"]]


class TestListed:
    @pytest.fixture
    def four(self, owner: Caller) -> list[str]:
        return [owner.remember(f"{word} trees")["memory"]["id"] for word in WORDS[:4]]

    def test_in_pages_oldest_first(self, owner: Caller, four: list[str]) -> None:
        page = owner.get("memories?limit=2&offset=1")

        assert [row["id"] for row in page["memories"]] == four[1:3]
        assert (page["total"], page["offset"], page["limit"]) == (4, 1, 2)

    def test_without_a_limit_all_of_them(self, owner: Caller, four: list[str]) -> None:
        page = owner.get("memories")

        assert [row["id"] for row in page["memories"]] == four
        assert (page["total"], page["limit"]) == (4, None)

    def test_counted_with_and_without_their_past(self, owner: Caller, four: list[str]) -> None:
        owner.remember("alder  trees")

        assert owner.get("memories?count=true").body == {"total": 5, "latestCount": 4}
        latest = owner.get("memories?latest=true")["memories"]
        assert len(latest) == 4
        assert four[0] not in [row["id"] for row in latest]

    def test_those_of_nobody_only_when_asked_for(self, owner: Caller, four: list[str]) -> None:
        nobodys = Caller().remember("nobody's walnut")["memory"]["id"]

        def ids(query: str) -> list[str]:
            return [row["id"] for row in owner.get(f"memories?agentId=owner{query}")["memories"]]

        assert ids("") == four
        assert ids("&includeOrphans=true") == [*four, nobodys]

    @pytest.mark.parametrize("page", ["limit=-1", "limit=0", "limit=x", "offset=-3", "limit=99999999999999"])
    def test_nonsense_pages_are_read_leniently(self, owner: Caller, four: list[str], page: str) -> None:
        answer = owner.get(f"memories?{page}")

        assert (answer.status, len(answer["memories"])) == (200, 4)


class TestOne:
    @pytest.mark.parametrize("id", ["mem_nobody", "a/b/c", "%2F%25", "%E8%AE%B0%E5%BF%86", "x" * 1000, "%00", "%FF"])
    def test_an_unknown_one_is_said_to_be_unknown(self, owner: Caller, id: str) -> None:
        answer = owner.get(f"memories/{id}")

        assert answer.status == 404
        assert answer["error"].startswith("memory not found: ")

    def test_the_words_name_the_id(self, owner: Caller) -> None:
        assert owner.get("memories/mem_x%2Fy").body == {"error": "memory not found: mem_x/y"}

    def test_a_blank_id_is_refused(self, owner: Caller) -> None:
        assert owner.get("memories/%20").body == {"error": "id path parameter is required"}


class TestForget:
    def test_an_unknown_memory_counts_nothing(self, owner: Caller) -> None:
        assert owner.post("forget", {"memoryId": "mem_nobody"}).body == {"success": True, "deleted": 0}

    def test_a_session_goes_with_all_it_has(self, owner: Caller) -> None:
        for number in range(3):
            owner.ran(f"echo {number}", "quince")

        assert owner.post("forget", {"sessionId": "s1"}).body == {"success": True, "deleted": 5}
        assert (Session.objects.count(), Observation.objects.count(), SearchEntry.objects.count()) == (0, 0, 0)
        assert owner.found("quince") == []

    def test_an_unknown_session_counts_nothing(self, owner: Caller) -> None:
        assert owner.post("forget", {"sessionId": "nobody"})["deleted"] == 0

    def test_observations_of_a_session_and_no_other(self, owner: Caller) -> None:
        mine = [owner.ran(f"echo {number}", "quince")["observationId"] for number in range(2)]
        other = owner.ran("echo", "quince", sessionId="s2")["observationId"]

        answer = owner.post("forget", {"sessionId": "s1", "observationIds": [mine[0], other, "obs_nobody"]})

        assert answer["deleted"] == 1
        assert sorted(owner.found("quince")) == sorted([mine[1], other])
        assert Session.objects.get(pk="s1").observation_count == 1

    def test_an_empty_list_is_no_whole_session(self, owner: Caller) -> None:
        owner.observe()

        assert owner.post("forget", {"sessionId": "s1", "observationIds": []})["deleted"] == 0
        assert Observation.objects.count() == 1

    def test_a_memory_and_observations_together(self, owner: Caller) -> None:
        memory = owner.remember("pears")["memory"]["id"]
        seen = owner.observe()["observationId"]

        answer = owner.post("forget", {"memoryId": memory, "sessionId": "s1", "observationIds": [seen]})

        assert answer["deleted"] == 2

    @pytest.mark.parametrize("body", [{}, {"observationIds": ["obs_1"]}, {"memoryId": " ", "sessionId": ""}], ids=repr)
    def test_nothing_named_is_refused(self, owner: Caller, body: dict[str, object]) -> None:
        answer = owner.post("forget", body)

        assert (answer.status, answer.body) == (400, {"error": "sessionId or memoryId is required"})

    def test_a_forgotten_event_may_be_stored_again(self, owner: Caller) -> None:
        owner.ran("ls", "quince", sessionId="s1")
        owner.post("forget", {"sessionId": "s1"})

        assert "observationId" in owner.ran("ls", "quince", sessionId="s1").body
