"""Statements of the derived index: entries, statistics, the embedding backlog."""

from .statement import Statement

ADD_ENTRY = Statement(
    "add_entry",
    "Write one search entry and queue it for embedding, unless only the lexical index takes it.",
    """
WITH entry AS (
  INSERT INTO memory_core_searchentry (kind, object_id, piece, project_id, agent_id, session_id, occurred_at, term_count,
      average_length, terms, weights, counted)
  VALUES (%(kind)s, %(object_id)s, %(piece)s, %(project)s, %(agent)s, %(session)s, %(occurred_at)s, %(term_count)s,
      %(average_length)s, array_to_tsvector(%(terms)s::text[]), %(weights)s::sparsevec, false)
  RETURNING id)
INSERT INTO memory_core_embeddingbacklog (entry_id, priority, not_before, attempts, failed, last_error)
SELECT id, %(priority)s, %(now)s, 0, false, '' FROM entry WHERE %(priority)s IS NOT NULL
""",
)

REMOVE_ENTRIES = Statement(
    "remove_entries",
    "Take records out of the index; first of all, for it waits for a worker that is just storing their vectors.",
    """
WITH own AS (
  SELECT id FROM memory_core_searchentry WHERE object_id = ANY(%(ids)s::text[]) ORDER BY id FOR UPDATE),
gone AS (
  DELETE FROM memory_core_searchentry e USING own WHERE e.id = own.id
  RETURNING e.id, e.project_id, e.weights, e.term_count, e.counted)
SELECT id, counted, project_id, weights::text, term_count FROM gone
""",
)

DROP_DEPENDENTS = Statement(
    "drop_entry_dependents",
    "Vectors and backlogs of entries that have left the index.",
    """
WITH vectors AS (DELETE FROM memory_core_entryembedding WHERE entry_id = ANY(%(entries)s::bigint[])),
links AS (DELETE FROM memory_core_linkbacklog WHERE entry_id = ANY(%(entries)s::bigint[]))
DELETE FROM memory_core_embeddingbacklog WHERE entry_id = ANY(%(entries)s::bigint[])
""",
)

TAKE_UNCOUNTED = Statement(
    "take_uncounted",
    "Entries that the term statistics do not include yet; marks them included, and queues their records for the graph.",
    """
WITH taken AS (
  UPDATE memory_core_searchentry SET counted = true WHERE id IN (
    SELECT id FROM memory_core_searchentry WHERE NOT counted ORDER BY id LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
  RETURNING id, piece, project_id, weights::text AS weights, term_count),
queued AS (
  INSERT INTO memory_core_linkbacklog (entry_id) SELECT id FROM taken WHERE piece = 0 ON CONFLICT DO NOTHING)
SELECT project_id, weights, term_count FROM taken
""",
)

ADD_TERM_COUNTS = Statement(
    "add_term_counts",
    "Add to the number of entries each term stands in (negative takes away); sorted, so that two writers cannot deadlock.",
    """
INSERT INTO memory_core_termstatistic AS t (term_id, project_id, entries)
SELECT term_id, %(project)s, entries FROM unnest(%(term_ids)s::bigint[], %(counts)s::integer[]) AS n(term_id, entries)
ORDER BY term_id
ON CONFLICT (term_id, project_id) DO UPDATE SET entries = greatest(t.entries + excluded.entries, 0)
""",
)

ADD_CORPUS_COUNTS = Statement(
    "add_corpus_counts",
    "Add to a project's entries and terms.",
    """
INSERT INTO memory_core_corpusstatistic AS c (project_id, entries, terms) VALUES (%(project)s, %(entries)s, %(terms)s)
ON CONFLICT (project_id) DO UPDATE SET entries = greatest(c.entries + excluded.entries, 0),
  terms = greatest(c.terms + excluded.terms, 0)
""",
)

CLEAR_STATISTICS = Statement(
    "clear_statistics",
    "Forget the statistics of every project, to count them anew.",
    """
WITH terms AS (DELETE FROM memory_core_termstatistic), corpora AS (DELETE FROM memory_core_corpusstatistic)
UPDATE memory_core_searchentry SET counted = false WHERE counted
""",
)

AVERAGE_LENGTHS = Statement(
    "average_lengths",
    "Average document length of each project, in terms; none for a project whose texts hold no term.",
    "SELECT project_id, terms::float8 / entries FROM memory_core_corpusstatistic WHERE entries > 0 AND terms > 0",
)

TAKE_DRIFTED = Statement(
    "take_drifted",
    "Entries of a project whose weights were made with an average length that has drifted.",
    """
SELECT id, weights::text, term_count, average_length FROM memory_core_searchentry
WHERE project_id = %(project)s AND abs(average_length / %(average)s - 1) > %(drift)s
ORDER BY id LIMIT %(batch)s FOR UPDATE SKIP LOCKED
""",
)

REWEIGH = Statement(
    "reweigh",
    "New BM25 weights of entries.",
    """
UPDATE memory_core_searchentry e SET weights = n.weights::sparsevec, average_length = %(average)s
FROM unnest(%(ids)s::bigint[], %(weights)s::text[]) AS n(id, weights) WHERE e.id = n.id
""",
)

CLAIM_BACKLOG = Statement(
    "claim_backlog",
    "Take the next entries to embed, for a while: a worker that dies loses its claim, not the entry.",
    """
UPDATE memory_core_embeddingbacklog b SET attempts = b.attempts + 1, not_before = %(now)s + %(lease)s::interval
FROM (SELECT id FROM memory_core_embeddingbacklog WHERE NOT failed AND not_before <= %(now)s
      ORDER BY priority, not_before, id LIMIT %(batch)s FOR UPDATE SKIP LOCKED) n,
     memory_core_searchentry e
WHERE b.id = n.id AND e.id = b.entry_id
RETURNING b.id, b.entry_id, b.attempts, e.kind, e.object_id, e.piece, e.project_id, e.agent_id
""",
)

ADD_EMBEDDINGS = Statement(
    "add_embeddings",
    "Store vectors of entries that still exist; the lock makes an entry that is being forgotten wait or be left out.",
    """
INSERT INTO memory_core_entryembedding (entry_id, space_id, chunk, project_id, agent_id, embedding)
SELECT e.id, %(space)s, n.chunk, e.project_id, e.agent_id, n.embedding::halfvec
FROM unnest(%(entries)s::bigint[], %(chunks)s::smallint[], %(embeddings)s::text[]) AS n(entry_id, chunk, embedding)
JOIN (SELECT id, project_id, agent_id FROM memory_core_searchentry WHERE id = ANY(%(entries)s::bigint[])
      ORDER BY id FOR KEY SHARE) e ON e.id = n.entry_id
ON CONFLICT (entry_id, space_id, chunk) DO UPDATE SET embedding = excluded.embedding
""",
)

HOLD_ACTIVE_SPACE = Statement(
    "hold_active_space",
    "Whether searches read this space; nobody swaps it for another until the transaction ends.",
    "SELECT 1 FROM memory_core_embeddingspace WHERE id = %(space)s AND active FOR SHARE",
)

FINISH_BACKLOG = Statement(
    "finish_backlog",
    "Entries that have their vectors.",
    "DELETE FROM memory_core_embeddingbacklog WHERE id = ANY(%(ids)s)",
)

POSTPONE_BACKLOG = Statement(
    "postpone_backlog",
    "Try entries again later, or give them up after the last attempt; the error stays with them.",
    """
UPDATE memory_core_embeddingbacklog SET last_error = %(error)s, failed = attempts >= %(most_attempts)s,
  not_before = %(now)s + least(%(base_seconds)s * power(2, least(attempts, 20) - 1), %(most_seconds)s) * interval '1 second'
WHERE id = ANY(%(ids)s)
""",
)

RELEASE_BACKLOG = Statement(
    "release_backlog",
    "Hand back entries of a worker that stops.",
    """
UPDATE memory_core_embeddingbacklog SET attempts = greatest(attempts - 1, 0), not_before = %(now)s
WHERE id = ANY(%(ids)s)
""",
)

RECLAIM_BACKLOG = Statement(
    "reclaim_backlog",
    "Entries whose worker died before their claim ended (an entry that waits after a failure has its error).",
    """
UPDATE memory_core_embeddingbacklog SET not_before = %(now)s, failed = attempts >= %(most_deaths)s,
  last_error = CASE WHEN attempts >= %(most_deaths)s THEN 'the worker died each time it embedded this' ELSE '' END
WHERE NOT failed AND attempts > 0 AND not_before > %(now)s AND last_error = ''
RETURNING attempts
""",
)

SUSPECT_BACKLOG = Statement(
    "suspect_backlog",
    "Entries that are due and were tried more than once.",
    "SELECT count(*) FROM memory_core_embeddingbacklog WHERE NOT failed AND attempts > 1 AND not_before <= %(now)s",
)

RETRY_FAILED_BACKLOG = Statement(
    "retry_failed_backlog",
    "Try entries again that were given up.",
    """
UPDATE memory_core_embeddingbacklog SET failed = false, attempts = 0, last_error = '', not_before = %(now)s WHERE failed
""",
)

CACHED_EMBEDDINGS = Statement(
    "cached_embeddings",
    "Vectors of texts that were embedded before in this space.",
    """
UPDATE memory_core_embeddingcache SET used_at = %(now)s WHERE space_id = %(space)s AND digest = ANY(%(digests)s::bytea[])
RETURNING digest, embedding::text
""",
)

CACHE_EMBEDDINGS = Statement(
    "cache_embeddings",
    "Keep vectors for texts that come again.",
    """
INSERT INTO memory_core_embeddingcache (space_id, digest, embedding, used_at)
SELECT %(space)s, digest, embedding::halfvec, %(now)s
FROM unnest(%(digests)s::bytea[], %(embeddings)s::text[]) AS n(digest, embedding)
ON CONFLICT (space_id, digest) DO UPDATE SET used_at = excluded.used_at
""",
)

PRUNE_CACHE = Statement(
    "prune_cache",
    "Keep the most recently used texts only.",
    """
DELETE FROM memory_core_embeddingcache c USING (
  SELECT space_id, digest FROM memory_core_embeddingcache ORDER BY used_at DESC OFFSET %(keep)s) old
WHERE c.space_id = old.space_id AND c.digest = old.digest
""",
)

BACKLOG_SIZE = Statement(
    "backlog_size",
    "Entries that wait for vectors, and those given up.",
    "SELECT count(*) FILTER (WHERE NOT failed), count(*) FILTER (WHERE failed) FROM memory_core_embeddingbacklog",
)

NOTIFY = Statement("notify", "Wake whoever listens.", "SELECT pg_notify(%(channel)s, %(payload)s)")


def create_space_index(space: int, dimensions: int) -> str:
    """The space's own HNSW index; m and ef_construction as measured in the recall benchmark."""
    return (
        f"CREATE INDEX CONCURRENTLY IF NOT EXISTS everlore_space_{int(space)} ON memory_core_entryembedding"
        f" USING hnsw ((embedding::halfvec({int(dimensions)})) halfvec_cosine_ops)"
        f" WITH (m = 16, ef_construction = 128) WHERE space_id = {int(space)}"
    )


def drop_space_index(space: int) -> str:
    """Forget a space's index."""
    return f"DROP INDEX CONCURRENTLY IF EXISTS everlore_space_{int(space)}"


REFRESH_ENTRY = Statement(
    "refresh_entry",
    "Write the terms of a record's first entry anew, in place, so that its vectors stay; takes it out of the counts.",
    """
WITH old AS (
  SELECT id, project_id, weights::text AS weights, term_count, counted FROM memory_core_searchentry
  WHERE object_id = %(object_id)s AND piece = 0 FOR UPDATE),
fresh AS (
  UPDATE memory_core_searchentry e SET project_id = %(project)s, agent_id = %(agent)s, session_id = %(session)s,
    occurred_at = %(occurred_at)s, term_count = %(term_count)s, average_length = %(average_length)s,
    terms = array_to_tsvector(%(terms)s::text[]), weights = %(weights)s::sparsevec, counted = false
  FROM old WHERE e.id = old.id)
SELECT project_id, weights, term_count, counted FROM old
""",
)

REMOVE_PIECES = Statement(
    "remove_pieces",
    "Take the entries after the first of a record away.",
    """
DELETE FROM memory_core_searchentry WHERE object_id = %(object_id)s AND piece > 0
RETURNING project_id, weights::text, term_count, counted
""",
)

STRAY_ENTRIES = Statement(
    "stray_entries",
    "Records that have entries but are not there, or are no longer the latest version.",
    """
SELECT DISTINCT e.object_id FROM memory_core_searchentry e
LEFT JOIN memory_core_observation o ON e.kind = 'observation' AND o.id = e.object_id
LEFT JOIN memory_core_memory m ON e.kind = 'memory' AND m.id = e.object_id AND m.is_latest
WHERE o.id IS NULL AND m.id IS NULL LIMIT %(batch)s
""",
)

MISSING_IN_SPACE = Statement(
    "missing_in_space",
    "Entries after a given one that have no vector in a space and may have one.",
    """
SELECT 0, e.id, 0, e.kind, e.object_id, e.piece, e.project_id, e.agent_id FROM memory_core_searchentry e
WHERE e.id > %(after)s AND e.piece = 0
  AND NOT EXISTS (SELECT 1 FROM memory_core_entryembedding v WHERE v.entry_id = e.id AND v.space_id = %(space)s)
ORDER BY e.id LIMIT %(batch)s
""",
)

COUNT_MISSING = Statement(
    "count_missing",
    "How many entries have no vector in a space.",
    """
SELECT count(*) FROM memory_core_searchentry e WHERE e.piece = 0
  AND NOT EXISTS (SELECT 1 FROM memory_core_entryembedding v WHERE v.entry_id = e.id AND v.space_id = %(space)s)
""",
)

DROP_VECTORS = Statement(
    "drop_vectors",
    "Delete a batch of a space's vectors.",
    """
DELETE FROM memory_core_entryembedding WHERE id IN (
  SELECT id FROM memory_core_entryembedding WHERE space_id = %(space)s LIMIT %(batch)s)
""",
)
