"""Sets through the product: stored once, asked in their own project, by streams that can be silenced."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

from benchmarks.freshness import write_path_digest
from benchmarks.retrieval import asking, loading
from benchmarks.retrieval.sets import FIRST_UNDATED, Document, RetrievalSet
from memory_core.flows import embedding, recall
from memory_core.models import Observation

pytestmark = pytest.mark.django_db
TEXTS = {
    "d0": "the lighthouse keeper counts ships",
    "d1": "bread needs salt and patience",
    "d2": "lighthouse paint is white",
}
SMALL = RetrievalSet(
    "small",
    [
        Document(name, "s", "other" if name == "d2" else "own", FIRST_UNDATED + timedelta(seconds=n), "user", text)
        for n, (name, text) in enumerate(TEXTS.items())
    ],
    [{"query_id": "q", "project": "own", "query": "lighthouse", "category": "c", "timestamp": None}],
)


@pytest.fixture
def progress() -> Progress:
    return Progress(console=Console(quiet=True))


@pytest.fixture(autouse=True)
def words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "question", lambda text: (None, "no vectors in this test"))


def test_a_document_is_stored_once(progress: Progress) -> None:
    first, again = loading.store(SMALL, progress), loading.store(SMALL, progress)

    assert (first, again, Observation.objects.count()) == (3, 0, 3)


def test_a_question_sees_its_own_project_and_gets_document_ids(progress: Progress) -> None:
    loading.store(SMALL, progress)
    loading.count()

    run = asking.ask(SMALL, loading.document_ids(SMALL), progress, leaving_out=None)

    assert [row["query_id"] for row in run.rows] == ["q"]
    assert run.rows[0]["ranked"][0] == "d0"
    assert "d2" not in run.rows[0]["ranked"]
    assert run.degraded == {"dense": "no vectors in this test"}
    assert "lexical" in run.streams


def test_a_silenced_stream_has_no_vote_the_others_keep_theirs_and_it_votes_again_afterwards() -> None:
    whole = recall.weights(None)

    with asking.without("lexical"):
        silenced = recall.weights(None)

    assert silenced == {**whole, "lexical": 0.0}
    assert recall.weights(None) == whole
    assert whole["lexical"] > 0


@pytest.mark.parametrize("name", asking.WAYS)
def test_a_way_to_widen_a_question_can_be_left_out_and_the_others_stay(name: str) -> None:
    before = recall.ways()

    with asking.without(name):
        assert recall.ways() == before - {asking.WAYS[name]}
    assert recall.ways() == before
    assert name in asking.widened_by()


def test_documents_that_are_not_stored_are_an_error(progress: Progress) -> None:
    loading.store(RetrievalSet("small", SMALL.documents[:2], []), progress)

    with pytest.raises(RuntimeError, match="1 of 3"):
        loading.document_ids(SMALL)


@pytest.mark.django_db(transaction=True)
def test_a_database_of_another_write_path_is_emptied(tmp_path: Path, progress: Progress) -> None:
    loading.store(SMALL, progress)

    assert not loading.forget_if_stale(tmp_path)
    assert Observation.objects.count() == 3
    (tmp_path / "write-path").write_text("of another version")
    assert loading.forget_if_stale(tmp_path)
    assert Observation.objects.count() == 0
    assert (tmp_path / "write-path").read_text() == write_path_digest()
