"""What says again what stands above it counts for less: maximal marginal relevance, for near-duplicates only.

Carbonell and Goldstein, SIGIR 1998, subtract likeness at every level. Records about one thing are alike without being
the same, and a question wants all of them; so only what is nearly equal is put back, and nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Standing(NamedTuple):
    """A record's new score, its place in the order given, and the place of the one that it repeats (None: none)."""

    score: float
    place: int
    repeats: int | None


def put_back(
    scores: Sequence[float],
    words: Sequence[frozenset[str]],
    sessions: Sequence[str],
    *,
    alike: float,
    share: float,
    most: int,
) -> list[Standing]:
    """The records in their new order; `scores`, `words` (what each says) and `sessions` are in the old one, best first.

    A record whose words are to `alike` (Jaccard, above 0) those of one before it in its session keeps `share` of its score:
    what comes again in another session happened again. Only the first `most` are compared. Records without words repeat
    nothing. Of equal scores the old order stays.

    >>> said = [frozenset("abcd"), frozenset("abcd"), frozenset("xyz")]
    >>> [one.place for one in put_back([0.9, 0.8, 0.7], said, ["s"] * 3, alike=0.9, share=0.5, most=10)]
    [0, 2, 1]
    """
    standings = []
    for place, score in enumerate(scores):
        repeated = _repeated(place, words, sessions, alike) if place < most else None
        standings.append(Standing(score if repeated is None else score * share, place, repeated))
    return sorted(standings, key=lambda one: (-one.score, one.place))


def _repeated(place: int, words: Sequence[frozenset[str]], sessions: Sequence[str], alike: float) -> int | None:
    """The first place before this one that says the same."""
    own = words[place]
    size = len(own)
    if not size:
        return None
    for before in range(place):
        other = len(words[before])
        if sessions[before] != sessions[place] or min(size, other) < alike * max(size, other):
            continue  # sets of such different sizes cannot be alike
        shared = len(own & words[before])
        if shared >= alike * (size + other - shared):
            return before
    return None
