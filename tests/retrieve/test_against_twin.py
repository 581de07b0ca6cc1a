"""The recall statement ranks as the textbook's BM25 does, document by document."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_core.domain import tunables_index
from memory_core.domain.scope import Scope
from memory_core.index import entries, statistics
from memory_core.index.analysis import analyzer
from memory_core.retrieve import search
from tests.fakes import records
from tests.text.reference_bm25 import rank

pytestmark = pytest.mark.django_db

WORDS = ["quince", "medlar", "pear", "graft", "prune", "ladder", "winter", "basket"]
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
corpora = st.lists(texts, min_size=1, max_size=9)


def index(corpus: list[str], project: str = "orchard") -> None:
    """Store the texts as memories, counted, their weights made with the true average length."""
    for number, text in enumerate(corpus):
        id = f"mem_{project}_{number}"
        records.memory(id, project=records.project(project), content=text)
        entries.add(
            entries.Searchable("memory", id, project, "", "", records.MOMENT, entries.analyse(text)),
            now=records.MOMENT,
        )
    statistics.count_pending()
    statistics.forget_averages()
    while statistics.reweigh_drifted():
        pass


def ranked(query: str, project: str = "orchard") -> list[tuple[int, float]]:
    """(number of the text, score of the lexical arm), in the statement's order."""
    request = search.Request(scope=Scope((project, "")), limit=50, weights={"lexical": 1.0}, explain=True)
    hits = search.search(analyzer().analyze(query).terms, None, request)
    return [(int(hit.object_id.rpartition("_")[2]), hit.evidence["lexical"][1]) for hit in hits]


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(corpora, texts, corpora)
def test_the_statement_and_the_textbook_agree(corpus: list[str], query: str, others: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        patch.setattr(tunables_index, "AVERAGE_LENGTH_DRIFT", 1e-9)
        index(corpus)
        index(others, project="quarry")

        given_back = ranked(query)

        weights = dict.fromkeys(analyzer().analyze(query).terms, 1.0)
        expected = dict(rank(weights, [analyzer().analyze(text) for text in corpus]))
        assert dict(given_back) == pytest.approx(expected, rel=1e-4)
        scores = [expected[number] for number, _ in given_back]
        assert all(earlier >= later * (1 - 1e-4) for earlier, later in pairwise(scores))
        transaction.set_rollback(True)


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    index(["quince basket", "medlar basket", "pear basket", "graft basket", "ladder winter"])

    assert ranked("quince basket")[0][0] == 0
    assert ranked("quince")[0][1] > ranked("ladder basket")[-1][1]


def test_equal_texts_are_ordered_by_id() -> None:
    index(["quince"] * 4)

    assert [number for number, _ in ranked("quince")] == [0, 1, 2, 3]


def test_in_a_large_corpus_common_words_score_but_give_no_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_core.domain.tunables_recall.CANDIDATE_BUDGET", 5)
    index(["quince basket", *["medlar basket"] * 12])

    assert [number for number, _ in ranked("quince basket")] == [0]
    assert len(ranked("basket")) == 13  # where no word is rare the rarest gives them


def test_words_that_stand_nowhere_do_not_crowd_out_those_that_do() -> None:
    index(["quince"])

    assert [number for number, _ in ranked("quince " + " ".join(f"word{n}" for n in range(500)))] == [0]
