"""Statements of query expansion: longer forms of a word, and the counters of the synonym groups."""

from __future__ import annotations

from functools import cache

from .statement import Statement


@cache
def longer_forms(*, projects: bool, agent: bool) -> Statement:
    """Terms that begin with a word, from a sample of the scope's entries that hold such a term."""
    of_projects = " AND e.project_id = ANY(%(projects)s::text[])" if projects else ""
    of_agent = " AND e.agent_id = %(agent)s::text" if agent else ""
    return Statement(
        "longer_forms",
        "What a word that stands nowhere in a scope is the beginning of there.",
        f"""
SELECT word, term FROM unnest(%(words)s::text[], %(queries)s::text[], %(longest)s::integer[]) AS w(word, query, longest)
CROSS JOIN LATERAL (SELECT e.terms FROM memory_core_searchentry e
  WHERE e.terms @@ w.query::tsquery AND e.term_count <= %(longest_entry)s::integer{of_projects}{of_agent}
  LIMIT %(sample)s::integer) e
CROSS JOIN LATERAL unnest(tsvector_to_array(e.terms)) AS t(term)
WHERE starts_with(term, word) AND length(term) <= longest GROUP BY word, term
""",
    )
