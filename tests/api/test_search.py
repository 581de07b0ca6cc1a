"""A question is answered compact or whole, within its limits; ids are expanded."""

from __future__ import annotations

import json
import math

import pytest

from memory_core.domain.tunables_recall import OTHER_VOICE_SHARE
from memory_core.models import AccessLog
from tests.fakes.client import Caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(owner: Caller) -> list[str]:
    """Three observations of a quince, the newest last."""
    return [
        owner.ran(f"tree {n}", "quince " + "leaf " * 100 * n, timestamp=f"2026-03-01T12:00:0{n}Z")["observationId"]
        for n in (1, 2, 3)
    ]


class TestFormats:
    def test_full_gives_the_records(self, owner: Caller, three: list[str]) -> None:
        answer = owner.post("search", {"query": "quince"})

        assert (answer.status, answer["format"], answer["truncated"]) == (200, "full", False)
        assert sorted(row["observation"]["id"] for row in answer["results"]) == sorted(three)
        first = answer["results"][0]
        assert set(first) == {"observation", "score", "sessionId"}
        assert first["observation"]["sessionId"] == first["sessionId"] == "s1"

    def test_compact_gives_what_a_list_shows(self, owner: Caller, three: list[str]) -> None:
        row = owner.post("search", {"query": "quince", "format": "  COMPACT "})["results"][0]

        assert {"obsId", "sessionId", "title", "type", "score", "timestamp"} <= set(row)
        assert row["obsId"] in three
        assert "observation" not in row

    def test_narrative_gives_a_text_too(self, owner: Caller, three: list[str]) -> None:
        answer = owner.post("search", {"query": "quince", "format": "narrative"})

        rows = answer["results"]
        assert answer["text"] == "\n\n".join(f"{n}. {r['title']}\n{r['narrative']}" for n, r in enumerate(rows, 1))

    def test_another_format_is_refused(self, owner: Caller) -> None:
        answer = owner.post("search", {"query": "quince", "format": "haiku"})

        assert (answer.status, answer.body) == (400, {"error": "format must be one of: full, compact, narrative"})

    def test_a_memory_looks_like_an_observation(self, owner: Caller) -> None:
        memory = owner.remember("quince needs frost", type="pattern")["memory"]

        shown = owner.post("search", {"query": "quince"})["results"][0]["observation"]

        assert shown["id"] == memory["id"]
        assert (shown["type"], shown["sessionId"], shown["memoryType"]) == ("decision", "memory", "pattern")
        assert (shown["facts"], shown["narrative"]) == (["quince needs frost"], "quince needs frost")
        assert shown["importance"] == 7


class TestBudget:
    @pytest.mark.parametrize("form", ["full", "compact", "narrative"])
    @pytest.mark.parametrize("budget", [1, 100, 400, 2000])
    @pytest.mark.usefixtures("three")
    def test_what_is_given_fits(self, owner: Caller, form: str, budget: int) -> None:
        answer = owner.post("search", {"query": "quince", "format": form, "token_budget": budget})

        cost = sum(
            math.ceil(len(json.dumps(row, ensure_ascii=False, separators=(",", ":"))) / 3) for row in answer["results"]
        )
        assert answer["tokens_used"] == cost <= budget == answer["tokens_budget"]
        assert answer["truncated"] == (len(answer["results"]) < 3)

    @pytest.mark.usefixtures("three")
    def test_without_a_budget_nothing_is_cut(self, owner: Caller) -> None:
        answer = owner.post("search", {"query": "quince"})

        assert "tokens_budget" not in answer.body
        assert not answer["truncated"]

    @pytest.mark.parametrize("budget", [0, -1, "100", 1.5, True, []], ids=repr)
    def test_a_budget_that_is_none_is_refused(self, owner: Caller, budget: object) -> None:
        answer = owner.post("search", {"query": "quince", "token_budget": budget})

        assert (answer.status, answer.body) == (400, {"error": "token_budget must be a positive integer"})


class TestLimits:
    @pytest.mark.usefixtures("three")
    def test_as_many_as_asked_for(self, owner: Caller) -> None:
        assert len(owner.post("search", {"query": "quince", "limit": 2})["results"]) == 2
        assert len(owner.found("quince", limit=2)) == 2

    @pytest.mark.parametrize("limit", ["5", 0, -3, 1.5, True, [1]], ids=repr)
    def test_search_refuses_a_limit_that_is_none(self, owner: Caller, limit: object) -> None:
        answer = owner.post("search", {"query": "quince", "limit": limit})

        assert (answer.status, answer.body) == (400, {"error": "limit must be a positive integer"})

    @pytest.mark.usefixtures("three")
    @pytest.mark.parametrize(
        ("limit", "given"), [(0, 1), (-5, 1), (2.9, 2), (10**9, 3), ("x", 3), (None, 3), (True, 3)]
    )
    def test_smart_search_takes_any_limit_for_something(self, owner: Caller, limit: object, given: int) -> None:
        assert len(owner.found("quince", limit=limit)) == given

    @pytest.mark.usefixtures("three")
    def test_above_a_hundred_is_a_hundred(self, owner: Caller) -> None:
        assert owner.post("search", {"query": "quince", "limit": 10**30}).status == 200


class TestScores:
    @pytest.mark.usefixtures("three")
    def test_best_first_between_nothing_and_all(self, owner: Caller) -> None:
        scores = [row["score"] for row in owner.post("smart-search", {"query": "quince leaf"})["results"]]

        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1.1 for score in scores)

    @pytest.mark.usefixtures("three")
    def test_the_same_question_has_the_same_answer(self, owner: Caller) -> None:
        assert owner.found("quince leaf") == owner.found("quince leaf")

    def test_no_session_fills_the_answer_while_others_have_something(self, owner: Caller) -> None:
        for number in range(14):
            owner.ran(f"a{number}", "quince quince quince", sessionId="loud")
        owner.ran("b", "one quince among many other words here", sessionId="quiet")

        rows = owner.post("smart-search", {"query": "quince", "limit": 11})["results"]

        assert [row["sessionId"] for row in rows] == ["loud"] * 10 + ["quiet"]

    def test_what_could_not_take_part_is_said(self, owner: Caller) -> None:
        owner.remember("quince")

        for path in ("search", "smart-search"):
            assert owner.post(path, {"query": "quince"})["degraded"] == {"dense": "no model in this test"}


class TestSmartSearch:
    @pytest.mark.usefixtures("three")
    def test_compact_by_default_with_lessons_unless_refused(self, owner: Caller) -> None:
        answer = owner.post("smart-search", {"query": "quince"})

        assert (answer["mode"], answer["lessons"]) == ("compact", [])
        assert "lessons" not in owner.post("smart-search", {"query": "quince", "includeLessons": False}).body

    def test_a_blank_question_is_answered_as_the_protocol_does(self, owner: Caller) -> None:
        answer = owner.post("smart-search", {"query": "  "})

        assert (answer.status, answer.body) == (
            200,
            {"mode": "compact", "results": [], "error": "query is required"},
        )

    @pytest.mark.parametrize("body", [{}, {"query": None}, {"expandIds": []}, {"expandIds": None}], ids=repr)
    def test_neither_question_nor_ids_is_refused(self, owner: Caller, body: dict[str, object]) -> None:
        answer = owner.post("smart-search", body)

        assert (answer.status, answer.body) == (400, {"error": "query or expandIds is required"})

    def test_ids_and_objects_expand_alike_memories_too(self, owner: Caller, three: list[str]) -> None:
        memory = owner.remember("quince needs frost")["memory"]["id"]

        answer = owner.post("smart-search", {"expandIds": [memory, {"obsId": three[0], "sessionId": "s1"}]})

        assert (answer["mode"], answer["truncated"]) == ("expanded", False)
        assert [(row["obsId"], row["observation"]["id"]) for row in answer["results"]] == [
            (memory, memory),
            (three[0], three[0]),
        ]

    def test_unknown_ids_are_left_out_and_twins_given_once(self, owner: Caller, three: list[str]) -> None:
        answer = owner.post("smart-search", {"expandIds": ["obs_nobody", three[0], three[0]]})

        assert [row["obsId"] for row in answer["results"]] == [three[0]]

    def test_twenty_are_expanded_and_more_are_said_to_be_cut(self, owner: Caller, three: list[str]) -> None:
        padding = [f"obs_{number}" for number in range(19)]

        within = owner.post("smart-search", {"expandIds": [*padding, three[0]]})
        beyond = owner.post("smart-search", {"expandIds": [*padding, "obs_x", three[0]]})

        assert ([row["obsId"] for row in within["results"]], within["truncated"]) == ([three[0]], False)
        assert (beyond["results"], beyond["truncated"]) == ([], True)

    @pytest.mark.parametrize("ids", ["obs_1", {"obsId": "x"}, [1], [{"id": "x"}], [["x"]], ["x" * 513]], ids=repr)
    def test_what_is_no_list_of_ids_is_refused(self, owner: Caller, ids: object) -> None:
        answer = owner.post("smart-search", {"expandIds": ids})

        assert answer.status == 400
        assert answer["error"].startswith("expandIds must be an array of ids")


def test_what_was_given_back_is_counted(owner: Caller, three: list[str]) -> None:
    owner.found("quince")
    owner.post("smart-search", {"expandIds": [three[0]]})

    counted = {row.object_id: (row.count, len(row.recent)) for row in AccessLog.objects.all()}
    assert counted == {three[0]: (2, 2), three[1]: (1, 1), three[2]: (1, 1)}


def test_only_the_last_twenty_times_are_kept(owner: Caller, three: list[str]) -> None:
    for _ in range(25):
        owner.post("smart-search", {"expandIds": [three[0]]})

    row = AccessLog.objects.get(object_id=three[0])
    assert (row.count, len(row.recent), row.recent) == (25, 20, sorted(row.recent))


def test_a_search_may_stay_in_one_directory(owner: Caller) -> None:
    here = owner.ran("a", "quince", sessionId="here", cwd="/here")["observationId"]
    owner.ran("b", "quince", sessionId="there", cwd="/there")

    answer = owner.post("search", {"query": "quince", "cwd": "/here", "format": "compact"})

    assert [row["obsId"] for row in answer["results"]] == [here]


@pytest.mark.parametrize("query", ["???", "🦔" * 3, "' OR 1=1 --", "a & | ! <-> :*", "\\", "the of and"], ids=repr)
def test_a_question_without_words_or_with_operators_is_answered(owner: Caller, query: str) -> None:
    owner.remember("quince")

    assert owner.post("search", {"query": query}).status == 200
    assert owner.post("smart-search", {"query": query}).status == 200


def test_a_question_of_a_million_characters_is_cut_and_says_so(owner: Caller) -> None:
    memory = owner.remember("quince")["memory"]["id"]

    answer = owner.post("smart-search", {"query": "quince " + "and so on " * 100_000})

    assert [row["obsId"] for row in answer["results"]] == [memory]
    assert "10000 characters" in answer["degraded"]["query"]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("graft the medlars", "medlar grafting"),
        ("getUserName() returns None", "user name"),
        ("用户喜欢深色主题", "深色主题"),
        ("果樹園の水やり", "水やり"),
        ("open src/orchard/pruning.py", "pruning.py"),
        ("Straße nach Köln", "strasse koln"),
    ],
)
def test_words_are_found_in_other_forms_and_scripts(owner: Caller, said: str, asked: str) -> None:
    memory = owner.remember(said)["memory"]["id"]
    owner.remember("an unrelated remark about weather")

    assert owner.found(asked)[:1] == [memory]


class TestWhyARecordIsWhereItIs:
    def test_the_other_sides_words_tell_the_share_they_kept(self, owner: Caller) -> None:
        owner.prompted("the quince budget is forty")
        owner.observe(hookType="stop", data={"last_assistant_message": "the quince budget is forty, then"})

        answer = owner.post("smart-search", {"query": "what is my quince budget", "explain": True})

        assert [row.get("voice") for row in answer["results"]] == [None, OTHER_VOICE_SHARE]

    def test_a_repetition_names_what_it_repeats(self, owner: Caller) -> None:
        for spaces in (" ", "  "):
            owner.observe(hookType="notification", data={"message": f"quince{spaces}harvest is late"})

        first, second = owner.post("search", {"query": "quince harvest", "explain": True})["results"]

        assert second["repeats"] == first["observation"]["id"]

    def test_nothing_of_it_without_being_asked(self, owner: Caller) -> None:
        owner.observe(hookType="stop", data={"last_assistant_message": "the quince budget is forty"})

        (row,) = owner.post("smart-search", {"query": "what is my quince budget"})["results"]

        assert not {"explain", "voice", "repeats", "reranker", "path", "matchedTerms"} & set(row)
