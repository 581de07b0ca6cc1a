"""The nearest nodes of a neighbourhood, by laws that hold for every one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain import tunables_graph as tunables
from memory_core.domain.graph import Neighbourhood, Seen, Tie
from memory_core.graph.traversal import passed_on, reach, telling

RECORDS = 1_000


@st.composite
def neighbourhoods(draw: st.DrawFn) -> Neighbourhood:
    nodes = {n: Seen(f"n{n}", draw(st.integers(1, 150))) for n in range(draw(st.integers(1, 8)))}
    ends = st.sampled_from(sorted(nodes))
    ties = [
        Tie(a, b, draw(st.integers(1, 50)), draw(st.floats(0.05, 1.0)))
        for a, b in draw(st.lists(st.tuples(ends, ends), max_size=14))
        if a != b
    ]
    starts = draw(st.dictionaries(ends, st.floats(0.1, 1.0), min_size=1, max_size=3))
    return Neighbourhood(starts, nodes, ties, RECORDS)


def chain(*records: int, weight: float = 0.4) -> Neighbourhood:
    """Nodes 0, 1, 2, ... each joined to the next by one record; the question names 0."""
    nodes = {n: Seen(f"n{n}", count) for n, count in enumerate(records)}
    ties = [Tie(n, n + 1, 1, weight) for n in range(len(records) - 1)]
    return Neighbourhood({0: 1.0}, nodes, ties, RECORDS)


def test_each_further_edge_takes_its_share() -> None:
    found = reach(chain(1, 1, 1))

    step = tunables.HOP_DECAY * 0.4
    assert {node: one.score for node, one in found.items()} == pytest.approx({0: 1.0, 1: step, 2: step**2})
    assert found[2].path == (0, 1, 2)


def test_what_is_reached_from_two_things_of_the_question_counts_twice() -> None:
    both = replace(chain(1, 1, 1), starts={0: 1.0, 2: 1.0})

    assert reach(both)[1].score == pytest.approx(2 * reach(chain(1, 1, 1))[1].score)


def test_a_hub_is_neither_reached_nor_passed_through() -> None:
    assert set(reach(chain(1, 101, 1))) == {0}


def test_a_common_name_counts_less_than_a_rare_one() -> None:
    assert 0 < reach(chain(1, 25))[1].score < reach(chain(1, 1))[1].score


def test_the_stronger_of_two_edges_between_the_same_nodes_counts() -> None:
    around = chain(1, 1)
    doubled = replace(around, ties=[*around.ties, Tie(1, 0, 1, 0.9)])

    assert reach(doubled)[1].score == pytest.approx(tunables.HOP_DECAY * 0.9)


@given(neighbourhoods())
def test_paths_are_real_and_scores_are_bounded_and_ordered(around: Neighbourhood) -> None:
    found = reach(around)

    joined = {frozenset((tie.source, tie.target)) for tie in around.ties}
    most = sum(around.starts.values())
    for node, one in found.items():
        assert 0 < one.score <= most * (1 + 1e-9)
        assert one.path[0] in around.starts
        assert one.path[-1] == node
        assert all(frozenset(step) in joined for step in pairwise(one.path))
        assert all(telling(around.nodes[passed].records, RECORDS) > 0 for passed in one.path)
    scores = [one.score for one in found.values()]
    assert scores == sorted(scores, reverse=True)


@given(neighbourhoods())
def test_the_order_in_which_edges_were_read_does_not_matter(around: Neighbourhood) -> None:
    mirrored = [replace(tie, source=tie.target, target=tie.source) for tie in reversed(around.ties)]

    found = reach(around)
    other = reach(replace(around, ties=mirrored))
    assert {node: one.score for node, one in other.items()} == pytest.approx(
        {node: one.score for node, one in found.items()}
    )


@given(neighbourhoods())
def test_no_path_is_better_than_the_one_that_was_taken(around: Neighbourhood) -> None:
    for start, share in around.starts.items():
        found = reach(replace(around, starts={start: share}))
        for tie in around.ties:
            for here, there in ((tie.source, tie.target), (tie.target, tie.source)):
                if here in found and there in found:
                    own = found[here].score / telling(around.nodes[here].records, RECORDS)
                    next_ = found[there].score / telling(around.nodes[there].records, RECORDS)
                    assert next_ >= own * passed_on(tie, around) * (1 - 1e-9)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_name_tells_the_less_the_more_records_have_it(records: int, everything: int) -> None:
    assert 0 <= telling(records + 1, everything + 1) <= telling(records, everything + 1) <= 1
