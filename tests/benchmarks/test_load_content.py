"""The load benchmark's corpus: the same for ever, and like what agents report."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.load import content
from benchmarks.load.filling import hook_event


@pytest.mark.parametrize("number", [0, 719, 720, 99_999])
def test_an_event_is_the_same_every_time(number: int) -> None:
    assert content.event(number) == content.event(number)


def test_no_two_events_of_a_session_are_equal() -> None:
    shown = {(one.session_id, str(one.data)) for one in map(content.event, range(500))}

    assert len(shown) == 500


def test_sessions_are_whole_within_a_slice_of_the_seeding_so_that_two_processes_never_share_one() -> None:
    step = content.SESSIONS_A_ROUND * content.SESSION_EVENTS

    first = {content.session_of(number) for number in range(step)}
    second = {content.session_of(number) for number in range(step, 2 * step)}

    assert not first & second
    assert Counter(map(content.session_of, range(step))) == dict.fromkeys(first, content.SESSION_EVENTS)


def test_most_of_the_work_is_on_one_project() -> None:
    counts = Counter(content.project_of(session) for session in range(2_000))

    assert counts.most_common(1)[0][0] == content.PROJECTS[0]
    assert set(counts) == set(content.PROJECTS)


def test_some_sessions_are_chinese() -> None:
    said = [str(hook_event(number).data) for number in range(720 * 2) if content.session_of(number) == 11]

    assert any("\u4e00" <= character <= "\u9fff" for text in said for character in text)


def test_a_question_uses_words_of_the_corpus_it_asks() -> None:
    project, query = content.question(5, 50)

    assert project in content.PROJECTS
    assert any(word in str([content.event(number).data for number in range(50)]) for word in query.split())


def test_the_frequent_words_are_the_first_ones() -> None:
    counts = Counter(content.Writer(9).words(20_000))

    assert content.vocabulary()[0] == counts.most_common(1)[0][0]
    assert len(set(content.vocabulary())) >= content.VOCABULARY
