"""The linked arm's reading: which nodes a question names, and the edges around them. Nothing beyond them is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_core.domain import tunables_graph as tunables
from memory_core.domain.graph import Neighbourhood, Reached, Seen, Tie
from memory_core.domain.scope import Scope
from memory_core.sql import graph as sql

_HAS_TRIGRAMS = re.compile("[a-z0-9]{3}")
"""A name without three of these in a row has no trigram in a database of locale C: its index would be read whole."""

Worth = Callable[[int, int], float]
"""How much a name tells that so many of so many records have; 0 for a hub."""


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """The nodes whose records answer, each with its score and its path; `names`: what the nodes are called."""

    reached: Mapping[int, Reached]
    names: Mapping[int, str]

    def path_to(self, nodes: Sequence[int]) -> tuple[str, ...]:
        """The names on the path to the best of some nodes; empty when none was reached."""
        known = [node for node in nodes if node in self.reached]
        if not known:
            return ()
        best = max(known, key=lambda node: (self.reached[node].score, -node))
        return tuple(self.names[node] for node in self.reached[best].path)


@dataclass(frozen=True, slots=True)
class _Found:
    """A node that the question names; `share`: how surely, 0 to 1."""

    id: int
    seen: Seen
    share: float


def neighbourhood(keys: Mapping[str, bool], scope: Scope, worth: Worth, now: datetime) -> Neighbourhood | None:
    """The graph around the nodes of a scope that the question names; None when it names none that tells something.

    `keys`: True for what is written like a name. One statement when nothing is found and nothing is written like a name;
    else one more for names nearly so, and one for each hop.
    """
    found, records = _exact(keys, scope)
    known = {key for key, _ in found}
    missing = [key for key, name in keys.items() if name and key not in known]
    starts = [one for _, one in found] + _alike(missing, scope)
    telling = {one.id: one.share * worth(one.seen.records, records) for one in starts}
    chosen = sorted((one for one in starts if telling[one.id] > 0), key=lambda one: (-telling[one.id], one.id))
    chosen = chosen[: tunables.MOST_STARTS]
    if not chosen:
        return None
    nodes = {one.id: one.seen for one in chosen}
    ties = _follow(nodes, scope, lambda seen: worth(seen.records, records) > 0, now)
    return Neighbourhood({one.id: one.share for one in chosen}, nodes, ties, records)


def _exact(keys: Mapping[str, bool], scope: Scope) -> tuple[list[tuple[str, _Found]], int]:
    """Nodes by key, and how many records the scope's projects have."""
    if not keys:
        return [], 0
    parameters = {"projects": list(scope.projects or ()), "agent": scope.agent, "keys": list(keys)}
    rows = sql.named(projects=scope.projects is not None).rows(parameters)
    found = [
        (key, _Found(int(node), Seen(name, int(count)), 1.0 if keys[key] else tunables.PLAIN_WORD_SHARE))
        for node, key, name, count, _ in rows
        if node is not None
    ]
    return found, int(rows[0][4])


def _alike(names: Sequence[str], scope: Scope) -> list[_Found]:
    """Nodes written nearly like a name, and files whose path ends with it."""
    asked = [name for name in names if len(name) >= tunables.LEAST_ALIKE_LENGTH and _HAS_TRIGRAMS.search(name)]
    asked = asked[: tunables.MOST_ALIKE]
    if not asked:
        return []
    rows = sql.alike(projects=scope.projects is not None).rows(
        {
            "projects": list(scope.projects or ()),
            "agent": scope.agent,
            "names": asked,
            "ends": ["%/" + name.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") for name in asked],
            "above": tunables.ALIKE_ABOVE,
            "nodes": tunables.ALIKE_NODES,
        }
    )
    return [_Found(int(node), Seen(name, int(count)), float(likeness)) for _, node, name, count, likeness in rows]


def _follow(nodes: dict[int, Seen], scope: Scope, tells: Callable[[Seen], bool], now: datetime) -> list[Tie]:
    """The edges within MOST_HOPS of the nodes; adds what they lead to. Hubs are not followed."""
    ties: dict[tuple[int, int], Tie] = {}
    frontier = list(nodes)
    for _ in range(tunables.MOST_HOPS):
        rows = sql.HOP.rows(
            {
                "nodes": frontier,
                "agent": scope.agent,
                "now": now,
                "each": tunables.EDGES_OF_A_NODE,
                "all": tunables.EDGES_OF_A_HOP,
            }
        )
        frontier = []
        for source, target, records, weight, other, name, count in rows:
            if other not in nodes:
                nodes[other] = Seen(name, int(count))
                if tells(nodes[other]):
                    frontier.append(other)
            ties[source, target] = Tie(source, target, int(records), float(weight))
        if not frontier:
            break
    return list(ties.values())


def nodes_named_by(object_ids: Sequence[str], nodes: Sequence[int]) -> dict[str, list[int]]:
    """Which of some nodes each of some records names."""
    named: dict[str, list[int]] = {}
    for object_id, node in sql.NAMED_BY.rows({"ids": list(object_ids), "nodes": list(nodes)}):
        named.setdefault(object_id, []).append(int(node))
    return named
