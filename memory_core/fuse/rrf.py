"""Reciprocal rank fusion: the slow, obvious twin of the SQL function `everlore_rrf`.

Cormack, Clarke and Buettcher, SIGIR 2009: score(d) = sum over streams of w / (k + rank). The sum is divided by
what a record ranked first by every stream that answered would get, so that a score of 1 means just that; a
bonus goes to records that independent arms agree on (streams of one arm are the same evidence seen twice).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stream:
    """A ranked list that votes: the arm it belongs to and the weight of its vote (0: no vote)."""

    arm: str
    weight: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A record's rank in a stream, from 1."""

    stream: str
    object_id: str
    rank: int


@dataclass(frozen=True, slots=True)
class Fused:
    """A record's fused score in (0, 1 + agreement x (arms - 1)], its best rank, and how many arms gave it."""

    object_id: str
    score: float
    best_rank: int
    arms_matched: int


def fuse(hits: Iterable[Hit], streams: Mapping[str, Stream], *, k: float, agreement: float) -> list[Fused]:
    """Fuse the streams; best first, ties by best rank, then by id, so that the order is always the same.

    >>> one = fuse([Hit("words", "a", 1), Hit("vectors", "a", 1)],
    ...            {"words": Stream("words", 1), "vectors": Stream("vectors", 1)}, k=60, agreement=0.05)
    >>> [(f.object_id, round(f.score, 2)) for f in one]
    [('a', 1.05)]
    """
    best: dict[tuple[str, str], int] = {}
    for hit in hits:
        stream = streams.get(hit.stream)
        if stream is None or stream.weight <= 0:
            continue
        key = (hit.object_id, hit.stream)
        best[key] = min(hit.rank, best.get(key, hit.rank))
    answered = sum(streams[name].weight for name in {name for _, name in best})
    records: dict[str, list[tuple[str, int]]] = {}
    for (object_id, name), rank in best.items():
        records.setdefault(object_id, []).append((name, rank))
    fused = [
        _score(object_id, places, streams, answered / (k + 1), k, agreement) for object_id, places in records.items()
    ]
    return sorted(fused, key=lambda one: (-one.score, one.best_rank, one.object_id))


def _score(
    object_id: str,
    places: list[tuple[str, int]],
    streams: Mapping[str, Stream],
    full: float,
    k: float,
    agreement: float,
) -> Fused:
    arms = {streams[name].arm for name, _ in places}
    total = sum(streams[name].weight / (k + rank) for name, rank in places)
    return Fused(
        object_id, total / full * (1 + agreement * (len(arms) - 1)), min(rank for _, rank in places), len(arms)
    )
