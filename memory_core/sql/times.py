"""The time arm's part of the recall statement: the records of a question's spans, how near to them a candidate is, and
the order of the best candidates by age. In the statement only for a question that names a time or asks for the latest."""

from __future__ import annotations

from functools import cache

from .statement import Statement

_ARMS = ("lexical", "dense", "linked", "dense_linked", "near_lexical", "near_dense")
RECORD = "object_id, project_id, session_id, occurred_at"
"""What every arm gives of a record, beside its score."""
_INSIDE = "EXISTS (SELECT FROM span s WHERE {0}.occurred_at >= s.first AND {0}.occurred_at < s.after)"


def spans(*, projects: bool, limits: str, lexical: bool, dimensions: int, space: int) -> str:
    """The streams of a question that names spans.

    `timed_lexical`, `timed_dense`: the records of the spans by words and by vectors, those included that no arm brought;
    `timed`: how near each candidate is to a span, 1 inside. `limits`: what else the scope asks of an entry `e`.
    """
    of_project = "unnest(%(projects)s::text[]) AS p(slug)" if projects else "memory_core_project p"
    scanned = "span_scan" if limits else "span_budget"
    return f"""
span AS (
  SELECT * FROM unnest(%(span_starts)s::timestamptz[], %(span_ends)s::timestamptz[], %(span_eases)s::float8[],
    %(span_reaches)s::interval[]) AS s(first, after, ease, reach)),
in_span AS MATERIALIZED (
  SELECT e.id, e.object_id, e.project_id, e.session_id, e.occurred_at, e.weights
  FROM span s CROSS JOIN {of_project} CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT * FROM memory_core_searchentry near
      WHERE near.project_id = p.slug AND near.occurred_at >= s.first AND near.occurred_at < s.after
      ORDER BY near.occurred_at DESC, near.id DESC LIMIT %({scanned})s::integer) e
    WHERE true{limits} ORDER BY e.occurred_at DESC, e.id DESC LIMIT %(span_budget)s::integer) e),
{_by_words(lexical)},
{_by_vectors(dimensions, space)},
timed AS (
  SELECT c.object_id, max(exp(-greatest(extract(epoch FROM s.first - c.occurred_at),
    extract(epoch FROM c.occurred_at - s.after), 0)::float8 / s.ease)) AS score
  FROM ({" UNION ".join(f"SELECT object_id, occurred_at FROM {arm}" for arm in (*_ARMS, "timed_lexical", "timed_dense"))}) c
  JOIN span s ON c.occurred_at > s.first - s.reach AND c.occurred_at < s.after + s.reach
  GROUP BY c.object_id)"""


def _by_words(lexical: bool) -> str:
    scored = "-(weights <#> %(query_weights)s::sparsevec)" if lexical else "0::float8"
    return f"""timed_lexical AS (
  SELECT {RECORD}, max(score) AS score FROM (
    SELECT {RECORD}, {scored} AS score FROM in_span
    UNION ALL SELECT {RECORD}, score FROM lexical WHERE {_INSIDE.format("lexical")}) inside
  WHERE score > 0 GROUP BY {RECORD} ORDER BY score DESC, object_id LIMIT %(span_depth)s::integer)"""


def _by_vectors(dimensions: int, space: int) -> str:
    width = int(dimensions)
    of_span = f"""
    SELECT {RECORD}, 1 - (v.embedding::halfvec({width}) <=> %(query_embedding)s::halfvec({width})) AS score
    FROM in_span JOIN memory_core_entryembedding v ON v.entry_id = in_span.id AND v.space_id = {int(space)} UNION ALL"""
    return f"""timed_dense AS (
  SELECT {RECORD}, max(score) AS score FROM ({of_span.replace(RECORD, _of("in_span")) if width else ""}
    SELECT {RECORD}, score FROM dense WHERE {_INSIDE.format("dense")}) inside
  GROUP BY {RECORD} ORDER BY score DESC, object_id LIMIT %(span_depth)s::integer)"""


def _of(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in RECORD.split(", "))


def ages(*, recent: bool, earliest: bool) -> str:
    """The best candidates of each arm by age, newest first (`recent`) or oldest first (`earliest`).

    Only those that are about as good as the arm's best: what merely shares a word is not made better by being new.
    """
    best = (
        "SELECT object_id, occurred_at FROM {0}"
        " WHERE score >= %(age_{0}_share)s::float8 * (SELECT max(score) FROM {0})"
        " ORDER BY score DESC, object_id LIMIT %(age_pool)s::integer"
    )
    parts = [f"age_pool AS (({best.format('lexical')}) UNION ({best.format('dense')}))"]
    if recent:
        parts.append("recent AS (SELECT object_id, extract(epoch FROM occurred_at)::float8 AS score FROM age_pool)")
    if earliest:
        parts.append("earliest AS (SELECT object_id, -extract(epoch FROM occurred_at)::float8 AS score FROM age_pool)")
    return ",\n".join(parts)


CANDIDATES = "".join(
    f"\n  UNION SELECT object_id, project_id, session_id FROM {stream}" for stream in ("timed_lexical", "timed_dense")
)
"""Candidates that the spans add."""

TIMED = """
  UNION ALL SELECT 'timed', object_id, score, ceil((%(k)s::float8 + 1) / score - %(k)s::float8 - 1e-9)::integer FROM timed"""
"""The stream of closeness. Its rank is the one whose vote, 1 / (k + rank), is the share `score` of the first rank's: all
inside a span are first, and being a little outside costs what it should however many are inside."""


@cache
def event_time(*, projects: bool, agent: bool) -> Statement:
    """When an event happened: the time of the record that says most of its words, the newest of equals."""
    limits = " AND e.project_id = ANY(%(projects)s::text[])" if projects else ""
    limits += " AND e.agent_id = %(agent)s::text" if agent else ""
    return Statement(
        "event_time",
        "When what a question measures from happened, as far as the records tell.",
        f"""
SELECT occurred_at FROM (
  SELECT e.occurred_at, e.weights, e.object_id FROM memory_core_searchentry e
  WHERE e.terms @@ %(all_terms)s::tsquery AND e.occurred_at <= %(now)s::timestamptz{limits}
  LIMIT %(candidates)s::integer) said
ORDER BY weights <#> %(term_weights)s::sparsevec, occurred_at DESC, object_id LIMIT 1
""",
        prepared=True,
    )
