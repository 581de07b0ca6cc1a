"""What recall learns from: answered questions, which of their records were used, and the log's pruning."""

from .statement import Statement

LOG_RECALL = Statement(
    "log_recall",
    "Keep an answered question; it follows the one before in its session when that was another, a moment ago, and gave"
    " nothing that this one gives.",
    """
INSERT INTO memory_core_recalllog
  (asked_at, project_id, agent_id, session_id, digest, shown, candidates, ranks, votes, used, follows)
SELECT %(asked_at)s, %(project)s::text, %(agent)s, %(session)s, %(digest)s, %(shown)s::text[], %(candidates)s::text[],
       %(ranks)s::jsonb, %(votes)s::jsonb, '{}',
  (SELECT p.id FROM (
     SELECT id, digest, shown FROM memory_core_recalllog
     WHERE session_id = %(session)s AND session_id <> '' AND project_id IS NOT DISTINCT FROM %(project)s::text
       AND agent_id = %(agent)s AND asked_at BETWEEN %(asked_at)s - make_interval(secs => %(follow_up)s) AND %(asked_at)s
     ORDER BY asked_at DESC, id DESC LIMIT 1) p
   WHERE p.digest <> %(digest)s AND NOT p.shown && %(shown)s::text[])
""",
)

MARK_USED = Statement(
    "mark_used",
    "Note that records were used: at the newest answer that gave them to the same session (or, where one side names no"
    " session, the same agent and project), and at the answer which that one followed, where they were candidates.",
    """
WITH recent AS MATERIALIZED (
  SELECT id, asked_at, shown, follows FROM memory_core_recalllog
  WHERE asked_at BETWEEN %(at)s - make_interval(secs => %(within)s) AND %(at)s
    AND (%(project)s::text IS NULL OR project_id = %(project)s::text)
    AND CASE WHEN %(session)s = '' OR session_id = '' THEN agent_id = %(agent)s ELSE session_id = %(session)s END
  ORDER BY asked_at DESC, id DESC LIMIT %(most)s),
gave AS (
  SELECT DISTINCT ON (u.object_id) u.object_id, r.id, r.follows
  FROM unnest(%(ids)s::text[]) AS u(object_id) JOIN recent r ON u.object_id = ANY(r.shown)
  ORDER BY u.object_id, r.asked_at DESC, r.id DESC),
use AS (
  SELECT id, object_id FROM gave
  UNION SELECT f.id, g.object_id FROM gave g JOIN memory_core_recalllog f
    ON f.id = g.follows AND g.object_id = ANY(f.candidates)),
locked AS MATERIALIZED (
  SELECT id FROM memory_core_recalllog WHERE id IN (SELECT id FROM use) ORDER BY id FOR UPDATE)
UPDATE memory_core_recalllog r SET used = ARRAY(SELECT DISTINCT unnest(r.used || n.ids) ORDER BY 1)
FROM (SELECT id, array_agg(object_id) AS ids FROM use GROUP BY id) n JOIN locked USING (id)
WHERE r.id = n.id
""",
)

PRUNE_RECALLS = Statement(
    "prune_recalls",
    "Forget old recalls, and all but the newest of each project: those with a used record and those without apart, so that"
    " many of the one kind do not drive out the other.",
    """
DELETE FROM memory_core_recalllog WHERE id IN (
  SELECT id FROM (
    SELECT id, asked_at,
           row_number() OVER (PARTITION BY project_id, used = '{}' ORDER BY asked_at DESC, id DESC) AS place
    FROM memory_core_recalllog) ranked
  WHERE place > %(keep)s OR asked_at < %(before)s LIMIT %(most)s)
""",
)
