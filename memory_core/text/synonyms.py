"""Synonyms of query terms. Query-side only: the index holds what was written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from memory_core.domain.errors import ConfigurationError
from memory_core.domain.tunables_text import SYNONYM_WEIGHT
from memory_core.text.analyzer import Analyzer

Groups = tuple[tuple[str, ...], ...]
"""Groups of terms (analysed, not as written) that stand for each other."""


class Expansion(NamedTuple):
    """A term to look for besides `source_term`, with `weight` beside its 1.0; `group` is the group's number."""

    term: str
    source_term: str
    weight: float
    group: int


def parse_groups(text: str) -> Groups:
    """Read the data file: one group a line, members by spaces, `#` begins a note.

    Raises ConfigurationError, with the line's number, for a group that is left with one term.
    """
    analyzer = Analyzer(segmenters=())
    groups = []
    for number, line in enumerate(text.splitlines(), start=1):
        members = [] if line.lstrip().startswith("#") else line.split()
        if not members:
            continue
        # The first term of a name is its whole; members that differ in their ending fall together.
        terms = dict.fromkeys(terms[0] for member in members if (terms := analyzer.analyze(member).terms))
        if len(members) < 2 or not terms:
            raise ConfigurationError(f"Synonyms, line {number}: a group needs two members or more.")
        groups.append(tuple(terms))
    return tuple(groups)


@cache
def default_groups() -> Groups:
    """The groups of `data/synonyms.txt`."""
    return parse_groups(files("memory_core.text").joinpath("data/synonyms.txt").read_text(encoding="utf-8"))


def expand(
    terms: Iterable[str],
    groups: Groups | None = None,
    frequencies: Mapping[str, int] | None = None,
) -> list[Expansion]:
    """Offer synonyms for the terms of a query, in the order of the query.

    No expansion is a term of the query itself, and none is given twice. With `frequencies`
    (term -> documents that have it) only what the corpus holds is offered, and of a group only its
    commonest member for each source term: the spelling used here, instead of a sum over all of them.
    """
    present = dict.fromkeys(terms)
    groups = default_groups() if groups is None else groups
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, group in enumerate(groups):
        for member in group:
            places[member].append(number)
    found: dict[str, Expansion] = {}
    for source in present:
        for number in places.get(source, ()):
            for member in _chosen(groups[number], present, frequencies):
                found.setdefault(member, Expansion(member, source, SYNONYM_WEIGHT, number))
    return list(found.values())


def _chosen(
    group: Iterable[str],
    present: Mapping[str, None],
    frequencies: Mapping[str, int] | None,
) -> list[str]:
    others = [member for member in group if member not in present]
    if frequencies is None:
        return others
    known = [member for member in others if frequencies.get(member, 0) > 0]
    return [max(known, key=lambda member: frequencies[member])] if known else []
