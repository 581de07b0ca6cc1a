"""Statements of the write path."""

from .statement import Statement

ENTER_PROJECT = Statement(
    "enter_project",
    "Make the project known and remember where on disk it was seen; touches nothing when both are known.",
    """
INSERT INTO memory_core_project (slug, roots, settings, created_at)
SELECT %(project)s, CASE WHEN %(cwd)s = '' THEN '{}' ELSE ARRAY[%(cwd)s] END, '{}', %(now)s
WHERE NOT EXISTS (SELECT 1 FROM memory_core_project p WHERE p.slug = %(project)s
                  AND (%(cwd)s = '' OR %(cwd)s = ANY(p.roots) OR cardinality(p.roots) >= %(most_roots)s))
ON CONFLICT (slug) DO UPDATE SET roots = array_append(memory_core_project.roots, %(cwd)s)
  WHERE %(cwd)s <> '' AND NOT %(cwd)s = ANY(memory_core_project.roots)
""",
)

ENTER_SESSION = Statement(
    "enter_session",
    "Create the session or count one more observation in it; no row when it is full. A completed session that goes on is"
    " active again.",
    """
INSERT INTO memory_core_session AS s (id, project_id, agent_id, cwd, started_at, updated_at, status, observation_count,
    refused_count, model, title, first_prompt, tags, commit_shas)
VALUES (%(session)s, %(project)s, %(agent)s, %(cwd)s, %(timestamp)s, %(now)s, 'active', 1, 0, '', '', %(prompt)s, '{}', '{}')
ON CONFLICT (id) DO UPDATE SET
  observation_count = s.observation_count + 1,
  updated_at = greatest(s.updated_at, excluded.updated_at),
  started_at = least(s.started_at, excluded.started_at),
  first_prompt = CASE WHEN s.first_prompt = '' THEN excluded.first_prompt ELSE s.first_prompt END,
  status = CASE WHEN s.ended_at < excluded.started_at THEN 'active' ELSE s.status END,
  ended_at = CASE WHEN s.ended_at < excluded.started_at THEN NULL ELSE s.ended_at END
WHERE %(cap)s = 0 OR s.observation_count < %(cap)s
RETURNING s.agent_id, %(import_tag)s = ANY(s.tags)
""",
)

ENTER_SESSION_BY_IMPORT = Statement(
    "enter_session_by_import",
    "Create the session as a completed one, or count one more observation in it; no row when it is full. What was"
    " active stays active, what was completed stays completed.",
    """
INSERT INTO memory_core_session AS s (id, project_id, agent_id, cwd, started_at, ended_at, updated_at, status,
    observation_count, refused_count, model, title, first_prompt, tags, commit_shas)
VALUES (%(session)s, %(project)s, %(agent)s, %(cwd)s, %(timestamp)s, %(timestamp)s, %(now)s, 'completed', 1, 0, '', '',
    %(prompt)s, ARRAY[%(import_tag)s], '{}')
ON CONFLICT (id) DO UPDATE SET
  observation_count = s.observation_count + 1,
  updated_at = greatest(s.updated_at, excluded.updated_at),
  started_at = least(s.started_at, excluded.started_at),
  ended_at = CASE WHEN s.ended_at IS NULL THEN NULL ELSE greatest(s.ended_at, excluded.ended_at) END,
  first_prompt = CASE WHEN s.first_prompt = '' THEN excluded.first_prompt ELSE s.first_prompt END,
  tags = CASE WHEN %(import_tag)s = ANY(s.tags) THEN s.tags ELSE array_append(s.tags, %(import_tag)s) END
WHERE %(cap)s = 0 OR s.observation_count < %(cap)s
RETURNING s.agent_id, true
""",
)

START_SESSION = Statement(
    "start_session",
    "Create the session, or reopen it: a restart overwrites nothing that it holds.",
    """
INSERT INTO memory_core_session AS s (id, project_id, agent_id, cwd, started_at, updated_at, status, observation_count,
    refused_count, model, title, first_prompt, tags, commit_shas)
VALUES (%(session)s, %(project)s, %(agent)s, %(cwd)s, %(now)s, %(now)s, 'active', 0, 0, '', %(title)s, %(prompt)s, '{}', '{}')
ON CONFLICT (id) DO UPDATE SET
  status = 'active', ended_at = NULL, updated_at = excluded.updated_at,
  title = CASE WHEN excluded.title <> '' THEN excluded.title ELSE s.title END,
  first_prompt = CASE WHEN s.first_prompt = '' THEN excluded.first_prompt ELSE s.first_prompt END,
  agent_id = CASE WHEN s.agent_id = '' THEN excluded.agent_id ELSE s.agent_id END
""",
)

END_SESSION = Statement(
    "end_session",
    "Close a session; no row when it is not known.",
    """
UPDATE memory_core_session SET status = 'completed', ended_at = greatest(%(now)s, started_at), updated_at = %(now)s
WHERE id = %(session)s RETURNING project_id, agent_id
""",
)

COUNT_REFUSED = Statement(
    "count_refused",
    "Count an event that a full session refused.",
    "UPDATE memory_core_session SET refused_count = refused_count + 1 WHERE id = %(session)s RETURNING refused_count",
)

_CLAIM = """
INSERT INTO memory_core_observationfingerprint AS f (session_id, digest, seen_at)
SELECT %(session)s, %(digest)s, %(now)s FROM entered WHERE %(window)s::interval > interval '0'
ON CONFLICT (session_id, digest) DO UPDATE SET seen_at = excluded.seen_at
  WHERE f.seen_at <= excluded.seen_at - %(window)s::interval
RETURNING 1
"""


def _enter(name: str, session: Statement) -> Statement:
    return Statement(
        name,
        "Make project and session known, count the observation, and claim its content for the dedup window (none: 0)."
        " Gives whether the session had room, its agent, whether it holds imported events, whether the claim succeeded.",
        f"""
WITH project AS ({ENTER_PROJECT.text}), entered (agent_id, imported) AS ({session.text}), claimed AS ({_CLAIM})
SELECT EXISTS (SELECT 1 FROM entered), (SELECT agent_id FROM entered), (SELECT imported FROM entered),
       %(window)s::interval = interval '0' OR EXISTS (SELECT 1 FROM claimed)
""",
        prepared=True,
    )


ENTER = _enter("enter", ENTER_SESSION)
ENTER_BY_IMPORT = _enter("enter_by_import", ENTER_SESSION_BY_IMPORT)

ADD_OBSERVATION = Statement(
    "add_observation",
    "Write an observation with its first search entry, its place in the embedding backlog and its line of the feed.",
    """
WITH observation AS (
  INSERT INTO memory_core_observation (id, session_id, project_id, agent_id, hook_type, timestamp, created_at, event_id,
    channel, channel_detail, raw, type, title, subtitle, facts, narrative, concepts, files, importance, confidence,
    tool_name, modality, images, compressed_by)
  VALUES (%(id)s, %(session)s, %(project)s, %(agent)s, %(hook_type)s, %(timestamp)s, %(now)s, %(event_id)s,
    %(channel)s, %(channel_detail)s, %(raw)s::jsonb, %(type)s, %(title)s, %(subtitle)s, %(facts)s::text[],
    %(narrative)s, %(concepts)s::text[], %(files)s::text[], %(importance)s, %(confidence)s, %(tool_name)s, %(modality)s,
    %(images)s::text[], 'rules')),
entry AS (
  INSERT INTO memory_core_searchentry (kind, object_id, piece, project_id, agent_id, session_id, occurred_at, term_count,
    average_length, terms, weights, counted)
  VALUES ('observation', %(id)s, 0, %(project)s, %(agent)s, %(session)s, %(timestamp)s, %(term_count)s,
    %(average_length)s, array_to_tsvector(%(terms)s::text[]), %(weights)s::sparsevec, false)
  RETURNING id),
backlog AS (
  INSERT INTO memory_core_embeddingbacklog (entry_id, priority, not_before, attempts, failed, last_error)
  SELECT id, %(priority)s, %(now)s, 0, false, '' FROM entry)
INSERT INTO memory_core_activityevent (kind, project_slug, agent_id, session_id, object_id, data, created_at)
VALUES ('observation', %(project)s, %(agent)s, %(session)s, %(id)s,
  jsonb_build_object('title', %(title)s::text, 'type', %(type)s::text), %(now)s)
RETURNING id
""",
    prepared=True,
)

HOLD_IMAGE = Statement(
    "hold_image",
    "Count one more use of an image.",
    """
INSERT INTO memory_core_image AS i (name, size, reference_count, created_at) VALUES (%(name)s, %(size)s, 1, %(now)s)
ON CONFLICT (name) DO UPDATE SET reference_count = i.reference_count + 1
""",
)

RELEASE_IMAGES = Statement(
    "release_images",
    "Count uses less; gives the names that nothing uses any more. Locked by name, so that two writers cannot deadlock.",
    """
WITH held AS (SELECT name FROM memory_core_image WHERE name = ANY(%(names)s::text[]) ORDER BY name FOR UPDATE)
UPDATE memory_core_image i SET reference_count = greatest(i.reference_count - u.uses, 0)
FROM (SELECT name, count(*)::integer AS uses FROM unnest(%(names)s::text[]) AS n(name) JOIN held USING (name)
      GROUP BY name) u
WHERE i.name = u.name RETURNING CASE WHEN i.reference_count = 0 THEN i.name END
""",
)

LOCK_IMAGE = Statement(
    "lock_image",
    "One writer or remover of an image at a time, until the transaction ends.",
    "SELECT pg_advisory_xact_lock(17750, hashtext(%(name)s))",
)

STORED_BYTES = Statement(
    "image_bytes", "Bytes of images on disk.", "SELECT coalesce(sum(size), 0)::bigint FROM memory_core_image"
)

LOG_ACCESS = Statement(
    "log_access",
    "Count that records were given back, at times in ms; keeps the times of the last 20. Sorted, so that two writers cannot"
    " deadlock.",
    """
INSERT INTO memory_core_accesslog AS a (object_id, count, last_at, recent)
SELECT id, count(*), to_timestamp(max(ms) / 1000.0), array_agg(ms ORDER BY ms)
FROM unnest(%(ids)s::text[], %(times)s::bigint[]) AS given(id, ms) GROUP BY id ORDER BY id
ON CONFLICT (object_id) DO UPDATE SET count = a.count + excluded.count, last_at = greatest(a.last_at, excluded.last_at),
  recent = (a.recent || excluded.recent)[greatest(cardinality(a.recent || excluded.recent) - 19, 1):]
""",
)

SWEEP_FINGERPRINTS = Statement(
    "sweep_fingerprints",
    "Forget fingerprints older than the window.",
    "DELETE FROM memory_core_observationfingerprint WHERE seen_at < %(before)s",
)

LOCK_PROJECT = Statement(
    "lock_project",
    "One writer of memories a project at a time, until the transaction ends.",
    "SELECT pg_advisory_xact_lock(%(classid)s, hashtext(%(project)s))",
)
