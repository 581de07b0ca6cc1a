"""Widen a question: what the expansions have to be asked of the database, and when it is not asked at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings

from memory_core.domain import tunables_expansion as tunables
from memory_core.domain.scope import Scope
from memory_core.sql import expansion as sql
from memory_core.sql import recall as recall_sql
from memory_core.text import bm25
from memory_core.text.synonyms import Offer, load

from . import expansion
from .expansion import Expansion
from .question import quoted


def statistics(terms: Iterable[str], scope: Scope) -> tuple[int, dict[int, int]]:
    """How many entries the scope's projects have, and in how many of them each term stands, by term id."""
    entries, frequencies = recall_sql.statistics(projects=scope.projects is not None).rows(
        {"projects": list(scope.projects or ()), "term_ids": [bm25.term_id(term) for term in set(terms)]}
    )[0]
    return int(entries), {int(id): int(count) for id, count in frequencies.items()}


def offers(terms: Iterable[str], ways: Collection[str]) -> list[Offer]:
    """The synonyms of a question, whose frequencies are asked for with those of its own terms."""
    if expansion.SYNONYM not in ways:
        return []
    return load(settings.EVERLORE["EVERLORE_SYNONYMS_FILE"]).offers(terms)[: tunables.MOST_OFFERS]


def widen(
    terms: Sequence[str],
    offered: Sequence[Offer],
    scope: Scope,
    entries: int,
    frequencies: Mapping[int, int],
    ways: Collection[str],
) -> tuple[list[Expansion], dict[int, int]]:
    """The expansions of a question, and the frequencies with theirs.

    Asks the database only where the question has words that stand nowhere in the scope: once for their longer forms, once
    for how often all their forms occur.
    """
    known = dict(frequencies)
    own = {term: known.get(bm25.term_id(term), 0) for term in terms}
    often = own | {offer.term: known.get(bm25.term_id(offer.term), 0) for offer in offered}
    found = expansion.synonyms(offered, entries, often)
    if expansion.PREFIX not in ways or not entries:
        return found, known
    unknown = expansion.unknown_words(terms, own, [one.source for one in found])
    if not unknown:
        return found, known
    longer = _longer_forms(unknown, scope)
    forms = {form for word in unknown for form in (*longer[word], *expansion.shorter_forms(word))}
    _, more = statistics(forms, scope)
    known |= more
    asked = {*own, *(one.term for one in found)}
    counts = {form: known.get(bm25.term_id(form), 0) for form in forms}
    return found + expansion.prefixes(unknown, longer, asked, entries, counts), known


def _longer_forms(words: Sequence[str], scope: Scope) -> Mapping[str, Collection[str]]:
    parameters: dict[str, Any] = {
        "words": list(words),
        "queries": [f"{quoted(word)}:*" for word in words],
        "longest": [expansion.longest_form(word) for word in words],
        "longest_entry": tunables.PREFIX_LONGEST_ENTRY,
        "sample": tunables.PREFIX_SAMPLE,
        "projects": list(scope.projects or ()),
        "agent": scope.agent,
    }
    statement = sql.longer_forms(projects=scope.projects is not None, agent=scope.agent is not None)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for word, term in statement.rows(parameters):
        found[word].add(term)
    return found
