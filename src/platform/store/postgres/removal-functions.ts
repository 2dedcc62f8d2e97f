// The functions of the database by which runs leave it. A released one is never edited: a later step of the schema replaces it.

/** An artifact that no run names any more is kept so long: a run that is being written may name it again. */
const graceSeconds = 3_600;

/** Whether an artifact is there; one that was to be removed stays from now on. */
export const holdArtifact = (s: string): string => `
CREATE FUNCTION ${s}.hold_artifact(p_name text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM ${s}.unnamed_artifacts WHERE name = p_name;
  RETURN EXISTS (SELECT 1 FROM ${s}.artifacts WHERE name = p_name);
END $$;`;

/** Belongs to the owner of the tables, who may grant EXECUTE on it. */
export const removeRuns = (s: string): string => `
CREATE FUNCTION ${s}.remove_runs(p_runs text[], p_heads text[], OUT artifacts bigint, OUT freed bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  busy text;
  gone text[];
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('${s} removal', 0));
  PERFORM pg_advisory_xact_lock(hashtextextended('${s} ' || id, 0)) FROM unnest(p_runs) AS id ORDER BY id;
  SELECT run_id INTO busy FROM ${s}.runs WHERE run_id = ANY(p_runs)
    AND (state NOT IN ('completed', 'failed', 'aborted') OR head <> ALL(p_heads) OR EXISTS (
      SELECT 1 FROM ${s}.leases AS l WHERE l.run_id = runs.run_id AND l.held
        AND l.expires_at > extract(epoch FROM clock_timestamp()) * 1000));
  IF busy IS NOT NULL THEN
    RAISE EXCEPTION 'run % is not over, is being worked on or has changed', busy USING ERRCODE = 'object_in_use';
  END IF;
  -- Rights and triggers are given for this transaction and taken back in it: no other session ever sees them.
  GRANT DELETE ON ${s}.events, ${s}.runs, ${s}.artifacts, ${s}.artifact_parts TO CURRENT_USER;
  ALTER TABLE ${s}.events DISABLE TRIGGER no_change;
  ALTER TABLE ${s}.runs DISABLE TRIGGER no_removal;
  ALTER TABLE ${s}.artifacts DISABLE TRIGGER no_change;
  ALTER TABLE ${s}.artifact_parts DISABLE TRIGGER no_change;

  SELECT coalesce(sum(octet_length(event)), 0) INTO freed FROM ${s}.events WHERE run_id = ANY(p_runs);
  INSERT INTO ${s}.unnamed_artifacts (name)
    SELECT DISTINCT hit[1] FROM ${s}.events, regexp_matches(event, 'sha256:([0-9a-f]{64})', 'g') AS hit
    WHERE run_id = ANY(p_runs)
    UNION SELECT substr(artifact, 8) FROM ${s}.luggage WHERE run_id = ANY(p_runs)
    ON CONFLICT DO NOTHING;
  UPDATE ${s}.counts SET runs = counts.runs - less.n
    FROM (SELECT repo, count(*) AS n FROM ${s}.runs WHERE run_id = ANY(p_runs) GROUP BY repo) AS less
    WHERE counts.repo = less.repo;
  DELETE FROM ${s}.events WHERE run_id = ANY(p_runs);
  DELETE FROM ${s}.runs WHERE run_id = ANY(p_runs);
  DELETE FROM ${s}.leases WHERE run_id = ANY(p_runs);
  DELETE FROM ${s}.luggage WHERE run_id = ANY(p_runs);
  DELETE FROM ${s}.remote_runs WHERE run_id = ANY(p_runs);

  DELETE FROM ${s}.unnamed_artifacts WHERE name IN (
    SELECT hit[1] FROM ${s}.events, regexp_matches(event, 'sha256:([0-9a-f]{64})', 'g') AS hit
    UNION SELECT substr(artifact, 8) FROM ${s}.luggage);
  WITH late AS (
    DELETE FROM ${s}.unnamed_artifacts WHERE since < clock_timestamp() - interval '${graceSeconds} seconds' RETURNING name
  ) SELECT coalesce(array_agg(name), '{}') INTO gone FROM late;
  SELECT count(*), freed + coalesce(sum(a.bytes), 0) INTO artifacts, freed FROM ${s}.artifacts AS a WHERE name = ANY(gone);
  DELETE FROM ${s}.artifacts AS a WHERE name = ANY(gone);
  DELETE FROM ${s}.artifact_parts AS p WHERE name = ANY(gone);

  ALTER TABLE ${s}.events ENABLE TRIGGER no_change;
  ALTER TABLE ${s}.runs ENABLE TRIGGER no_removal;
  ALTER TABLE ${s}.artifacts ENABLE TRIGGER no_change;
  ALTER TABLE ${s}.artifact_parts ENABLE TRIGGER no_change;
  REVOKE DELETE ON ${s}.events, ${s}.runs, ${s}.artifacts, ${s}.artifact_parts FROM CURRENT_USER;
END $$;
REVOKE ALL ON FUNCTION ${s}.remove_runs(text[], text[]) FROM PUBLIC;`;
