"""How many tokens an answer costs, and how much of it fits."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from memory_core.domain.tunables_recall import CHARACTERS_PER_TOKEN


def tokens(text: str) -> int:
    """Estimated tokens of a text: a third of its characters, rounded up.

    >>> tokens("abcd")
    2
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def fit(items: Iterable[Any], budget: int | None) -> tuple[list[Any], int, bool]:
    """The first items that fit in `budget` tokens as JSON: (items, tokens used, whether some were left out)."""
    kept: list[Any] = []
    used = 0
    for item in items:
        cost = max(1, tokens(json.dumps(item, ensure_ascii=False, separators=(",", ":"))))
        if budget is not None and used + cost > budget:
            return kept, used, True
        kept.append(item)
        used += cost
    return kept, used, False
