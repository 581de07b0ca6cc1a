"""The counts of entries, terms and lengths follow the entries, whatever order they come and go in."""

from __future__ import annotations

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_core.domain import tunables_index
from memory_core.index import entries, statistics
from memory_core.index.entries import Searchable, analyse
from memory_core.models import CorpusStatistic, SearchEntry, TermStatistic
from memory_core.text.bm25 import document_weights, term_id
from memory_core.text.reweighing import from_sparsevec
from tests.fakes import records

pytestmark = pytest.mark.django_db

VOCABULARY = ["quince", "medlar", "pear", "graft", "prune"]
steps_taken = st.lists(
    st.tuples(
        st.sampled_from(["add", "count", "remove"]),
        st.integers(0, 4),
        st.lists(st.sampled_from(VOCABULARY), max_size=6),
    ),
    max_size=14,
)


def add(object_id: str, text: str, project: str = "orchard") -> None:
    records.project(project)
    entries.add(
        Searchable("memory", object_id, project, "", "", records.MOMENT, analyse(text)),
        now=records.MOMENT,
    )


def counted(project: str = "orchard") -> tuple[int, int, dict[int, int]]:
    """Entries, terms, and in how many entries each term stands; what stands in none is left out."""
    corpus = CorpusStatistic.objects.filter(project_id=project).first()
    terms = TermStatistic.objects.filter(project_id=project, entries__gt=0)
    return (
        corpus.entries if corpus else 0,
        corpus.terms if corpus else 0,
        {row.term_id: row.entries for row in terms},
    )


def test_an_entry_is_counted_once() -> None:
    add("mem_1", "quince quince medlar")

    assert (statistics.count_pending(), statistics.count_pending()) == (1, 0)
    assert counted() == (1, 3, {term_id("quinc"): 1, term_id("medlar"): 1})


def test_each_project_has_its_own_counts() -> None:
    add("mem_1", "quince")
    add("mem_2", "quince", project="quarry")

    statistics.count_pending()

    assert counted()[0] == counted("quarry")[0] == 1


def test_what_leaves_before_it_was_counted_is_not_taken_away() -> None:
    add("mem_1", "quince")
    statistics.count_pending()
    add("mem_2", "quince")

    entries.remove(["mem_2"])

    assert counted() == (1, 1, {term_id("quinc"): 1})


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["add", "count", "remove"]),
            st.integers(0, 4),
            st.lists(st.sampled_from(VOCABULARY), max_size=6),
        ),
        max_size=14,
    )
)
def test_in_any_order_they_come_to_what_a_recount_gives(steps: list[tuple[str, int, list[str]]]) -> None:
    with transaction.atomic():
        there: set[int] = set()
        for step, number, words in steps:
            if step == "add" and number not in there:
                add(f"mem_{number}", " ".join(words))
                there.add(number)
            elif step == "remove":
                entries.remove([f"mem_{number}"])
                there.discard(number)
            elif step == "count":
                statistics.count_pending()
        while statistics.count_pending():
            pass
        kept = counted()

        assert kept[0] == len(there) == SearchEntry.objects.count() == statistics.recount()
        assert counted() == kept
        transaction.set_rollback(True)


def test_weights_follow_when_the_average_length_drifts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tunables_index, "REWEIGH_BATCH", 2)
    for number in range(5):
        add(f"mem_{number}", "quince medlar pear")
    statistics.count_pending()

    rounds = []
    while done := statistics.reweigh_drifted():
        rounds.append(done)

    assert rounds == [2, 2, 1]
    for entry in SearchEntry.objects.all():
        assert entry.average_length == 3.0
        stored = from_sparsevec(entry.weights.to_text())
        fresh = document_weights({"quinc": 1, "medlar": 1, "pear": 1}, 3, 3.0)
        assert stored == pytest.approx(fresh, abs=1e-5)


def test_a_small_drift_is_left_alone() -> None:
    add("mem_1", "quince " * 60)
    statistics.count_pending()

    assert statistics.reweigh_drifted() == 0


def test_new_entries_are_weighed_with_the_projects_own_average() -> None:
    add("mem_1", "quince medlar pear")
    statistics.count_pending()
    statistics.forget_averages()

    add("mem_2", "quince")

    assert SearchEntry.objects.get(object_id="mem_2").average_length == 3.0
    assert statistics.average_length("quarry") == tunables_index.DEFAULT_AVERAGE_LENGTH


def test_a_project_whose_texts_hold_no_term_is_left_alone() -> None:
    add("mem_1", "?!")
    statistics.count_pending()
    statistics.forget_averages()

    assert statistics.reweigh_drifted() == 0
    assert statistics.average_length("orchard") == tunables_index.DEFAULT_AVERAGE_LENGTH
