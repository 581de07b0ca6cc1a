"""The one statement of recall: the arms, their streams, the fusion, and what a hit needs to be shown."""

from __future__ import annotations

from .statement import Statement

_ENTRY_SCOPE = """
    AND (%(projects)s::text[] IS NULL OR e.project_id = ANY(%(projects)s))
    AND (%(agent)s::text IS NULL OR e.agent_id = %(agent)s)
    AND (%(kinds)s::text[] IS NULL OR e.kind = ANY(%(kinds)s))
    AND (%(cwd)s::text IS NULL OR e.session_id IN (SELECT s.id FROM memory_core_session s WHERE s.cwd = %(cwd)s))"""

_LEXICAL = (
    """
lexical_piece AS (
  SELECT e.object_id, -(e.weights <#> %(query_weights)s::sparsevec) AS score
  FROM memory_core_searchentry e
  WHERE e.terms @@ %(candidates)s::tsquery"""
    + _ENTRY_SCOPE
    + """
  ORDER BY e.weights <#> %(query_weights)s::sparsevec, e.object_id LIMIT %(depth)s),
lexical AS (
  SELECT object_id, max(score) AS score FROM lexical_piece WHERE score > 0 GROUP BY object_id)"""
)

_NO_LEXICAL = "lexical AS (SELECT NULL::text AS object_id, NULL::float8 AS score WHERE false)"
_NO_DENSE = "dense AS (SELECT NULL::text AS object_id, NULL::float8 AS score WHERE false)"


def _dense(dimensions: int, exact: bool) -> str:
    """The dense arm: an exact scan of the scope's rows where they are few, else the space's HNSW index."""
    distance = f"(v.embedding::halfvec({dimensions}) <=> %(query_embedding)s::halfvec({dimensions}))"
    order = f"{distance} + 0" if exact else distance
    return (
        f"""
dense_chunk AS (
  SELECT v.entry_id, 1 - {distance} AS score
  FROM memory_core_entryembedding v
  WHERE v.space_id = %(space)s
    AND (%(projects)s::text[] IS NULL OR v.project_id = ANY(%(projects)s))
    AND (%(agent)s::text IS NULL OR v.agent_id = %(agent)s)
  ORDER BY {order} LIMIT %(depth)s),
dense AS (
  SELECT e.object_id, max(c.score) AS score
  FROM dense_chunk c JOIN memory_core_searchentry e ON e.id = c.entry_id
  WHERE true"""
        + _ENTRY_SCOPE
        + " GROUP BY e.object_id)"
    )


# The linked arm reads the graph; its place in the statement and in the fusion is kept here.
_LINKED = "linked AS (SELECT NULL::text AS object_id, NULL::float8 AS score WHERE false)"

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
    %(streams)s::text[], %(arms)s::text[], %(weights)s::float8[], %(k)s, %(agreement)s) f
  ORDER BY f.score DESC, f.best_rank, f.object_id LIMIT %(limit)s)
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


def recall(*, lexical: bool, dimensions: int | None, exact: bool) -> Statement:
    """The recall statement for a question with words (`lexical`) and with a vector of `dimensions`, or without."""
    arms = [
        _LEXICAL if lexical else _NO_LEXICAL,
        _dense(dimensions, exact) if dimensions else _NO_DENSE,
        _LINKED,
    ]
    return Statement(
        "recall",
        "Rank the records of a scope by words, vectors and links, fused.",
        "WITH " + ",".join(arms) + "," + _FUSION,
    )


STATISTICS = Statement(
    "recall_statistics",
    "Entries and terms of the scope's projects, in how many entries each query term stands, and whether the scope is small.",
    """
SELECT
  (SELECT coalesce(sum(c.entries), 0)::bigint FROM memory_core_corpusstatistic c
    WHERE %(projects)s::text[] IS NULL OR c.project_id = ANY(%(projects)s)),
  (SELECT coalesce(jsonb_object_agg(t.term_id, t.entries), '{}') FROM (
    SELECT term_id, sum(entries)::bigint AS entries FROM memory_core_termstatistic
    WHERE term_id = ANY(%(term_ids)s::bigint[]) AND (%(projects)s::text[] IS NULL OR project_id = ANY(%(projects)s))
    GROUP BY term_id) t),
  (SELECT count(*) FROM (SELECT 1 FROM memory_core_entryembedding v
    WHERE v.space_id = %(space)s
      AND (%(projects)s::text[] IS NULL OR v.project_id = ANY(%(projects)s))
      AND (%(agent)s::text IS NULL OR v.agent_id = %(agent)s)
    LIMIT %(exact_limit)s + 1) scoped)
""",
)
