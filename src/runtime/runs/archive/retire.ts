// Old runs: written to a file each, taken out of the store, and signed as gone.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type RunEvent, type RunRow, type Store, fail, terminalStates } from "../../../core/contract/index.ts";
import { knownKey, readPublicKeys, userKey } from "../../../workspace/evidence/index.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
import type { RemovedRuns, RetireOptions } from "../../../operations/index.ts";
import { removeRuns } from "../../../platform/store/index.ts";
import { clock, writeDurably } from "../../../platform/system/index.ts";
import type { RunsDeps } from "../deps.ts";
import { baseOf, finishRemoval, finishRemovals, noteRemoval, signGone } from "../removal/gone.ts";
import { packRun, verifyArchive } from "./read.ts";

const over: readonly string[] = terminalStates;
const dayMs = 86_400_000;

async function rowsToRetire(store: Store<RunEvent>, { runIds, olderThanDays }: RetireOptions): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  for (const runId of runIds) {
    const row = await store.log.row(runId);
    if (!row) continue;
    if (!over.includes(row.state))
      fail("illegal_transition", `Run ${runId} is not over; it is ${row.state}.`, {
        remedy: `End it first: thehood abort ${runId}`,
      });
    rows.push(row);
  }
  if (olderThanDays === undefined) return rows;
  const before = clock.now() - olderThanDays * dayMs;
  for (let last: RunRow | undefined; ;) {
    const page = await store.log.list({ limit: 1_000, ...(last ? { before: last } : {}) });
    for (const row of page) if (over.includes(row.state) && row.updatedAt < before) rows.push(row);
    last = page.at(-1);
    if (page.length < 1_000) return rows;
  }
}

/** Written, read back and verified before anything is removed. */
async function archiveRun(store: Store<RunEvent>, runId: string, folder: string, host: RunsDeps): Promise<string> {
  const key = userKey(host.evidenceDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${runId}.jsonl.gz`);
  writeDurably(file, `${file}.${process.pid}`, await packRun(store, runId, key));
  const [problem] = verifyArchive(readFileSync(file), [key]).problems;
  if (problem)
    fail("store_corrupt", `The archive of ${runId} does not verify (${problem.problem}); nothing was removed.`, {
      remedy: "Look at the run first: thehood log verify",
    });
  return file;
}

export async function retireRuns(
  place: RepositoryLocation,
  host: RunsDeps,
  store: Store<RunEvent>,
  options: RetireOptions,
): Promise<RemovedRuns> {
  const shared = await host.sharedStore();
  const rows = await rowsToRetire(store, options);
  const files: string[] = [];
  const heads = new Map<string, { seq: number; hash: string }>();
  const bases = new Set<string>();
  for (const { runId } of rows) {
    // Before it is read: what is appended later is not removed.
    heads.set(runId, (await store.log.head(runId)) ?? { seq: 0, hash: "" });
    for (const base of await baseOf(store, runId)) bases.add(base);
    if (options.archive)
      files.push(await archiveRun(store, runId, options.folder ?? join(place.stateDir, "archive"), host));
  }
  await finishRemovals(place, host, store);
  let gone = { artifacts: 0, freedBytes: 0 };
  if (rows.length > 0) {
    const note = noteRemoval(place, host, { heads, bases });
    gone = shared
      ? await (await import("../../../platform/store/postgres/index.ts")).removeSharedRuns(shared, heads)
      : removeRuns(place.stateDir, heads, clock);
    await finishRemoval(place, host, store, note, { heads, bases });
  }
  const missing = options.runIds.filter((runId) => !heads.has(runId));
  await signGone(place, host, new Map(missing.map((runId) => [runId, { seq: 0, hash: "" }])));
  return { runs: [...heads.keys()], files, ...gone };
}

export function verifyArchiveFile(archive: Uint8Array, host: RunsDeps, given?: string) {
  const own = knownKey(host.evidenceDir);
  return verifyArchive(archive, given === undefined ? (own ? [own] : []) : readPublicKeys(given));
}
