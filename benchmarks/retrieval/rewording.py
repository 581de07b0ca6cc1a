"""Questions in other words: one word of each put as nobody in its project puts it, to see what widening a question brings.

Questions of most sets were written beside the texts that answer them, and use their words. People who ask months later
do not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memory_core.domain import tunables_expansion as tunables
from memory_core.flows.recall import scope_of
from memory_core.index.analysis import analyzer
from memory_core.retrieve import expansion, widening
from memory_core.text import bm25, synonyms

from .events import project_of
from .sets import RetrievalSet

Frequencies = Callable[[Sequence[str]], Mapping[str, int]]
"""In how many entries of the question's project each of some terms stands."""


def _term(word: str) -> str:
    terms = analyzer().analyze(word).terms
    return terms[0] if terms else ""


def _rarest_first(terms: Mapping[str, str], often: Mapping[str, int]) -> list[tuple[str, str]]:
    return sorted(((word, term) for word, term in terms.items() if often[term]), key=lambda pair: often[pair[1]])


def by_synonym(question: str, frequencies: Frequencies) -> str | None:
    """The rarest word that can be replaced by a member of its group that stands nowhere; None where there is none."""
    terms = {word: _term(word) for word in re.findall(r"[A-Za-z][A-Za-z0-9-]*", question)}
    offers = synonyms.load("").offers(terms.values())
    often = frequencies([*terms.values(), *(offer.term for offer in offers)])
    for word, term in _rarest_first(terms, often):
        for offer in offers:
            if offer.source == term and not often[offer.term]:
                other = offer.group.words[offer.group.terms.index(offer.term)]
                return re.sub(rf"\b{re.escape(word)}\b", other, question)
    return None


def cut_short(question: str, frequencies: Frequencies) -> str | None:
    """The rarest word of seven letters or more cut to the shortest form that is still looked for; None where there is none."""
    terms = {word: _term(word) for word in re.findall(r"[A-Za-z]{7,}", question)}
    terms = {word: term for word, term in terms.items() if expansion.is_word(term)}
    short = {word: word[: math.ceil(len(word) * tunables.PREFIX_LEAST_RATIO)] for word in terms}
    often = frequencies([*terms.values(), *(_term(word) for word in short.values())])
    for word, _ in _rarest_first(terms, often):
        if not often[_term(short[word])]:
            return re.sub(rf"\b{word}\b", short[word], question)
    return None


REWORDINGS = {"synonyms": by_synonym, "prefixes": cut_short}
"""How to put a question otherwise, by the way to widen it that should make up for it."""


def reworded(chosen: RetrievalSet, make: Callable[[str, Frequencies], str | None]) -> RetrievalSet:
    """The questions of a set that can be put otherwise, put otherwise."""
    questions: list[dict[str, Any]] = []
    for question in chosen.questions:
        scope = scope_of(project_of(chosen.name, question["project"]), None)

        def frequencies(terms: Sequence[str], scope: Any = scope) -> Mapping[str, int]:
            _, often = widening.statistics(terms, scope)
            return {term: often.get(bm25.term_id(term), 0) for term in terms}

        if other := make(question["query"], frequencies):
            questions.append({**question, "query": other})
    return replace(chosen, questions=questions)
