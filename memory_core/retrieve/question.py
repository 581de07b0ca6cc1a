"""A question as the arms read it: its terms with their weights, its vector, what the model can read of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_core.domain import tunables_recall as tunables
from memory_core.text import bm25

from .expansion import Expansion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class LexicalQuestion:
    """`vector`: the weight of each term, as a sparsevec; `candidates`: the tsquery that gives candidates; `terms`: the
    question's own; `expansions`: what is asked for besides."""

    vector: str
    candidates: str
    terms: tuple[str, ...]
    expansions: tuple[Expansion, ...] = ()


def quoted(term: str) -> str:
    """A term as one lexeme of a tsquery.

    >>> quoted("don't")
    "'don''t'"
    """
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def any_of(terms: Iterable[str]) -> str:
    """A tsquery that any of the terms answers."""
    return " | ".join(quoted(term) for term in terms)


def lexical(
    terms: Sequence[str], entries: int, frequencies: Mapping[int, int], expansions: Sequence[Expansion] = ()
) -> LexicalQuestion | None:
    """What the lexical arm asks; None for a question without a term.

    `entries`: how many the scope's projects have; `frequencies`: in how many of them a term stands, by term id. All terms
    score; candidates come from the rarest ones. Of too many, those that stand nowhere (yet) are left out first.
    `expansions` score by their own idf times their weight, and give candidates as a term of their frequency does.
    """
    often = {term: frequencies.get(bm25.term_id(term), 0) for term in set(terms)}
    if not often:
        return None
    chosen = sorted(often, key=lambda term: (often[term] == 0, often[term], term))[: tunables.MOST_QUERY_TERMS]
    kept = sorted(chosen, key=lambda term: (often[term], term))
    widened = [one for one in expansions if one.source in chosen and one.term not in often]
    often |= {one.term: frequencies.get(bm25.term_id(one.term), 0) for one in widened}
    weight = {one.term: one.weight for one in widened}
    giving = _giving(sorted([*kept, *weight], key=lambda term: (often[term], term)), often)
    vector = {
        bm25.term_id(term): weight.get(term, 1.0) * bm25.idf(min(often[term], entries), entries)
        for term in [*weight, *kept]  # of two terms with one id the question's own counts
    }
    return LexicalQuestion(bm25.to_sparsevec(vector), any_of(giving), tuple(kept), tuple(widened))


def _giving(rarest_first: Sequence[str], often: Mapping[str, int]) -> list[str]:
    """The terms that give candidates: the rarest, as long as they stay within CANDIDATE_BUDGET together."""
    giving: list[str] = []
    total = 0
    for term in rarest_first:
        total += often[term]
        if giving and total > tunables.CANDIDATE_BUDGET:
            break
        giving.append(term)
    return giving


@dataclass(frozen=True, slots=True)
class DenseQuestion:
    """The question's vector in the active space; `readable`: the share of its letters the model was trained to read."""

    embedding: NDArray[np.float32]
    space: int
    dimensions: int
    readable: float
