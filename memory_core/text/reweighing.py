"""BM25 weights made anew for another average length, from the stored weights alone: no text is read again.

A weight w = tf * (k1 + 1) / (tf + n) with n = k1 * (1 - b + b * dl / avgdl) gives tf = w * n / (k1 + 1 - w).
"""

from __future__ import annotations

from collections.abc import Mapping

from memory_core.domain.tunables_text import BM25_B, BM25_K1


def from_sparsevec(text: str) -> dict[int, float]:
    """Read pgvector's text form of a sparsevec.

    >>> from_sparsevec("{2:1.25,7:0.5}/1000000000")
    {2: 1.25, 7: 0.5}
    """
    inner = text[1 : text.index("}")]
    if not inner:
        return {}
    return {int(index): float(weight) for index, _, weight in (element.partition(":") for element in inner.split(","))}


def _norm(length: int, average: float, k1: float, b: float) -> float:
    return k1 * (1 - b + b * (length / average if average > 0 else 1.0))


def reweigh(
    weights: Mapping[int, float], length: int, was: float, average: float, k1: float = BM25_K1, b: float = BM25_B
) -> dict[int, float]:
    """The weights that a document of `length` gets at the new average, from those it got at the average `was`.

    A weight that rounding has put at its limit (k1 + 1) stays there: its term is there so often that length is nothing.
    """
    old, new = _norm(length, was, k1, b), _norm(length, average, k1, b)
    fresh: dict[int, float] = {}
    for index, weight in weights.items():
        room = k1 + 1 - weight
        count = weight * old / room if room > 1e-4 else float("inf")
        fresh[index] = (k1 + 1) / (1 + new / count) if count else 0.0
    return fresh
