"""What one record gives to the graph, without a model: the things it names, and which of them belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product

from memory_core.domain.graph import Entity, Extracted, NodeType
from memory_core.domain.tunables_graph import MOST_EDGES_OF_A_RECORD, MOST_ENTITIES
from memory_core.text.entities import entities, entity


def extract(text: str, files: Sequence[str] = (), concepts: Sequence[str] = ()) -> Extracted:
    """At most MOST_ENTITIES distinct things (files, concepts, then names in the wording) and MOST_EDGES_OF_A_RECORD pairs.

    Never raises, linear in the text; the same record always gives the same.

    >>> [one.key for one in extract("ask Ada about it", ["src/a.py"], ["parse_url"]).entities]
    ['src/a.py', 'parse_url', 'ada']
    """
    found: dict[str, Entity] = {}
    for name in chain(files, concepts):
        if len(found) >= MOST_ENTITIES:
            break
        own = entity(name)
        if own is not None:
            found.setdefault(own.key, own)
    own_count = len(found)
    for own in entities(text, MOST_ENTITIES):
        found.setdefault(own.key, own)
    kept = tuple(found.values())[:MOST_ENTITIES]
    return Extracted(kept, tuple(_first(MOST_EDGES_OF_A_RECORD, _pairs(kept, min(own_count, len(kept))))))


def _pairs(kept: Sequence[Entity], own: int) -> Iterator[tuple[int, int]]:
    """What belongs together, surest first: neighbours in the order of naming, each concept with each file (as in
    the wire protocol, algorithms.md section 11), then what stands one further apart, and so on."""
    for place in range(1, len(kept)):
        yield place - 1, place
    files = [place for place in range(own) if kept[place].type is NodeType.FILE]
    yield from product(files, [place for place in range(own) if kept[place].type is not NodeType.FILE])
    for distance in range(2, len(kept)):
        for place in range(distance, len(kept)):
            yield place - distance, place


def _first(most: int, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    seen: set[tuple[int, int]] = set()
    for one, other in pairs:
        if len(seen) >= most:
            return
        pair = (min(one, other), max(one, other))
        if pair not in seen:
            seen.add(pair)
            yield pair
