"""From the things a question names to the nodes near them: the cheapest paths in the neighbourhood that was read.

An edge passes on `HOP_DECAY * weight * cosine` of a node's score, where the cosine says how exclusively two nodes are
named together: records that name both / sqrt(records of one * records of the other). The best path multiplies to the
most, so it is the cheapest one when an edge costs the negative logarithm (Dijkstra). A node's score is the sum over the
things it is reached from; a node that many records name is damped by its inverse document frequency.
"""

from __future__ import annotations

import math
from functools import lru_cache

import networkx

from memory_core.domain import tunables_graph as tunables
from memory_core.domain.graph import Neighbourhood, Reached, Tie


def telling(records: int, everything: int) -> float:
    """How much a name tells that `records` of `everything` records have: 1 for one of many, 0 for a hub.

    >>> telling(1, 1000), telling(500, 1000)
    (1.0, 0.0)
    """
    everything = max(records, everything, 1)
    if records > tunables.HUB_MOST or records > max(tunables.HUB_LEAST, tunables.HUB_SHARE * everything):
        return 0.0
    return _idf(max(records, 1), everything) / _idf(1, everything)


@lru_cache(maxsize=4096)
def _idf(records: int, everything: int) -> float:
    return math.log(1 + (everything - records + 0.5) / (records + 0.5))


def passed_on(tie: Tie, around: Neighbourhood) -> float:
    """The share of a node's score that an edge passes on, above 0, below 1."""
    alone = around.nodes[tie.source].records * around.nodes[tie.target].records
    return tunables.HOP_DECAY * tie.weight * min(1.0, max(tie.records, 1) / math.sqrt(max(alone, 1)))


def reach(around: Neighbourhood) -> dict[int, Reached]:
    """The nodes near the question, each with its score and its path from the start that gives it the most.

    At most MOST_REACHED, best first; equal scores by id. Hubs are neither reached nor passed through.
    """
    worth = {node: telling(seen.records, around.records) for node, seen in around.nodes.items()}
    graph = networkx.Graph()
    graph.add_nodes_from(node for node in around.nodes if worth[node] > 0)
    for tie in around.ties:
        if tie.source in graph and tie.target in graph:
            cost = -math.log(passed_on(tie, around))
            if cost < graph.get_edge_data(tie.source, tie.target, {"weight": math.inf})["weight"]:
                graph.add_edge(tie.source, tie.target, weight=cost)
    total: dict[int, float] = {}
    best: dict[int, Reached] = {}
    for start in sorted(node for node in around.starts if node in graph):
        costs, paths = networkx.single_source_dijkstra(graph, start)
        for node, cost in costs.items():
            score = around.starts[start] * worth[start] * math.exp(-cost) * worth[node]
            total[node] = total.get(node, 0.0) + score
            if score > 0 and (node not in best or score > best[node].score):
                best[node] = Reached(score, tuple(paths[node]))
    ranked = sorted(best, key=lambda node: (-total[node], node))[: tunables.MOST_REACHED]
    return {node: Reached(total[node], best[node].path) for node in ranked}
