"""SQL functions and triggers that the migrations create."""

RRF = """
CREATE FUNCTION everlore_rrf(
    hit_streams text[], hit_ids text[], hit_ranks integer[],
    streams text[], arms text[], weights double precision[],
    k double precision, agreement double precision)
RETURNS TABLE(object_id text, score double precision, best_rank integer, arms_matched integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 300 AS $$
  WITH vote AS MATERIALIZED (
    SELECT v.stream, v.arm, v.weight FROM unnest(streams, arms, weights) AS v(stream, arm, weight) WHERE v.weight > 0),
  best AS MATERIALIZED (
    SELECT h.stream, h.id, min(h.rank) AS rank
    FROM unnest(hit_streams, hit_ids, hit_ranks) AS h(stream, id, rank) GROUP BY h.id, h.stream),
  answered AS MATERIALIZED (
    SELECT sum(weight) / (k + 1) AS full_score FROM vote WHERE stream IN (SELECT DISTINCT stream FROM best))
  SELECT b.id,
         sum(v.weight / (k + b.rank)) / (SELECT full_score FROM answered)
           * (1 + agreement * (count(DISTINCT v.arm) - 1)),
         min(b.rank), count(DISTINCT v.arm)::integer
  FROM best b JOIN vote v USING (stream) GROUP BY b.id
$$;
COMMENT ON FUNCTION everlore_rrf IS
  'Reciprocal rank fusion of ranked streams; the parametrised view that recall reads. Twin: memory_core/fuse/rrf.py';
"""

DROP_RRF = "DROP FUNCTION everlore_rrf;"

IMMUTABLE_CHANNEL = """
CREATE FUNCTION everlore_channel_is_fixed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.channel IS DISTINCT FROM OLD.channel OR NEW.channel_detail IS DISTINCT FROM OLD.channel_detail THEN
    RAISE EXCEPTION 'the origin channel of % cannot change', OLD.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER observation_channel_is_fixed BEFORE UPDATE OF channel, channel_detail ON memory_core_observation
  FOR EACH ROW EXECUTE FUNCTION everlore_channel_is_fixed();
CREATE TRIGGER memory_channel_is_fixed BEFORE UPDATE OF channel, channel_detail ON memory_core_memory
  FOR EACH ROW EXECUTE FUNCTION everlore_channel_is_fixed();
"""

DROP_IMMUTABLE_CHANNEL = """
DROP TRIGGER memory_channel_is_fixed ON memory_core_memory;
DROP TRIGGER observation_channel_is_fixed ON memory_core_observation;
DROP FUNCTION everlore_channel_is_fixed;
"""

PATTERN_INDEXES = """
DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT indexname FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename LIKE 'memory_core_%' AND indexname LIKE '%_like'
  LOOP EXECUTE format('DROP INDEX %I', name); END LOOP;
END $$;
"""
"""Django makes a second index of every text key for LIKE, which nothing here asks; each costs every write."""

STORAGE = """
ALTER TABLE memory_core_searchentry ALTER COLUMN weights SET STORAGE MAIN;
ALTER TABLE memory_core_searchentry ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE memory_core_session SET (fillfactor = 80);
ALTER TABLE memory_core_termstatistic SET (fillfactor = 80);
"""
