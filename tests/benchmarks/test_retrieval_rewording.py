"""A question put otherwise: one word that its project holds becomes one that it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from benchmarks.retrieval.rewording import Frequencies, by_synonym, cut_short


def holding(**often: int) -> Frequencies:
    def frequencies(terms: Sequence[str]) -> Mapping[str, int]:
        return {term: often.get(term, 0) for term in terms}

    return frequencies


@pytest.mark.parametrize(
    ("often", "expected"),
    [
        pytest.param({"kubernet": 3, "databas": 9}, "the k8s database", id="the rarest word"),
        pytest.param({"kubernet": 3, "k8s": 1, "databas": 9}, "the kube database", id="a member that is not there"),
        pytest.param({"databas": 9}, "the kubernetes db", id="only a word that is there"),
        pytest.param({"databas": 9, "db": 1, "datastor": 1}, None, id="every member is there"),
        pytest.param({}, None, id="nothing is there"),
    ],
)
def test_a_word_is_replaced_by_a_member_of_its_group_that_stands_nowhere(
    often: dict[str, int], expected: str | None
) -> None:
    assert by_synonym("the kubernetes database", holding(**often)) == expected


@pytest.mark.parametrize(
    ("often", "expected"),
    [
        pytest.param({"valid": 2}, "configuration of valida", id="cut at six tenths"),
        pytest.param({"valid": 2, "valida": 1}, None, id="the short form is there"),
        pytest.param({"configur": 2}, None, id="the short form has the same stem"),
        pytest.param({}, None, id="nothing is there"),
    ],
)
def test_a_word_is_cut_to_a_form_that_stands_nowhere(often: dict[str, int], expected: str | None) -> None:
    assert cut_short("configuration of validation", holding(**often)) == expected
