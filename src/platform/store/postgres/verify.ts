// `log verify` on the shared store: every hash is computed again, every artifact is fetched from its location.
import type { EventLog, VerifyProblem } from "../../../core/contract/index.ts";
import { eventHash, genesis } from "../chain.ts";
import { sha256 } from "../hashing.ts";
import { checkRunId } from "../ids.ts";
import { referencesIn } from "../verify.ts";
import type { ArtifactHome } from "./artifacts.ts";
import { eventRows, postgresRow, type SharedTables } from "./log.ts";

export function createSharedVerify(
  tables: SharedTables,
  home: ArtifactHome,
  unknownIn: (event: unknown) => string | undefined = () => undefined,
): EventLog["verify"] {
  return async (only) => {
    const problems: VerifyProblem[] = [];
    const references = new Map<string, { runId: string; seq: number }>();
    let [runs, events, artifacts] = [0, 0, 0];
    for await (const runId of only === undefined ? runIds(tables) : [checkRunId(only)]) {
      runs += 1;
      events += await verifyRun(runId);
    }
    // The names may belong to many teams; for one repository only the named artifacts are checked.
    const names = only === undefined && tables.repo === undefined ? home.names() : references.keys();
    const present = new Set<string>();
    for await (const name of names) {
      const bytes = await home.get(name);
      if (!bytes) continue;
      present.add(name);
      artifacts += 1;
      if (sha256(bytes) !== name)
        problems.push({
          kind: "artifact_altered",
          ...references.get(name),
          problem: `artifact sha256:${name} does not match its name`,
        });
    }
    for (const [name, at] of references)
      if (!present.has(name))
        problems.push({ kind: "artifact_missing", ...at, problem: `artifact sha256:${name} is missing` });
    return { runs, events, artifacts, problems };

    async function verifyRun(runId: string): Promise<number> {
      let [seq, count] = [0, 0];
      let prevHash = genesis(runId);
      // Read first: a writer can only add events behind it.
      const known = await postgresRow(tables, runId);
      for await (const { at, event, hash, ...row } of eventRows(tables, runId, 1)) {
        seq += 1;
        count += 1;
        if (row.seq !== seq) {
          problems.push({ kind: "gap", runId, seq, problem: `event ${seq} is missing` });
          seq = row.seq;
        } else if (eventHash(runId, seq, at, event, prevHash) !== hash)
          problems.push({
            kind: "chain",
            runId,
            seq,
            problem: `event ${seq} is not the one that was written`,
          });
        else {
          const parsed: unknown = JSON.parse(event);
          for (const name of referencesIn(parsed)) if (!references.has(name)) references.set(name, { runId, seq });
          const unknown = unknownIn(parsed);
          if (unknown !== undefined)
            problems.push({
              kind: "version",
              runId,
              seq,
              problem: `${unknown} to this version; use a newer one`,
            });
        }
        prevHash = hash;
      }
      const wrong =
        known === undefined
          ? count > 0 && "the run has events but no row"
          : (known.row.damaged ??
            (seq < known.row.seq && `the log ends at event ${seq}, the row says ${known.row.seq}`));
      if (wrong) problems.push({ kind: "row", runId, problem: wrong });
      return count;
    }
  };
}

async function* runIds({ connection, schema, repo }: SharedTables): AsyncGenerator<string> {
  const own = repo === undefined ? "" : "AND repo = $2";
  const sql = `SELECT run_id FROM ${schema}.runs WHERE run_id > $1 ${own} ORDER BY run_id LIMIT 1000`;
  for (let last = ""; ;) {
    const rows = await connection.all(sql, repo === undefined ? [last] : [last, repo]);
    for (const row of rows) yield (last = String(row["run_id"]));
    if (rows.length === 0) return;
  }
}
