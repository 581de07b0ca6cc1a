"""Synonyms widen a query, once a term, and never with its own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain.errors import ConfigurationError
from memory_core.text import Analyzer
from memory_core.text.synonyms import default_groups, expand, parse_groups

ANALYZER = Analyzer(segmenters=())


def offered(query: str) -> set[str]:
    return {expansion.term for expansion in expand(ANALYZER.analyze(query).terms)}


def test_the_protocol_s_42_groups_are_there() -> None:
    assert len(default_groups()) == 42


@pytest.mark.parametrize(
    ("query", "synonym"),
    [
        ("k8s rollout", "kubernetes"),
        ("database", "db"),
        ("db", "databases"),
        ("is it slow", "latency"),
        ("continuous-integration", "ci"),
        ("ci", "continuous-integration"),
        ("authenticated", "auth"),
    ],
)
def test_a_group_works_in_every_direction_and_for_every_ending(query: str, synonym: str) -> None:
    assert ANALYZER.analyze(synonym).terms[0] in offered(query)


def test_an_expansion_says_where_it_comes_from_and_weighs_less() -> None:
    (expansion,) = expand(["k8s"], groups=(("k8s", "kube"),))
    assert expansion == ("kube", "k8s", 0.7, 0)


def test_with_frequencies_a_group_offers_its_commonest_member_only() -> None:
    groups = (("perf", "latenc", "slow"),)
    assert [e.term for e in expand(["perf"], groups, {"latenc": 3, "slow": 9})] == ["slow"]
    assert expand(["perf"], groups, {"perf": 9}) == []


@given(st.lists(st.sampled_from([term for group in default_groups() for term in group])))
def test_no_term_is_offered_twice_or_back_to_the_query(terms: list[str]) -> None:
    found = [expansion.term for expansion in expand(terms)]
    assert len(found) == len(set(found))
    assert not set(found) & set(terms)


def test_a_group_of_one_is_refused_with_its_line() -> None:
    with pytest.raises(ConfigurationError, match="line 2"):
        parse_groups("# a note\nlonely\n")
