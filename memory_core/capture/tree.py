"""One iterative walk over parsed JSON, shared by the stages that rewrite or read it.

The walk keeps its own stack, so depth costs memory and never the interpreter's recursion limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from memory_core.domain.errors import InvalidInput
from memory_core.domain.events import Json

Leaf = Callable[[Any, str | None], Json]
"""Rewrites a value that is no container; gets its original key, or None in a list and at the top."""


def rewrite(value: Any, leaf: Leaf, key: Callable[[Any], str], *, max_depth: int | None = None) -> Json:
    """A copy of `value` with every leaf and every key rewritten, leaves visited in document order.

    Keys that become equal are all kept: the second gets ` (2)` behind it, the third ` (3)`.
    Raises InvalidInput when containers nest deeper than `max_depth`.
    """
    root: list[Json] = [None]
    stack: list[tuple[Any, Any, Any, str | None, int]] = [(value, root, 0, None, 0)]
    while stack:
        node, holder, slot, name, depth = stack.pop()
        if not isinstance(node, (dict, list)):
            holder[slot] = leaf(node, name)
            continue
        if max_depth is not None and depth >= max_depth:
            raise InvalidInput(f"The data is nested deeper than {max_depth} levels.")
        if isinstance(node, dict):
            copy: dict[str, Json] = {}
            holder[slot] = copy
            numbers: dict[str, int] = {}
            for old in node:
                copy[_unused(key(old), copy, numbers)] = None
            pairs = list(zip(copy, node.items(), strict=True))
            stack.extend((child, copy, new, old, depth + 1) for new, (old, child) in reversed(pairs))
        else:
            items: list[Json] = [None] * len(node)
            holder[slot] = items
            stack.extend((node[i], items, i, None, depth + 1) for i in range(len(node) - 1, -1, -1))
    return root[0]


def leaves(value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every value that is no container with the keys above it, in document order; list positions are no keys."""
    stack: list[tuple[tuple[str, ...], Any]] = [((), value)]
    while stack:
        path, node = stack.pop()
        if isinstance(node, dict):
            stack.extend(((*path, str(key)), child) for key, child in reversed(node.items()))
        elif isinstance(node, list):
            stack.extend((path, child) for child in reversed(node))
        else:
            yield path, node


def _unused(name: str, taken: dict[str, Json], numbers: dict[str, int]) -> str:
    """`name`, or `name (2)` and so on if it is taken; `numbers` remembers how far each name has counted."""
    candidate = name
    while candidate in taken:
        numbers[name] = numbers.get(name, 1) + 1
        candidate = f"{name} ({numbers[name]})"
    return candidate
