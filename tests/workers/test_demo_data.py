"""The demo's data keeps its promise: no question is answered by its own words."""

from __future__ import annotations

import pytest

from workers.demo import data


@pytest.mark.parametrize("question", data.questions(), ids=lambda question: question.query)
def test_a_keyword_search_finds_nothing(question: data.Question) -> None:
    assert data.keyword_hits(question) == []


@pytest.mark.parametrize("question", data.questions(), ids=lambda question: question.query)
def test_the_answer_is_in_the_project_that_is_asked(question: data.Question) -> None:
    assert question.project in {event.project for event in data.events() if event.session == question.session}


def test_a_keyword_search_does_find_what_repeats_the_words() -> None:
    found = data.keyword_hits(data.Question("everlore-demo/lantern", "Where is the partial index?", ""))

    assert any("customer_id" in event.text for event in found)


def test_every_event_has_a_name_of_its_own() -> None:
    names = [event.event_id for event in data.events()]

    assert len(set(names)) == len(names)


def test_there_are_three_sessions_in_two_projects_and_one_asks_in_chinese() -> None:
    assert len(data.sessions()) == 3
    assert len({event.project for event in data.events()}) == 2
    assert any("\u4e00" <= character <= "\u9fff" for question in data.questions() for character in question.query)
