"""The one statement of recall: the arms, their streams, the fusion, and what a hit needs to be shown.

Its text depends on the shape of the question alone (which arms take part, which limits the scope has), so that a
connection plans each shape once and every filter can use its index.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from .statement import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a question has, and how its scope is limited; `dimensions` 0: no vector; `exact`: scan the scope's vectors."""

    lexical: bool
    dimensions: int
    exact: bool
    projects: bool
    agent: bool
    kinds: bool
    cwd: bool


def _scope(shape: Shape, alias: str) -> str:
    """The limits of the scope on a table that has the columns `project_id` and `agent_id`."""
    text = ""
    if shape.projects:
        text += f" AND {alias}.project_id = ANY(%(projects)s::text[])"
    if shape.agent:
        text += f" AND {alias}.agent_id = %(agent)s::text"
    return text


def _entry_scope(shape: Shape, alias: str) -> str:
    text = _scope(shape, alias)
    if shape.kinds:
        text += f" AND {alias}.kind = ANY(%(kinds)s::text[])"
    if shape.cwd:
        text += f" AND {alias}.session_id IN (SELECT s.id FROM memory_core_session s WHERE s.cwd = %(cwd)s::text)"
    return text


def _lexical(shape: Shape) -> str:
    """The lexical arm: candidates by the text index, ranked by BM25 as an inner product."""
    if not shape.lexical:
        return "lexical AS (SELECT NULL::text AS object_id, NULL::float8 AS score WHERE false)"
    return f"""
lexical_piece AS (
  SELECT e.object_id, -(e.weights <#> %(query_weights)s::sparsevec) AS score
  FROM memory_core_searchentry e
  WHERE e.terms @@ %(candidates)s::tsquery{_entry_scope(shape, "e")}
  ORDER BY e.weights <#> %(query_weights)s::sparsevec, e.object_id LIMIT %(depth)s::integer),
lexical AS (
  SELECT object_id, max(score) AS score FROM lexical_piece WHERE score > 0 GROUP BY object_id)"""


def _dense(shape: Shape) -> str:
    """The dense arm: an exact scan of the scope's vectors where they are few, else the space's HNSW index."""
    if not shape.dimensions:
        return "dense AS (SELECT NULL::text AS object_id, NULL::float8 AS score WHERE false)"
    width = int(shape.dimensions)
    distance = f"(v.embedding::halfvec({width}) <=> %(query_embedding)s::halfvec({width}))"
    order = f"{distance} + 0" if shape.exact else distance
    return f"""
dense_chunk AS (
  SELECT v.entry_id, 1 - {distance} AS score
  FROM memory_core_entryembedding v
  WHERE v.space_id = %(space)s::bigint{_scope(shape, "v")}
  ORDER BY {order} LIMIT %(depth)s::integer),
dense AS (
  SELECT e.object_id, max(c.score) AS score
  FROM dense_chunk c JOIN memory_core_searchentry e ON e.id = c.entry_id
  WHERE true{_entry_scope(shape, "e")}
  GROUP BY e.object_id)"""


_LINKED = "linked AS (SELECT NULL::text AS object_id, NULL::float8 AS score WHERE false)"
"""The linked arm reads the graph, which comes later; its place in the statement and in the fusion is kept here."""

_FUSION = """
hit AS (
  SELECT 'lexical' AS stream, object_id, score,
         row_number() OVER (ORDER BY score DESC, object_id)::integer AS rank FROM lexical
  UNION ALL
  SELECT 'dense', object_id, score, row_number() OVER (ORDER BY score DESC, object_id)::integer FROM dense
  UNION ALL
  SELECT 'linked', object_id, score, row_number() OVER (ORDER BY score DESC, object_id)::integer FROM linked),
packed AS (
  SELECT array_agg(stream) AS streams, array_agg(object_id) AS ids, array_agg(rank) AS ranks FROM hit),
fused AS (
  SELECT f.* FROM packed, everlore_rrf(packed.streams, packed.ids, packed.ranks,
    %(streams)s::text[], %(arms)s::text[], %(weights)s::float8[], %(k)s::float8, %(agreement)s::float8) f
  ORDER BY f.score DESC, f.best_rank, f.object_id LIMIT %(limit)s::integer)
SELECT f.object_id, f.score, f.best_rank, f.arms_matched,
       e.kind, e.project_id AS project, e.agent_id AS agent, e.session_id, e.occurred_at,
       coalesce(o.title, m.title) AS title,
       coalesce(o.type, m.type) AS type,
       coalesce(o.narrative, m.content) AS narrative,
       (SELECT jsonb_object_agg(h.stream, jsonb_build_array(h.rank, h.score)) FROM hit h WHERE h.object_id = f.object_id)
         AS evidence
FROM fused f
JOIN memory_core_searchentry e ON e.object_id = f.object_id AND e.piece = 0
LEFT JOIN memory_core_observation o ON e.kind = 'observation' AND o.id = f.object_id
LEFT JOIN memory_core_memory m ON e.kind = 'memory' AND m.id = f.object_id
WHERE o.id IS NOT NULL OR m.id IS NOT NULL
ORDER BY f.score DESC, f.best_rank, f.object_id
"""


@cache
def recall(shape: Shape) -> Statement:
    """The recall statement for a question of this shape."""
    return Statement(
        "recall",
        "Rank the records of a scope by words, vectors and links, fused.",
        "WITH " + ",".join([_lexical(shape), _dense(shape), _LINKED]) + "," + _FUSION,
        prepared=True,
    )


@cache
def statistics(*, projects: bool, agent: bool) -> Statement:
    """Entries of the scope's projects, in how many of them each query term stands, and how many vectors it has."""
    of_projects = "project_id = ANY(%(projects)s::text[])" if projects else "true"
    of_agent = "v.agent_id = %(agent)s::text" if agent else "true"
    return Statement(
        "recall_statistics",
        "What a question has to know of its scope before the arms are asked.",
        f"""
SELECT
  (SELECT coalesce(sum(c.entries), 0)::bigint FROM memory_core_corpusstatistic c WHERE c.{of_projects}),
  (SELECT coalesce(jsonb_object_agg(t.term_id, t.entries), '{{}}') FROM (
    SELECT term_id, sum(entries)::bigint AS entries FROM memory_core_termstatistic
    WHERE term_id = ANY(%(term_ids)s::bigint[]) AND {of_projects}
    GROUP BY term_id) t),
  (SELECT count(*) FROM (SELECT 1 FROM memory_core_entryembedding v
    WHERE v.space_id = %(space)s::bigint AND {"v." if projects else ""}{of_projects} AND {of_agent}
    LIMIT %(exact_limit)s::integer + 1) scoped)
""".replace("c.true", "true"),
        prepared=True,
    )
