"""No session fills the answer while others have something to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def diversify(ranked: Sequence[T], *, session_of: Callable[[T], str], first_pass: int, limit: int) -> list[T]:
    """At most `first_pass` records of one session first, then the rest in order, up to `limit`; nothing is lost.

    Records without a session (memories) do not compete with each other.

    >>> diversify(["a1", "a2", "a3", "b1"], session_of=lambda r: r[0], first_pass=2, limit=4)
    ['a1', 'a2', 'b1', 'a3']
    """
    seen: Counter[str] = Counter()
    early: list[T] = []
    late: list[T] = []
    for record in ranked:
        name = session_of(record)
        seen[name] += 1
        (late if name and seen[name] > first_pass else early).append(record)
    return (early + late)[:limit]
