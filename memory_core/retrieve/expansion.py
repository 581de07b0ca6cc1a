"""Words that a question asks for in place of those that stand nowhere in its scope: synonyms, longer and shorter forms.

A term is widened by one expansion at most: the commonest that passes the gates, which is how things are called here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory_core.domain import tunables_expansion as tunables
from memory_core.text import bm25
from memory_core.text.analyzer import UNSPACED
from memory_core.text.synonyms import Offer

SYNONYM = "synonym"
PREFIX = "prefix"
EVERY = frozenset({SYNONYM, PREFIX})
"""The ways to widen a question; a request names those that it wants."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """`term` is asked for beside `source`, a term of the question, with `weight` beside its 1.0; `word`: as people write
    it; `group`: the name of its group of synonyms, empty for a prefix."""

    term: str
    source: str
    weight: float
    by: str
    word: str
    group: str = ""


def tells(frequency: int, entries: int) -> bool:
    """Whether a term that stands in `frequency` of the scope's entries may be an expansion: held, and not all over."""
    return frequency > 0 and bm25.idf(min(frequency, entries), entries) >= tunables.IDF_FLOOR


def synonyms(offers: Sequence[Offer], entries: int, frequencies: Mapping[str, int]) -> list[Expansion]:
    """The commonest of the members that pass the gates, for each term of the question; none is given twice."""
    best: dict[str, Offer] = {}
    for offer in offers:
        if frequencies.get(offer.source, 0) > tunables.MOST_ENTRIES:
            continue
        frequency = frequencies.get(offer.term, 0)
        known = best.get(offer.source)
        if tells(frequency, entries) and (known is None or frequency > frequencies[known.term]):
            best[offer.source] = offer
    found: dict[str, Expansion] = {}
    for source, (term, _, group) in best.items():
        word = group.words[group.terms.index(term)]
        found.setdefault(term, Expansion(term, source, tunables.SYNONYM_WEIGHT, SYNONYM, word, group.name))
    return list(found.values())


def is_word(term: str) -> bool:
    """Whether a term is a word that has longer and shorter forms: letters alone, of a script with spaces."""
    return len(term) >= tunables.PREFIX_LEAST_CHARACTERS and term.isalpha() and not UNSPACED.search(term)


def unknown_words(terms: Iterable[str], frequencies: Mapping[str, int], widened: Collection[str]) -> list[str]:
    """The first words of a question that the scope does not hold and no synonym stands in for."""
    unknown = [
        term
        for term in dict.fromkeys(terms)
        if frequencies.get(term, 0) <= tunables.MOST_ENTRIES and term not in widened and is_word(term)
    ]
    return unknown[: tunables.MOST_PREFIXES]


def longest_form(term: str) -> int:
    """The length up to which another term can be a longer form of this one; unit: characters."""
    return math.floor(len(term) / tunables.PREFIX_LEAST_RATIO + 1e-9)


def shorter_forms(term: str) -> list[str]:
    """The beginnings of a term that can be a shorter form of it, longest first.

    >>> shorter_forms("dedupl")
    ['dedup', 'dedu']
    """
    least = max(tunables.PREFIX_LEAST_CHARACTERS, math.ceil(len(term) * tunables.PREFIX_LEAST_RATIO - 1e-9))
    return [term[:length] for length in range(len(term) - 1, least - 1, -1)]


def are_forms(term: str, other: str) -> bool:
    """Whether one of two words begins with the other and is not much longer."""
    shorter, longer = sorted((term, other), key=len)
    return (
        is_word(shorter)
        and is_word(longer)
        and len(shorter) < len(longer) <= longest_form(shorter)
        and longer.startswith(shorter)
    )


def prefixes(
    unknown: Sequence[str],
    longer: Mapping[str, Collection[str]],
    asked: Collection[str],
    entries: int,
    frequencies: Mapping[str, int],
) -> list[Expansion]:
    """The commonest form of each unknown word; none is a term that is `asked` already, and none is given twice.

    `longer`: terms of the scope that begin with the word, by word. A word that is among them stands in the scope after
    all (its entry is not counted yet), and is left as it is.
    """
    found: dict[str, Expansion] = {}
    for source in unknown:
        terms = longer.get(source, ())
        if source in terms:
            continue
        forms = [
            form
            for form in {*terms, *shorter_forms(source)}
            if are_forms(source, form) and form not in asked and tells(frequencies.get(form, 0), entries)
        ]
        if forms:
            best = min(forms, key=lambda form: (-frequencies[form], abs(len(form) - len(source)), form))
            found.setdefault(best, Expansion(best, source, tunables.PREFIX_WEIGHT, PREFIX, best))
    return list(found.values())
