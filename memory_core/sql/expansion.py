"""Statements of query expansion: longer forms of a word, and the counters of the synonym groups."""

from __future__ import annotations

from functools import cache

from .statement import Statement


@cache
def longer_forms(*, projects: bool, agent: bool) -> Statement:
    """Terms that begin with a word, from a sample of the scope's entries that hold such a term.

    One project at a time: only for one value the planner lets the text index see the project, too, and a word that is
    common elsewhere then costs its postings, not its rows.
    """
    each_project = "CROSS JOIN unnest(%(projects)s::text[]) AS p(project)" if projects else ""
    of_project = " AND e.project_id = p.project" if projects else ""
    of_agent = " AND e.agent_id = %(agent)s::text" if agent else ""
    return Statement(
        "longer_forms",
        "What a word that stands nowhere in a scope is the beginning of there.",
        f"""
SELECT word, term FROM unnest(%(words)s::text[], %(queries)s::text[], %(longest)s::integer[]) AS w(word, query, longest)
{each_project}
CROSS JOIN LATERAL (SELECT e.terms FROM memory_core_searchentry e
  WHERE e.terms @@ w.query::tsquery AND e.term_count <= %(longest_entry)s::integer{of_project}{of_agent}
  LIMIT %(sample)s::integer) e
CROSS JOIN LATERAL unnest(tsvector_to_array(e.terms)) AS t(term)
WHERE starts_with(term, word) AND length(term) <= longest GROUP BY word, term
""",
    )


COUNT_GROUP_USES = Statement(
    "count_group_uses",
    "Count the questions that groups of synonyms widened, and those whose answer holds a record (all its pieces looked at)"
    " with a synonym and without the word it stands for. Sorted, so that two writers cannot deadlock.",
    """
WITH use AS (
  SELECT * FROM jsonb_to_recordset(%(uses)s::jsonb) AS u("group" text, ids text[], synonyms text, sources text, ms bigint)),
judged AS (
  SELECT "group", ms, EXISTS (
    SELECT 1 FROM memory_core_searchentry e WHERE e.object_id = ANY(use.ids) GROUP BY e.object_id
    HAVING bool_or(e.terms @@ use.synonyms::tsquery) AND NOT bool_or(e.terms @@ use.sources::tsquery)) AS hit
  FROM use)
INSERT INTO memory_core_synonymgroupuse AS g ("group", asked, hits, last_used_at)
SELECT "group", count(*), count(*) FILTER (WHERE hit), to_timestamp(max(ms) / 1000.0) FROM judged
GROUP BY "group" ORDER BY "group"
ON CONFLICT ("group") DO UPDATE SET asked = g.asked + excluded.asked, hits = g.hits + excluded.hits,
  last_used_at = greatest(g.last_used_at, excluded.last_used_at)
""",
)

MATCHED_TERMS = Statement(
    "matched_terms",
    "Which of a question's terms stand in each record, in any of its pieces.",
    """
SELECT e.object_id, array_agg(DISTINCT t.term) FROM memory_core_searchentry e
CROSS JOIN LATERAL unnest(tsvector_to_array(e.terms)) AS t(term)
JOIN unnest(%(terms)s::text[]) AS asked(term) ON asked.term = t.term
WHERE e.object_id = ANY(%(ids)s::text[]) GROUP BY e.object_id
""",
)
