"""The one statement of recall: the arms, their streams, the fusion, and what a hit needs to be shown.

Its text depends on the shape of the question alone (which arms take part, which limits the scope has), so that a
connection plans each shape once and every filter can use its index.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from . import times
from .statement import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a question has, and how its scope is limited; `dimensions` 0: no vector; `exact`: scan the scope's vectors;
    `space`: the embedding space, as a number in the text, or no plan could use its partial index; `explain`: give the
    evidence; `linked`: it names nodes of the graph; `expanded`: follow the graph from the best vectors;
    `timed`: it names times; `recent`, `earliest`: it asks for the latest or the first; `voice`: it asks for what one side
    of the conversation said."""

    lexical: bool
    dimensions: int
    exact: bool
    projects: bool
    agent: bool
    kinds: bool
    cwd: bool
    space: int = 0
    explain: bool = False
    linked: bool = False
    expanded: bool = False
    timed: bool = False
    recent: bool = False
    earliest: bool = False
    voice: bool = False


def _scope(shape: Shape, alias: str) -> str:
    """The limits of the scope on a table that has the columns `project_id` and `agent_id`."""
    text = ""
    if shape.projects:
        text += f" AND {alias}.project_id = ANY(%(projects)s::text[])"
    if shape.agent:
        text += f" AND {alias}.agent_id = %(agent)s::text"
    return text


def _entry_scope(shape: Shape, alias: str) -> str:
    return _scope(shape, alias) + _narrowed(shape, alias)


def _beside_projects(shape: Shape, alias: str) -> str:
    """The limits of the scope on an entry whose project is known to be in it."""
    agent = f" AND {alias}.agent_id = %(agent)s::text" if shape.agent else ""
    return agent + _narrowed(shape, alias)


def _narrowed(shape: Shape, alias: str) -> str:
    """The limits that only an entry can tell."""
    text = ""
    if shape.kinds:
        text += f" AND {alias}.kind = ANY(%(kinds)s::text[])"
    if shape.cwd:
        text += f" AND {alias}.session_id IN (SELECT s.id FROM memory_core_session s WHERE s.cwd = %(cwd)s::text)"
    return text


_NOTHING = "SELECT NULL::text AS object_id, NULL::text AS project_id, NULL::text AS session_id,\
 NULL::timestamptz AS occurred_at, NULL::float8 AS score WHERE false"


def _lexical(shape: Shape) -> str:
    """The lexical arm: candidates by the text index, ranked by BM25 as an inner product."""
    if not shape.lexical:
        return f"lexical AS ({_NOTHING})"
    found = """SELECT e.object_id, e.project_id, e.session_id, e.occurred_at,
    -(e.weights <#> %(query_weights)s::sparsevec) AS score
  FROM memory_core_searchentry e
  WHERE e.terms @@ %(candidates)s::tsquery{limits}
  ORDER BY e.weights <#> %(query_weights)s::sparsevec, e.object_id LIMIT %(depth)s::integer"""
    if shape.projects:
        # Project by project: the index of project and terms takes one project, and would read those of all for a list.
        own = found.format(limits=" AND e.project_id = p.slug" + _beside_projects(shape, "e"))
        piece = f"""SELECT of_one.* FROM unnest(%(projects)s::text[]) AS p(slug) CROSS JOIN LATERAL ({own}) of_one
  ORDER BY score DESC, object_id LIMIT %(depth)s::integer"""
    else:
        piece = found.format(limits=_beside_projects(shape, "e"))
    return f"""
lexical_piece AS (
  {piece}),
lexical AS (
  SELECT object_id, project_id, session_id, occurred_at, max(score) AS score
  FROM lexical_piece WHERE score > 0 GROUP BY object_id, project_id, session_id, occurred_at)"""


def _dense(shape: Shape) -> str:
    """The dense arm: an exact scan of the scope's vectors where they are few, else the space's HNSW index."""
    if not shape.dimensions:
        return f"dense AS ({_NOTHING})"
    width = int(shape.dimensions)
    distance = f"(v.embedding::halfvec({width}) <=> %(query_embedding)s::halfvec({width}))"
    order = f"{distance} + 0" if shape.exact else distance
    scope = _scope(shape, "v")
    if not shape.exact:
        # Not to be found by the index of projects: a kept plan thinks any project small, and would scan a large one.
        scope = scope.replace("v.project_id =", "v.project_id || '' =").replace("v.agent_id =", "v.agent_id || '' =")
    narrowed = _narrowed(shape, "own")
    entry = " JOIN memory_core_searchentry own ON own.id = v.entry_id" if narrowed else ""
    return f"""
dense_chunk AS (
  SELECT v.entry_id, 1 - {distance} AS score
  FROM memory_core_entryembedding v{entry}
  WHERE v.space_id = {int(shape.space)}{scope}{narrowed}
  ORDER BY {order} LIMIT %(depth)s::integer),
dense AS (
  SELECT e.object_id, e.project_id, e.session_id, e.occurred_at, max(c.score) AS score
  FROM dense_chunk c JOIN memory_core_searchentry e ON e.id = c.entry_id
  WHERE true{_entry_scope(shape, "e")}
  GROUP BY e.object_id, e.project_id, e.session_id, e.occurred_at)"""


def _records_of(shape: Shape, nodes: str) -> str:
    """The records of a scope that name some nodes, the newest of each node; a record's score is the sum over them."""
    narrowed = _narrowed(shape, "own")
    entry = " JOIN memory_core_searchentry own ON own.id = v.entry_id" if narrowed else ""
    return f"""
  SELECT e.object_id, e.project_id, e.session_id, e.occurred_at, sum(n.score) AS score
  FROM {nodes} n
  CROSS JOIN LATERAL (
    SELECT v.entry_id FROM memory_core_graphevidence v{entry}
    WHERE v.node_id = n.node_id{_scope(shape, "v")}{narrowed}
    ORDER BY v.entry_id DESC LIMIT %(node_records)s::integer) named
  JOIN memory_core_searchentry e ON e.id = named.entry_id
  WHERE n.score > 0{_entry_scope(shape, "e")}
  GROUP BY e.object_id, e.project_id, e.session_id, e.occurred_at
  ORDER BY score DESC, e.object_id LIMIT %(depth)s::integer"""


def _linked(shape: Shape) -> str:
    """The linked arm: the records that name the nodes a question led to, and that neither words nor vectors brought.

    What they brought they also ranked, and better: as a vote on those, links cost more than they gave.
    """
    if not shape.linked:
        return f"linked AS ({_NOTHING})"
    nodes = "unnest(%(linked_nodes)s::bigint[], %(linked_scores)s::float8[])"
    return f"""
linked_node AS (SELECT * FROM {nodes} AS n(node_id, score)),
named AS ({_records_of(shape, "linked_node")}),
linked AS (
  SELECT * FROM named
  WHERE object_id NOT IN (SELECT object_id FROM near_lexical UNION ALL SELECT object_id FROM near_dense))"""


def _expanded(shape: Shape) -> str:
    """Evidence of the dense arm: other records that name what its best hits name, or what is one edge away from that."""
    if not shape.expanded:
        return f"dense_linked AS ({_NOTHING})"
    return f"""
dense_best AS (SELECT object_id FROM dense ORDER BY score DESC, object_id LIMIT %(expanded_hits)s::integer),
dense_seed AS (
  SELECT DISTINCT d.id, d.records FROM dense_best best
  JOIN memory_core_searchentry e ON e.object_id = best.object_id AND e.piece = 0
  JOIN memory_core_linkedentry l ON l.entry_id = e.id, unnest(l.nodes) AS own(id)
  JOIN memory_core_graphnode d ON d.id = own.id AND d.records <= %(hub_records)s::integer),
dense_node AS (
  SELECT d.id AS node_id, sum(edge.share) / ln(1 + d.records) AS score FROM dense_seed s
  CROSS JOIN LATERAL (
    SELECT s.id AS other, 1.0::float8 AS share
    UNION ALL
    (SELECT o.target_id, o.weight * o.records / s.records FROM memory_core_graphedge o
     WHERE o.source_id = s.id AND o.live AND (o.valid_during @> now()) IS TRUE
     ORDER BY o.level DESC LIMIT %(node_edges)s::integer)
    UNION ALL
    (SELECT i.source_id, i.weight * i.records / s.records FROM memory_core_graphedge i
     WHERE i.target_id = s.id AND i.live AND (i.valid_during @> now()) IS TRUE
     ORDER BY i.level DESC LIMIT %(node_edges)s::integer)
  ) edge JOIN memory_core_graphnode d ON d.id = edge.other AND d.records <= %(hub_records)s::integer
  GROUP BY d.id, d.records ORDER BY score DESC, d.id LIMIT %(expanded_nodes)s::integer),
dense_linked AS (
  SELECT * FROM ({_records_of(shape, "dense_node")}) near WHERE object_id NOT IN (SELECT object_id FROM dense_best))"""


def _side(shape: Shape, later: bool) -> str:
    """The turns right after (or before) a hit in its session, nearest first."""
    sign, order = (">", "ASC") if later else ("<", "DESC")
    return f"""
    (SELECT e.object_id, e.project_id, e.session_id, e.occurred_at,
            row_number() OVER (ORDER BY e.occurred_at {order}, e.object_id {order}) AS distance
     FROM memory_core_searchentry e
     WHERE e.piece = 0 AND e.project_id = h.project_id AND e.session_id = h.session_id
       AND (e.occurred_at, e.object_id) {sign} (h.occurred_at, h.object_id){_beside_projects(shape, "e")}
     ORDER BY e.occurred_at {order}, e.object_id {order} LIMIT %(near_turns)s::integer)"""


_SHIFTED = f"SELECT {times.RECORD}, score - min(score) OVER () + 1e-6 AS score FROM dense"
"""The dense hits, each counted from the weakest one up: a cosine has no zero that means nothing."""


def _near(shape: Shape) -> str:
    """What stands beside a hit in its session is evidence: an agent's log is a conversation.

    A record's score in these streams is its own and a share of its neighbours', so that a record which says everything
    itself stays before one which merely stands beside it.
    """
    best = "(SELECT * FROM {0} WHERE session_id <> '' ORDER BY score DESC, object_id LIMIT %(near_hits)s::integer)"
    decayed = "power(%(near_decay)s::float8, n.distance - 1)"
    return f"""
shifted AS ({_SHIFTED}),
seed AS (
  SELECT {times.RECORD}, coalesce(l.score, 0) AS words, coalesce(d.score, 0) AS vectors
  FROM {best.format("lexical")} l FULL JOIN {best.format("shifted")} d USING ({times.RECORD})),
beside AS MATERIALIZED (
  SELECT n.object_id, n.project_id, n.session_id, n.occurred_at, h.words * {decayed} AS words, h.vectors * {decayed} AS vectors
  FROM seed h CROSS JOIN LATERAL ({_side(shape, True)}
    UNION ALL {_side(shape, False)}) n),
near_lexical AS (
  SELECT {times.RECORD}, sum(score) AS score FROM (
    SELECT {times.RECORD}, score FROM lexical
    UNION ALL SELECT {times.RECORD}, words * %(near_share)s::float8 FROM beside WHERE words > 0) own_and_near
  GROUP BY {times.RECORD}),
near_dense AS (
  SELECT {times.RECORD}, sum(score) AS score FROM (
    SELECT {times.RECORD}, score FROM shifted
    UNION ALL SELECT {times.RECORD}, vectors * %(near_dense_share)s::float8 FROM beside WHERE vectors > 0) own_and_near
  GROUP BY {times.RECORD})"""


def _sessions(arm: str) -> str:
    """A session is as good as its best hits of an arm together, each counted from the weakest hit up."""
    return f"""
sessions_{arm} AS (
  SELECT project_id, session_id, dense_rank() OVER (ORDER BY sum(score) DESC)::integer AS rank, sum(score) AS score
  FROM (SELECT project_id, session_id, score - min(score) OVER () + 1e-6 AS score,
               row_number() OVER (PARTITION BY project_id, session_id ORDER BY score DESC, object_id) AS place
        FROM {arm} WHERE session_id <> '') best
  WHERE place <= %(session_hits)s::integer GROUP BY project_id, session_id)"""


def _ranked(stream: str, age: str = "") -> str:
    """The ranks of a stream; of equal scores by `age` where the question asks for the latest or the first, then by id."""
    return (
        f"SELECT '{stream}' AS stream, object_id, score,"
        f" row_number() OVER (ORDER BY score DESC, {age}object_id)::integer AS rank FROM {stream}"
    )


def _tied(stream: str, age: str = "") -> str:
    """The ranks of a stream in which many records are equal, as those that name the same thing are: each has the middle
    one of its equals' ranks, since without a wish for the latest or the first any order among them would be chance."""
    if age:
        return _ranked(stream, age)
    score = "round(score::numeric, 9)"  # sums of the same numbers in another order differ beyond that
    return (
        f"SELECT '{stream}' AS stream, object_id, score, (rank() OVER (ORDER BY {score} DESC)"
        f" + (count(*) OVER (PARTITION BY {score}) - 1) / 2)::integer AS rank FROM {stream}"
    )


def _times(shape: Shape) -> list[str]:
    """The time arm's part, for a question that has one."""
    parts = []
    if shape.timed:
        limits = _beside_projects(shape, "e")
        parts.append(
            times.spans(
                projects=shape.projects,
                limits=limits,
                lexical=shape.lexical,
                dimensions=shape.dimensions,
                space=shape.space,
            )
        )
    if shape.recent or shape.earliest:
        parts.append(times.ages(recent=shape.recent, earliest=shape.earliest))
    return parts


def _streams(shape: Shape) -> str:
    """Everything the streams bring, each ranked; where a question names a time, that and no id decides among equals."""
    ranked = _tied if shape.timed else _ranked
    age = "occurred_at DESC, " if shape.recent else "occurred_at, " if shape.earliest else ""
    more = times.TIMED if shape.timed else ""
    for stream in ("timed_lexical", "timed_dense") if shape.timed else ():
        more += f"\n  UNION ALL {ranked(stream, age)}"
    for stream, asked in (("recent", shape.recent), ("earliest", shape.earliest)):
        more += f"\n  UNION ALL {_ranked(stream)}" if asked else ""
    return f"""
candidate AS (
  SELECT object_id, project_id, session_id FROM lexical UNION SELECT object_id, project_id, session_id FROM dense
  UNION SELECT object_id, project_id, session_id FROM linked UNION SELECT object_id, project_id, session_id FROM dense_linked
  UNION SELECT object_id, project_id, session_id FROM near_lexical
  UNION SELECT object_id, project_id, session_id FROM near_dense{times.CANDIDATES if shape.timed else ""}),
hit AS (
  {ranked("lexical", age)} UNION ALL {ranked("dense", age)} UNION ALL {_tied("linked", age)}
  UNION ALL {ranked("near_lexical", age)} UNION ALL {ranked("near_dense", age)} UNION ALL {_tied("dense_linked", age)}
  UNION ALL SELECT 'session_lexical', c.object_id, s.score, s.rank FROM candidate c JOIN sessions_lexical s
    USING (project_id, session_id)
  UNION ALL SELECT 'session_dense', c.object_id, s.score, s.rank FROM candidate c JOIN sessions_dense s
    USING (project_id, session_id){more})"""


_EVIDENCE = """,
evidence AS MATERIALIZED (
  SELECT h.object_id, jsonb_object_agg(h.stream, jsonb_build_array(h.rank, h.score)) AS evidence
  FROM hit h JOIN fused USING (object_id) GROUP BY h.object_id)"""


def _fused(shape: Shape) -> str:
    """The best records by the fusion; where the question asks for one side's words, the others' count for less."""
    fusion = """everlore_rrf(packed.streams, packed.ids, packed.ranks,
    %(streams)s::text[], %(arms)s::text[], %(weights)s::float8[], %(k)s::float8, %(agreement)s::float8) f"""
    order = "ORDER BY score DESC, best_rank, object_id LIMIT"
    if not shape.voice:
        return f"""
fused AS MATERIALIZED (
  SELECT f.*, 1.0::float8 AS voice FROM packed, {fusion} {order} %(limit)s::integer)"""
    return f"""
heard AS (
  SELECT f.*, CASE WHEN o.hook_type = ANY(%(other_hooks)s::text[]) THEN %(voice_share)s::float8 ELSE 1 END AS voice
  FROM (SELECT f.* FROM packed, {fusion} {order} %(voice_pool)s::integer) f
  LEFT JOIN memory_core_observation o ON o.id = f.object_id),
fused AS MATERIALIZED (
  SELECT object_id, score * voice AS score, best_rank, arms_matched, voice FROM heard {order} %(limit)s::integer)"""


def _fusion(shape: Shape) -> str:
    """The fusion, and what is shown of each record; with `explain` also its rank and score in every stream."""
    return f"""
packed AS (
  SELECT array_agg(stream) AS streams, array_agg(object_id) AS ids, array_agg(rank) AS ranks FROM hit),
{_fused(shape)}{_EVIDENCE if shape.explain else ""}
SELECT f.object_id, f.score, f.best_rank, f.arms_matched, f.voice,
       e.kind, e.project_id AS project, e.agent_id AS agent, e.session_id, e.occurred_at,
       coalesce(o.title, m.title) AS title,
       coalesce(o.type, m.type) AS type,
       coalesce(o.narrative, m.content) AS narrative,
       {"v.evidence" if shape.explain else "NULL::jsonb"} AS evidence
FROM fused f
JOIN memory_core_searchentry e ON e.object_id = f.object_id AND e.piece = 0
LEFT JOIN memory_core_observation o ON e.kind = 'observation' AND o.id = f.object_id
LEFT JOIN memory_core_memory m ON e.kind = 'memory' AND m.id = f.object_id AND m.is_latest
  AND (m.forget_after IS NULL OR m.forget_after > now())
{"JOIN evidence v ON v.object_id = f.object_id" if shape.explain else ""}
WHERE o.id IS NOT NULL OR m.id IS NOT NULL
ORDER BY f.score DESC, f.best_rank, f.object_id
"""


@cache
def recall(shape: Shape) -> Statement:
    """The recall statement for a question of this shape."""
    parts = [_lexical(shape), _dense(shape), _near(shape), _linked(shape), _expanded(shape)]
    parts += [_sessions("lexical"), _sessions("dense"), *_times(shape), _streams(shape)]
    return Statement(
        "recall",
        "Rank the records of a scope by words, vectors and links, fused.",
        "WITH " + ",".join(parts) + "," + _fusion(shape),
        prepared=True,
    )


@cache
def statistics(*, projects: bool) -> Statement:
    """Entries of the scope's projects, and in how many of them each query term stands."""
    of_projects = "project_id = ANY(%(projects)s::text[])" if projects else "true"
    return Statement(
        "recall_statistics",
        "What BM25 has to know of a scope before it can weigh a question's terms.",
        f"""
SELECT
  (SELECT coalesce(sum(entries), 0)::bigint FROM memory_core_corpusstatistic WHERE {of_projects}),
  (SELECT coalesce(jsonb_object_agg(t.term_id, t.entries), '{{}}') FROM (
    SELECT term_id, sum(entries)::bigint AS entries FROM memory_core_termstatistic
    WHERE term_id = ANY(%(term_ids)s::bigint[]) AND {of_projects}
    GROUP BY term_id) t)
""",
        prepared=True,
    )


@cache
def scope_size(*, projects: bool, agent: bool) -> Statement:
    """How many vectors a scope has, counted no further than a limit, and about how many there are in all."""
    of_projects = " AND project_id = ANY(%(projects)s::text[])" if projects else ""
    of_agent = " AND agent_id = %(agent)s::text" if agent else ""
    return Statement(
        "scope_size",
        "Whether a scope's vectors are few enough to be scanned.",
        f"""
SELECT (SELECT count(*) FROM (SELECT 1 FROM memory_core_entryembedding
          WHERE space_id = %(space)s::bigint{of_projects}{of_agent} LIMIT %(limit)s::integer) scoped),
       (SELECT reltuples::bigint FROM pg_class WHERE oid = 'memory_core_entryembedding'::regclass)
""",
        prepared=True,
    )
