// What follows when runs are out of the store: they are signed as gone, and their files and bases go too. It is noted, signed
// with the user's key, before the runs are removed, and finished by a later command when the process dies in between.
import { randomUUID } from "node:crypto";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type EventLog, type RunEvent, type RunRow, type Store, parseJson } from "../../../core/contract/index.ts";
import { afterAll, createSealer, gatherHeads, knownKey, userKey } from "../../../workspace/evidence/index.ts";
import type { RepositoryLocation } from "../../../platform/git/index.ts";
import {
  clock,
  entryAt,
  isAlive,
  makeFolder,
  syncFolder,
  thisProcess,
  writeDurably,
} from "../../../platform/system/index.ts";
import { dropBase, dropTip } from "../../../workspace/checkout/worktree/index.ts";
import type { RunsDeps } from "../deps.ts";
import { removeRunFiles } from "../leftovers/run-files.ts";

type Heads = ReadonlyMap<string, { readonly seq: number; readonly hash: string }>;
type Place = Pick<RepositoryLocation, "root" | "repository" | "stateDir">;
type Host = Pick<RunsDeps, "evidenceDir">;

export interface Removal {
  readonly heads: Heads;
  /** The commits that the runs began on. */
  readonly bases: ReadonlySet<string>;
}

const removal = z.object({
  by: z.object({ pid: z.number(), startedAt: z.string(), host: z.string() }),
  runs: z.array(z.object({ run: z.string(), seq: z.int(), head: z.string() })),
  bases: z.array(z.string()),
});
const noted = z.object({ text: z.string(), sig: z.string() });

const folderIn = (stateDir: string): string => join(stateDir, "removals");
const signedBytes = (text: string): Buffer => Buffer.from(`thehood removal 1\n${text}`);

/** Returns the file of the note. */
export function noteRemoval({ stateDir }: Place, { evidenceDir }: Host, { heads, bases }: Removal): string {
  const runs = [...heads].map(([run, { seq, hash }]) => ({ run, seq, head: hash }));
  const text = JSON.stringify({ by: thisProcess(), runs, bases: [...bases] });
  const sig = userKey(evidenceDir).sign(signedBytes(text)).toString("base64");
  makeFolder(folderIn(stateDir));
  const file = join(folderIn(stateDir), `${randomUUID()}.json`);
  writeDurably(file, `${file}.new`, Buffer.from(JSON.stringify({ text, sig })), 0o600);
  return file;
}

/** Undefined for a note that this user's key did not sign: it could hide runs that somebody else removed. */
function readNote(file: string, { evidenceDir }: Host): z.infer<typeof removal> | undefined {
  const { data } = noted.safeParse(parseJson(readFileSync(file, "utf8")));
  const key = knownKey(evidenceDir);
  if (!data || !key?.verifies(signedBytes(data.text), Buffer.from(data.sig, "base64"))) return undefined;
  return removal.safeParse(parseJson(data.text)).data;
}

/** After this time a process of another machine or container counts as dead. */
const abandonedMs = 24 * 3_600_000;

/** Finishes the removals whose process has died. */
export async function finishRemovals(place: Place, host: Host, store: Pick<Store<RunEvent>, "log">): Promise<void> {
  const folder = folderIn(place.stateDir);
  if (!entryAt(folder)?.isDirectory()) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const old = Date.now() - (entryAt(file)?.mtimeMs ?? 0) > abandonedMs;
    const note = name.endsWith(".json") ? readNote(file, host) : undefined;
    if (note && (isAlive(note.by) ?? !old)) continue;
    const heads = new Map((note?.runs ?? []).map(({ run, seq, head }) => [run, { seq, hash: head }]));
    await finishRemoval(place, host, store, file, { heads, bases: new Set(note?.bases) });
  }
}

/** Runs that are still in the store were not removed, and stay as they are. The note stays until all is signed. */
export async function finishRemoval(
  place: Place,
  host: Host,
  store: Pick<Store<RunEvent>, "log">,
  file: string,
  { heads, bases }: Removal,
): Promise<void> {
  const gone = new Map<string, { readonly seq: number; readonly hash: string }>();
  for (const [run, head] of heads) if (!(await store.log.row(run))) gone.set(run, head);
  const problems = await signGone(place, host, gone);
  for (const runId of gone.keys()) removeRunFiles(place.stateDir, runId);
  if (place.repository && gone.size > 0)
    for (const base of bases) {
      await dropBase(place.repository, base);
      await dropTip(place.repository, base, () => isBase(store.log, base));
    }
  if (problems.length > 0) return;
  rmSync(file, { force: true });
  syncFolder(folderIn(place.stateDir));
}

/** Also of runs that were named and are missing: the person knows of it now. */
export async function signGone(
  { root, repository }: Place,
  { evidenceDir }: Host,
  runs: Heads,
): Promise<readonly string[]> {
  if (runs.size === 0) return [];
  const gathered = await gatherHeads(evidenceDir, root, repository);
  const latest = afterAll(gathered, 0);
  const later = { now: () => Math.max(clock.now(), latest) };
  const sealer = createSealer({ folder: evidenceDir, root, repository, clock: later });
  for (const [run, { seq, hash }] of runs)
    if (seq > 0 || gathered.byRun.has(run)) sealer.mark({ run, seq, head: hash, mark: "gone" });
  return sealer.settle();
}

/** The commit that the run began on. */
export async function baseOf({ log }: Pick<Store<RunEvent>, "log">, runId: string): Promise<string[]> {
  const [created] = await log.read(runId);
  return created?.event.type === "run_created" && created.event.baseCommit !== null ? [created.event.baseCommit] : [];
}

/** Whether a run that is still there began on this commit. */
async function isBase(log: EventLog<RunEvent>, commit: string): Promise<boolean> {
  for (let last: RunRow | undefined; ;) {
    const page = await log.list({ limit: 1_000, ...(last ? { before: last } : {}) });
    for (const { runId } of page) if ((await baseOf({ log }, runId)).includes(commit)) return true;
    last = page.at(-1);
    if (page.length < 1_000) return false;
  }
}
