"""What stands beside a hit, who said it, and whether it was said before, each moves a record, and how far."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from memory_core.domain.scope import Scope
from memory_core.flows import embed, embedding, recall
from memory_core.index import entries, spaces, statistics
from memory_core.models import Session
from memory_core.retrieve.search import ARM_OF, Hit
from tests.fakes import records
from tests.fakes.embedder import HashingEmbedder

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("words_only")]

START = datetime(2026, 5, 4, 9, tzinfo=UTC)


def said(id: str, text: str, *, minute: int = 0, session: str = "s1", hook: str = "notification") -> str:
    """One turn of a session."""
    when = START + timedelta(minutes=minute)
    own = Session.objects.filter(pk=session).first() or records.session(session, project=records.project("orchard"))
    records.observation(id, session=own, timestamp=when, narrative=text, title=text[:40], hook_type=hook)
    entry = entries.Searchable("observation", id, "orchard", "", own.pk, when, entries.analyse(text))
    entries.add(entry, now=when)
    return id


def answers(query: str, *, explain: bool = False) -> list[Hit]:
    while statistics.count_pending():
        pass
    scope = Scope(("orchard", ""), None)
    return recall.recall(query, scope=scope, limit=20, now=START, log=False, explain=explain).hits


def order(query: str) -> list[str]:
    return [hit.object_id for hit in answers(query)]


def noise(count: int = 30) -> None:
    for number in range(count):
        said(f"obs_noise_{number:02}", f"unrelated chatter {number}", minute=number, session=f"n{number}")


class TestWhatStandsBeside:
    def test_a_turn_without_a_word_of_the_question_is_found_beside_one_that_has_them(self) -> None:
        noise()
        said("obs_ask", "which codec does the thumbnailer use", minute=1)
        said("obs_answer", "webp, at quality eighty", minute=2)

        assert order("codec of the thumbnailer")[:2] == ["obs_ask", "obs_answer"]

    def test_a_record_that_says_everything_itself_stays_before_one_beside_the_best(self) -> None:
        noise()
        said("obs_best", "the thumbnailer codec is webp, the thumbnailer codec was jpeg", minute=1)
        said("obs_beside", "fine, go on", minute=2)
        said("obs_own", "the thumbnailer has a codec", minute=1, session="s2")

        found = order("thumbnailer codec")

        assert found.index("obs_best") < found.index("obs_own") < found.index("obs_beside")

    def test_evidence_beside_is_told_with_its_stream(self) -> None:
        noise()
        said("obs_ask", "which codec does the thumbnailer use", minute=1)
        said("obs_answer", "webp, at quality eighty", minute=2)

        by_id = {hit.object_id: hit.evidence for hit in answers("thumbnailer codec", explain=True)}

        assert "lexical" not in by_id["obs_answer"]
        assert by_id["obs_ask"]["near_lexical"][0] < by_id["obs_answer"]["near_lexical"][0]


class TestWhoSaidIt:
    def turns(self) -> None:
        noise()
        said("obs_user", "the budget tracker shall use sqlite", session="s1", hook="prompt_submit")
        said("obs_agent", "the budget tracker shall use sqlite, budget tracker, sqlite", session="s2", hook="stop")

    def test_a_question_about_my_own_matters_prefers_what_i_said(self) -> None:
        self.turns()

        assert order("budget tracker sqlite")[0] == "obs_agent"
        assert order("which database did I choose for my budget tracker sqlite")[0] == "obs_user"

    def test_a_question_about_the_agents_advice_prefers_what_it_answered(self) -> None:
        noise()
        said(
            "obs_user", "use sqlite for the budget tracker, sqlite, budget tracker", session="s1", hook="prompt_submit"
        )
        said("obs_agent", "use sqlite for the budget tracker", session="s2", hook="stop")

        assert order("use sqlite budget tracker")[0] == "obs_user"
        assert order("what did you recommend: use sqlite budget tracker")[0] == "obs_agent"

    def test_tools_and_memories_are_nobodys_answer(self) -> None:
        self.turns()
        said("obs_tool", "budget tracker sqlite migration ran", session="s3", hook="post_tool_use")
        records.memory("mem_1", project=records.project("orchard"), content="budget tracker on sqlite")
        note = entries.Searchable(
            "memory", "mem_1", "orchard", "", "", START, entries.analyse("budget tracker on sqlite")
        )
        entries.add(note, now=START)

        shares = {hit.object_id: hit.voice for hit in answers("my budget tracker sqlite")}

        assert shares.pop("obs_agent") < 1
        assert set(shares.values()) == {1.0}


class TestWhatWasSaidBefore:
    def test_a_repetition_goes_behind_what_is_new(self) -> None:
        noise()
        for number in range(3):
            said(
                f"obs_run_{number}", "pytest failed: fixture orchard_database not found", minute=9 * number, session="r"
            )
        said("obs_fix", "the fixture orchard_database was renamed in the suite last week", session="f")

        hits = answers("fixture orchard_database")
        found = [hit.object_id for hit in hits]

        assert found[:2] == ["obs_run_0", "obs_fix"]
        assert {hit.object_id: hit.repeats for hit in hits if hit.repeats} == {
            "obs_run_1": "obs_run_0",
            "obs_run_2": "obs_run_0",
        }


class TestAModelThatCannotRead:
    @pytest.fixture
    def latin_only(self) -> Iterator[None]:
        own = HashingEmbedder()
        embedding.use(own)
        yield
        embedding.use(None)

    @pytest.mark.usefixtures("latin_only")
    def test_it_is_not_asked_and_says_nothing(self) -> None:
        said("obs_zh", "编解码器是 webp")
        said("obs_en", "the codec is webp", session="s2")
        space = spaces.guard(embedding.embedder())
        assert space is not None
        while embed.drain_once(space, embedding.embedder(), lambda: START + timedelta(days=1)):
            pass

        chinese = {stream for hit in answers("编解码器", explain=True) for stream in hit.evidence}
        english = {stream for hit in answers("codec webp", explain=True) for stream in hit.evidence}

        assert "lexical" in chinese
        assert not {stream for stream in chinese if ARM_OF[stream] == "dense"}
        assert "dense" in english
