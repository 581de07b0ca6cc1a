"""What records have given to the graph: written by the worker in batches, taken back with the record.

One writer a project at a time, by a lock of the transaction, so that the counts of nodes and edges are exact and no two
writers can deadlock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_core.domain import tunables_graph as tunables
from memory_core.domain.graph import EdgeType, Entity, Extracted
from memory_core.sql import graph as sql

_LOCK_CLASS = 0x4557  # the advisory locks of graphs, so that no other lock of the database meets them


@dataclass(frozen=True, slots=True)
class Unlinked:
    """An entry whose record is to be linked now."""

    entry_id: int
    kind: str
    object_id: str
    project: str
    agent: str


@dataclass(frozen=True, slots=True)
class Link:
    """What an entry's record gives to the graph of its project."""

    entry_id: int
    project: str
    extracted: Extracted


def take(batch: int) -> list[Unlinked]:
    """The next entries to link, held until the transaction ends; other workers pass over them."""
    return [Unlinked(*row) for row in sql.TAKE_UNLINKED.rows({"batch": batch})]


def _lock(projects: Sequence[str]) -> None:
    sql.LOCK_GRAPHS.rows({"class": _LOCK_CLASS, "projects": sorted(set(projects))})


def write(links: Sequence[Link], now: datetime) -> None:
    """Link entries, in place of what they gave before, and take them off the backlog; inside one transaction."""
    _lock([link.project for link in links])
    _unlink([link.entry_id for link in links])
    telling = [link for link in links if link.extracted.entities]
    nodes = _add_nodes(telling)
    pairs = [_ends(link, nodes) for link in telling]
    edges = _add_edges([(link.project, pair) for link, own in zip(telling, pairs, strict=True) for pair in own], now)
    sql.ADD_LINKS.run(
        {
            "entries": [link.entry_id for link in telling],
            "nodes": [_array([nodes[link.project, one] for one in link.extracted.entities]) for link in telling],
            "edges": [_array([edges[pair] for pair in own]) for own in pairs],
            "done": [link.entry_id for link in links],
        }
    )


Nodes = dict[tuple[str, Entity], int]


def _add_nodes(links: Sequence[Link]) -> Nodes:
    counts = Counter((link.project, one.type.value, one.key) for link in links for one in link.extracted.entities)
    names = {(link.project, one.type.value, one.key): one.name for link in links for one in link.extracted.entities}
    keys = sorted(counts)
    rows = sql.ADD_NODES.rows(
        {
            "projects": [project for project, _, _ in keys],
            "types": [kind for _, kind, _ in keys],
            "keys": [key for _, _, key in keys],
            "names": [names[one] for one in keys],
            "counts": [counts[one] for one in keys],
        }
    )
    ids = {(project, kind, key): int(node) for node, project, kind, key in rows}
    return {
        (link.project, one): ids[link.project, one.type.value, one.key]
        for link in links
        for one in link.extracted.entities
    }


def _ends(link: Link, nodes: Nodes) -> list[tuple[int, int]]:
    """The pairs of a record as ids of nodes; an edge without a direction goes from the smaller to the larger."""
    ids = [nodes[link.project, one] for one in link.extracted.entities]
    return [(min(ids[a], ids[b]), max(ids[a], ids[b])) for a, b in link.extracted.pairs]


def _add_edges(pairs: Sequence[tuple[str, tuple[int, int]]], now: datetime) -> dict[tuple[int, int], int]:
    counts = Counter(pairs)
    ordered = sorted(counts, key=lambda one: one[1])
    rows = sql.ADD_EDGES.rows(
        {
            "projects": [project for project, _ in ordered],
            "sources": [source for _, (source, _) in ordered],
            "targets": [target for _, (_, target) in ordered],
            "counts": [counts[one] for one in ordered],
            "type": EdgeType.RELATED_TO.value,
            "weight": tunables.CO_OCCURRENCE_WEIGHT,
            "now": now,
        }
    )
    return {(int(source), int(target)): int(edge) for edge, source, target in rows}


def _array(ids: Sequence[int]) -> str:
    return "{" + ",".join(map(str, ids)) + "}"


def give_up(entry: Unlinked) -> None:
    """Take an entry off the backlog that cannot be linked; a rebuild tries it again."""
    sql.DROP_FROM_BACKLOG.run({"entries": [entry.entry_id]})


def remove(entries: Sequence[int], projects: Sequence[str]) -> None:
    """Take back what entries have given, in the transaction that removes them."""
    if sql.LINKED.rows({"entries": list(entries)}):
        _lock(projects)
        _unlink(entries)


def _unlink(entries: Sequence[int]) -> None:
    given = sql.UNLINK.rows({"entries": list(entries)})
    for statement, what in ((sql.LOWER_EDGES, "edge"), (sql.LOWER_NODES, "node")):
        own = sorted((int(id_), count) for kind, id_, count in given if kind == what)
        if own:
            statement.run({"ids": [id_ for id_, _ in own], "counts": [count for _, count in own]})
