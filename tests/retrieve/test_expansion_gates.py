"""What may be asked for in place of a word that stands nowhere: each gate, with values that open and shut it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain import tunables_expansion as tunables
from memory_core.retrieve import expansion
from memory_core.retrieve.question import lexical
from memory_core.text import bm25
from memory_core.text.bm25 import term_id
from memory_core.text.reweighing import from_sparsevec
from memory_core.text.synonyms import parse

GROUPS = parse("k8s kubernetes kube\nslow latency perf\nlag latency")
words = st.text("abcdé", min_size=1, max_size=14)
counts = st.integers(0, 50)


def synonyms(terms: list[str], entries: int = 100, **often: int) -> dict[str, str]:
    """The synonym chosen for each term."""
    return {one.source: one.term for one in expansion.synonyms(GROUPS.offers(terms), entries, often)}


def prefixes(word: str, *longer: str, asked: tuple[str, ...] = (), entries: int = 100, **often: int) -> list[str]:
    """The forms chosen for an unknown word; a form stands in one entry unless told otherwise."""
    forms = {*longer, *expansion.shorter_forms(word)}
    known = {form: often.get(form, 1 if form in longer else 0) for form in forms}
    return [one.term for one in expansion.prefixes([word], {word: longer}, asked, entries, known)]


def test_a_word_that_stands_nowhere_is_asked_for_by_the_commonest_member() -> None:
    assert synonyms(["k8s"], kubernet=3, kube=9) == {"k8s": "kube"}
    assert synonyms(["k8s"], kubernet=9, kube=3) == {"k8s": "kubernet"}


def test_a_word_that_the_scope_holds_is_not_widened() -> None:
    assert synonyms(["k8s"], k8s=tunables.MOST_ENTRIES, kube=9) == {"k8s": "kube"}
    assert synonyms(["k8s"], k8s=tunables.MOST_ENTRIES + 1, kube=9) == {}


def test_a_member_that_the_scope_does_not_hold_is_not_asked_for() -> None:
    assert synonyms(["k8s"]) == {}


def test_of_several_groups_a_word_has_one_expansion_and_an_expansion_one_word() -> None:
    assert synonyms(["latenc"], slow=2, perf=3, lag=4) == {"latenc": "lag"}
    assert synonyms(["lag", "slow"], latenc=2) == {"lag": "latenc"}


@pytest.mark.parametrize(
    ("frequency", "entries", "tells"),
    [
        pytest.param(0, 100, False, id="nowhere"),
        pytest.param(1, 100, True, id="rare"),
        pytest.param(1, 1, True, id="the only entry of a young scope"),
        pytest.param(77, 100, True, id="common"),
        pytest.param(79, 100, False, id="nearly everywhere"),
        pytest.param(120, 100, False, id="statistics that lag behind"),
    ],
)
def test_what_stands_nowhere_or_nearly_everywhere_is_no_expansion(frequency: int, entries: int, tells: bool) -> None:
    assert expansion.tells(frequency, entries) is tells
    assert (synonyms(["k8s"], entries, kube=frequency) != {}) is tells
    assert (prefixes("dedup", "dedupl", entries=entries, dedupl=frequency) != []) is tells


@pytest.mark.parametrize(
    ("word", "form", "opens"),
    [
        pytest.param("config", "configur", True, id="a longer form"),
        pytest.param("configur", "config", True, id="a shorter form"),
        pytest.param("index", "indexing", True, id="5 of 8 characters"),
        pytest.param("index", "indexings", False, id="5 of 9 characters"),
        pytest.param("conf", "config", True, id="four characters"),
        pytest.param("con", "conf", False, id="three characters"),
        pytest.param("conf", "con", False, id="a form of three characters"),
        pytest.param("config", "confide", False, id="another word"),
        pytest.param("config", "config.py", False, id="a file"),
        pytest.param("5432", "54321", False, id="a number"),
        pytest.param("配置文件", "配置文件夹", False, id="a script without spaces"),
        pytest.param("конфиг", "конфигур", True, id="another script with spaces"),
        pytest.param("config", "config", False, id="itself"),
    ],
)
def test_a_form_begins_with_the_other_is_not_much_longer_and_a_word(word: str, form: str, opens: bool) -> None:
    assert expansion.are_forms(word, form) is opens
    assert expansion.are_forms(form, word) is opens


def test_the_commonest_form_is_asked_for_then_the_nearest() -> None:
    assert prefixes("config", "configur", "configmap", configmap=5) == ["configmap"]
    assert prefixes("config", "configur", "configs") == ["configs"]


def test_a_word_that_is_there_but_not_counted_yet_stays_as_it_is() -> None:
    assert prefixes("config", "config", "configur") == []


def test_a_form_that_the_question_asks_for_anyway_is_not_asked_for_twice() -> None:
    assert prefixes("config", "configur", asked=("configur",)) == []


def test_only_the_first_unknown_words_without_a_synonym_are_widened_by_prefix() -> None:
    terms = [f"{letter}bcdef" for letter in "abcdefgh"]

    assert expansion.unknown_words(["k8s", "held", "unheld", "done"], {"held": 1}, ["done"]) == ["unheld"]
    assert expansion.unknown_words(terms, {}, []) == terms[: tunables.MOST_PREFIXES]


@given(words, words)
def test_forms_are_the_same_from_both_sides_and_within_the_bounds_that_are_searched(word: str, other: str) -> None:
    alike = expansion.are_forms(word, other)

    assert alike == expansion.are_forms(other, word)
    if len(other) > len(word):
        assert not alike or len(other) <= expansion.longest_form(word)
    assert alike == (other in expansion.shorter_forms(word) or word in expansion.shorter_forms(other))


@given(
    st.lists(st.sampled_from([term for group in GROUPS.groups for term in group.terms] + ["other"]), unique=True),
    st.dictionaries(st.sampled_from([term for group in GROUPS.groups for term in group.terms]), counts),
    st.integers(0, 60),
)
def test_no_term_is_widened_twice_and_no_expansion_is_known_to_the_question(
    terms: list[str], often: dict[str, int], entries: int
) -> None:
    found = expansion.synonyms(GROUPS.offers(terms), entries, often)

    assert len({one.source for one in found}) == len({one.term for one in found}) == len(found)
    for one in found:
        assert one.term not in terms
        assert often.get(one.source, 0) <= tunables.MOST_ENTRIES
        assert expansion.tells(often[one.term], entries)


def test_an_expansion_weighs_its_share_of_its_own_idf_and_gives_candidates() -> None:
    found = expansion.synonyms(GROUPS.offers(["k8s"]), 100, {"kube": 4})

    asked = lexical(["k8s", "rollout"], 100, {term_id("kube"): 4, term_id("rollout"): 2}, found)

    assert asked is not None
    weights = from_sparsevec(asked.vector)
    assert weights[term_id("kube")] == pytest.approx(tunables.SYNONYM_WEIGHT * bm25.idf(4, 100), rel=1e-5)
    assert weights[term_id("rollout")] == pytest.approx(bm25.idf(2, 100), rel=1e-5)
    assert asked.candidates == "'k8s' | 'rollout' | 'kube'"
    assert asked.expansions == tuple(found)


def test_an_expansion_of_a_word_that_was_left_out_of_a_long_question_is_left_out_too() -> None:
    found = expansion.synonyms(GROUPS.offers(["k8s"]), 100, {"kube": 4})
    many = [f"word{number}" for number in range(100)]

    asked = lexical([*many, "k8s"], 100, {term_id(word): 1 for word in many}, found)

    assert asked is not None
    assert asked.expansions == ()
    assert term_id("kube") not in from_sparsevec(asked.vector)
