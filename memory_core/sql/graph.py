"""Statements of the graph: what the worker writes, what forgetting takes back, what a question reads."""

from __future__ import annotations

from functools import cache

from .statement import Statement

STORAGE = """
ALTER TABLE memory_core_graphnode SET (fillfactor = 80);
ALTER TABLE memory_core_graphedge SET (fillfactor = 80);
"""
"""Counts change often, indexed columns seldom: with room on the page an update touches no index."""

QUEUE_ALL = """
INSERT INTO memory_core_linkbacklog (entry_id)
SELECT id FROM memory_core_searchentry WHERE counted AND piece = 0 ON CONFLICT DO NOTHING
"""
"""Records that were counted before there was a graph."""

TAKE_UNLINKED = Statement(
    "take_unlinked",
    "The next entries to link. The entry is locked and not its place in the backlog, in the order of whoever forgets it.",
    """
SELECT e.id, e.kind, e.object_id, e.project_id, e.agent_id
FROM memory_core_linkbacklog b JOIN memory_core_searchentry e ON e.id = b.entry_id
ORDER BY b.entry_id LIMIT %(batch)s FOR NO KEY UPDATE OF e SKIP LOCKED
""",
)

LOCK_GRAPHS = Statement(
    "lock_graphs",
    "Be the only writer of some projects' graphs until the transaction ends; sorted, so that two cannot deadlock.",
    """
SELECT pg_advisory_xact_lock(%(class)s, hashtext(project)) FROM (
  SELECT project FROM unnest(%(projects)s::text[]) AS p(project) ORDER BY hashtext(project)) sorted
""",
)

LINKED = Statement(
    "linked",
    "Which entries have given something to the graph.",
    "SELECT entry_id FROM memory_core_linkedentry WHERE entry_id = ANY(%(entries)s::bigint[])",
)

UNLINK = Statement(
    "unlink",
    "Take back what entries have given; gives how often each node and edge was among it.",
    """
WITH link AS (
  DELETE FROM memory_core_linkedentry WHERE entry_id = ANY(%(entries)s::bigint[]) RETURNING entry_id, nodes, edges),
own AS (SELECT entry_id, unnest(nodes) AS node_id FROM link),
evidence AS (
  DELETE FROM memory_core_graphevidence v USING own o WHERE v.node_id = o.node_id AND v.entry_id = o.entry_id)
SELECT 'node', node_id, count(*)::integer FROM own GROUP BY node_id
UNION ALL SELECT 'edge', edge_id, count(*)::integer FROM (SELECT unnest(edges) AS edge_id FROM link) l GROUP BY edge_id
""",
)

LOWER_EDGES = Statement(
    "lower_edges",
    "Fewer records say so; an edge that no record speaks for any more is gone.",
    """
WITH less AS (SELECT * FROM unnest(%(ids)s::bigint[], %(counts)s::integer[]) AS n(id, count)),
gone AS (DELETE FROM memory_core_graphedge e USING less n WHERE e.id = n.id AND e.records <= n.count)
UPDATE memory_core_graphedge e SET records = e.records - n.count FROM less n WHERE e.id = n.id AND e.records > n.count
""",
)

LOWER_NODES = Statement(
    "lower_nodes",
    "Fewer records name it; a node that no record names any more is gone, with every edge it ever had.",
    """
WITH less AS (SELECT * FROM unnest(%(ids)s::bigint[], %(counts)s::integer[]) AS n(id, count)),
gone AS (DELETE FROM memory_core_graphnode d USING less n WHERE d.id = n.id AND d.records <= n.count RETURNING d.id),
edges AS (
  DELETE FROM memory_core_graphedge e WHERE e.id IN (
    SELECT o.id FROM memory_core_graphedge o JOIN gone g ON o.source_id = g.id
    UNION SELECT i.id FROM memory_core_graphedge i JOIN gone g ON i.target_id = g.id))
UPDATE memory_core_graphnode d SET records = d.records - n.count FROM less n WHERE d.id = n.id AND d.records > n.count
""",
)

ADD_NODES = Statement(
    "add_nodes",
    "Name nodes, or name them once more; gives their ids.",
    """
INSERT INTO memory_core_graphnode AS d (project_id, type, key, name, records)
SELECT project, type, key, name, count
FROM unnest(%(projects)s::text[], %(types)s::text[], %(keys)s::text[], %(names)s::text[], %(counts)s::integer[])
  AS n(project, type, key, name, count)
ORDER BY key, project, type
ON CONFLICT (key, project_id, type) DO UPDATE SET records = d.records + excluded.records
RETURNING id, project_id, type, key
""",
)

ADD_EDGES = Statement(
    "add_edges",
    "Join nodes from now on, or once more; gives the edges' ids.",
    """
INSERT INTO memory_core_graphedge AS e
  (project_id, source_id, target_id, type, weight, records, valid_during, recorded_during)
SELECT project, source, target, %(type)s, %(weight)s, count, tstzrange(NULL, NULL), tstzrange(%(now)s, NULL)
FROM unnest(%(projects)s::text[], %(sources)s::bigint[], %(targets)s::bigint[], %(counts)s::integer[])
  AS n(project, source, target, count)
ORDER BY source, target
ON CONFLICT (source_id, target_id, type) WHERE live AND upper_inf(valid_during)
DO UPDATE SET records = e.records + excluded.records
RETURNING id, source_id, target_id
""",
)

ADD_LINKS = Statement(
    "add_links",
    "Keep what each entry has given, and that its record names these nodes; takes the entries off the backlog.",
    """
WITH link AS (
  INSERT INTO memory_core_linkedentry (entry_id, nodes, edges)
  SELECT entry_id, nodes::bigint[], edges::bigint[]
  FROM unnest(%(entries)s::bigint[], %(nodes)s::text[], %(edges)s::text[]) AS n(entry_id, nodes, edges)
  RETURNING entry_id, nodes),
done AS (DELETE FROM memory_core_linkbacklog WHERE entry_id = ANY(%(done)s::bigint[]))
INSERT INTO memory_core_graphevidence (node_id, entry_id, project_id, agent_id)
SELECT node_id, e.id, e.project_id, e.agent_id
FROM link l JOIN memory_core_searchentry e ON e.id = l.entry_id, unnest(l.nodes) AS node_id
""",
)

DROP_FROM_BACKLOG = Statement(
    "drop_from_link_backlog",
    "Entries that give nothing to the graph.",
    "DELETE FROM memory_core_linkbacklog WHERE entry_id = ANY(%(entries)s::bigint[])",
)


def _of(projects: bool, alias: str) -> str:
    return f" AND {alias}.project_id = ANY(%(projects)s::text[])" if projects else ""


def _known_to_agent(alias: str) -> str:
    """Of a scope with an agent only what this agent's records name: the name of a node is a record's word, too."""
    return f""" AND (%(agent)s::text IS NULL OR EXISTS (
    SELECT FROM memory_core_graphevidence known WHERE known.node_id = {alias}.id AND known.agent_id = %(agent)s::text))"""


@cache
def named(*, projects: bool) -> Statement:
    """The nodes that have one of some keys."""
    return Statement(
        "named_nodes",
        "Nodes that a question names exactly, and how many records the scope's projects have.",
        f"""
SELECT n.id, n.key, n.name, n.records, everything.entries
FROM (SELECT coalesce(sum(c.entries), 0)::bigint AS entries FROM memory_core_corpusstatistic c
      WHERE true{_of(projects, "c")}) everything
LEFT JOIN memory_core_graphnode n ON n.key = ANY(%(keys)s::text[]){_of(projects, "n")}{_known_to_agent("n")}
""",
        prepared=True,
    )


@cache
def alike(*, projects: bool) -> Statement:
    """The nodes whose keys are much like some names, or end with them as a path does."""
    return Statement(
        "alike_nodes",
        "Nodes that a question may mean: written nearly so, or files of that name.",
        f"""
SELECT q.name, n.id, n.name, n.records, n.likeness
FROM unnest(%(names)s::text[], %(ends)s::text[]) AS q(name, ending)
CROSS JOIN LATERAL (
  SELECT d.id, d.name, d.records,
         CASE WHEN d.key LIKE q.ending THEN 1 ELSE similarity(d.key, q.name) END AS likeness
  FROM memory_core_graphnode d
  WHERE (d.key %% q.name AND similarity(d.key, q.name) >= %(above)s::float8 OR d.key LIKE q.ending)
    {_of(projects, "d")}{_known_to_agent("d")}
  ORDER BY likeness DESC, d.records DESC, d.id LIMIT %(nodes)s::integer) n
""",
        prepared=True,
    )


# `IS TRUE` keeps the time out of the index: a kept plan would think it rare and read the exclusion constraint's index,
# which for a target is all of it (66 ms instead of 0.6).
HOP = Statement(
    "hop",
    "The strongest edges of some nodes that are believed and hold now, with the nodes they lead to.",
    f"""
SELECT h.source_id, h.target_id, h.records, h.weight, n.id, n.name, n.records
FROM (
  SELECT e.* FROM unnest(%(nodes)s::bigint[]) AS f(id)
  CROSS JOIN LATERAL (
    (SELECT o.source_id, o.target_id, o.records, o.weight, o.level, o.target_id AS other FROM memory_core_graphedge o
     WHERE o.source_id = f.id AND o.live AND (o.valid_during @> %(now)s::timestamptz) IS TRUE
     ORDER BY o.level DESC LIMIT %(each)s::integer)
    UNION ALL
    (SELECT i.source_id, i.target_id, i.records, i.weight, i.level, i.source_id AS other FROM memory_core_graphedge i
     WHERE i.target_id = f.id AND i.live AND (i.valid_during @> %(now)s::timestamptz) IS TRUE
     ORDER BY i.level DESC LIMIT %(each)s::integer)) e
  ORDER BY e.level DESC, e.records DESC, e.source_id, e.target_id LIMIT %(all)s::integer) h
JOIN memory_core_graphnode n ON n.id = h.other{_known_to_agent("n")}
""",
    prepared=True,
)

NAMED_BY = Statement(
    "named_by",
    "Which of some nodes each of some records names.",
    """
SELECT e.object_id, v.node_id FROM memory_core_searchentry e
JOIN memory_core_graphevidence v ON v.entry_id = e.id AND v.node_id = ANY(%(nodes)s::bigint[])
WHERE e.object_id = ANY(%(ids)s::text[]) AND e.piece = 0
""",
)
