"""The order that follows from two opinions on the same records: the fusion's and the cross-encoder's."""

from __future__ import annotations

from collections.abc import Sequence


def blend(fused: Sequence[float], reranker: Sequence[float], weight: float) -> list[float]:
    """One score for each record, in the order given, on the scale of the fused scores.

    `(1 - weight) * fused + weight * mapped`, where `mapped` is the reranker's score stretched from its own range (least
    to greatest) to that of the fused ones. So weight 0 gives the fused scores as they are, weight 1 the reranker's order,
    and what lies below these records stays below. A reranker that says the same of all says nothing: the fused scores
    stay. Scores are finite, `weight` is 0 to 1.

    Raises:
        ValueError: the two are not of one length.

    >>> blend([0.9, 0.5, 0.1], [-4.0, 4.0, 0.0], 0.5)
    [0.5, 0.7, 0.3]
    """
    if len(fused) != len(reranker):
        raise ValueError(f"{len(fused)} fused scores and {len(reranker)} of the reranker")
    if not fused or max(reranker) == min(reranker) or not weight:
        return list(fused)
    low, high = min(fused), max(fused)
    least, span = min(reranker), max(reranker) - min(reranker)
    mapped = [low + (high - low) * (float(score) - least) / span for score in reranker]
    return [(1 - weight) * own + weight * other for own, other in zip(fused, mapped, strict=True)]


def order(fused: Sequence[float], reranker: Sequence[float], weight: float) -> list[int]:
    """Positions of the records, best first: by the blend, then by the reranker, then as they stood.

    `fused` is in order, best first. Weight 0 is the order given, whatever the reranker says.

    >>> order([0.9, 0.5, 0.1], [-4.0, 4.0, 0.0], 0.5)
    [1, 0, 2]
    """
    blended = blend(fused, reranker, weight)
    if not weight:
        return list(range(len(blended)))
    return sorted(range(len(blended)), key=lambda place: (-blended[place], -reranker[place], place))
