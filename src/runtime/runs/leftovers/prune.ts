// Removes what no record names: scratch trees of processes that were killed, files of single processes, and artifacts that no
// event mentions. Logs of runs, named artifacts and kept work are never removed here.
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseJson } from "../../../core/contract/index.ts";
import { forgetWorktrees, type RepositoryLocation } from "../../../platform/git/index.ts";
import { removeUnnamedArtifacts } from "../../../platform/store/index.ts";
import { clock, entryAt, writeDurably } from "../../../platform/system/index.ts";
import { scratchBases } from "../../effects/index.ts";
import type { PrunedLeftovers } from "../../../operations/index.ts";
import type { RunsDeps } from "../deps.ts";
import { chooseLeftovers, type Leftover, type PrunePolicy, prunePolicy, youngestMs } from "./choose.ts";
import { runFiles } from "./run-files.ts";

const nothing = { count: 0, bytes: 0 };
/** Of scratch trees; the artifacts are compared with every event, so that is done once a week. */
const everyMs = { scratch: 86_400_000, artifacts: 7 * 86_400_000 };
type Part = keyof typeof everyMs;

/** Everything that the policy lets go, at once. */
export async function pruneLeftovers(
  place: RepositoryLocation,
  host: RunsDeps,
  parts: readonly Part[] = ["scratch", "artifacts"],
): Promise<PrunedLeftovers> {
  const policy = prunePolicy((await host.configs(place.root)).user);
  const shared = await host.sharedStore();
  return {
    scratch: parts.includes("scratch") ? pruneScratch(place, host, policy) : nothing,
    artifacts: parts.includes("artifacts") && !shared ? pruneArtifacts(place, policy) : nothing,
  };
}

/** After a run: the parts whose time has come. The first call only notes the time. */
export async function pruneWhenDue(place: RepositoryLocation, host: RunsDeps): Promise<PrunedLeftovers> {
  const file = join(place.stateDir, "pruned.json");
  const last = entryAt(file)?.isFile() ? (parseJson(readFileSync(file, "utf8")) as Partial<Record<Part, unknown>>) : {};
  const now = clock.now();
  const at = (part: Part): number => (typeof last?.[part] === "number" ? last[part] : 0);
  // A clock that was set back must not stop it for ever.
  const due = (["scratch", "artifacts"] as const).filter((part) => Math.abs(now - at(part)) > everyMs[part]);
  if (due.length === 0) return { scratch: nothing, artifacts: nothing };
  const marks = Object.fromEntries(
    (["scratch", "artifacts"] as const).map((part) => [part, due.includes(part) ? now : at(part)]),
  );
  writeDurably(file, `${file}.${process.pid}`, Buffer.from(`${JSON.stringify(marks)}\n`));
  const old = due.filter((part) => at(part) > 0);
  const { automatic } = prunePolicy((await host.configs(place.root)).user);
  return automatic && old.length > 0 ? pruneLeftovers(place, host, old) : { scratch: nothing, artifacts: nothing };
}

function pruneArtifacts({ stateDir }: RepositoryLocation, { artifacts }: PrunePolicy) {
  if (!entryAt(join(stateDir, "store.db"))) return nothing;
  return removeUnnamedArtifacts(stateDir, (found) => chooseLeftovers(found, artifacts, clock.now()), clock) ?? nothing;
}

/** Scratch trees are named by their run, or by the process of `thehood checks test`. */
const isOurs = (name: string): boolean => /^(?:run_[a-z0-9]+|checks-\d+)$/.test(name);

function pruneScratch({ repository, stateDir }: RepositoryLocation, host: RunsDeps, { scratch }: PrunePolicy) {
  if (!repository) return nothing;
  const found = scratchBases(host.scratchFolders, repository.top).flatMap((base) =>
    entryAt(base)?.isDirectory()
      ? readdirSync(base)
          .filter(isOurs)
          .flatMap((name) => leftoverAt(join(base, name)))
      : [],
  );
  const chosen = chooseLeftovers([...found, ...runFiles(stateDir)], scratch, clock.now());
  for (const { path } of chosen) {
    forgetWorktrees(repository, (folder) => folder.startsWith(`${path}/`));
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
  return { count: chosen.length, bytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Only of folders that can be old: others are not walked. */
function leftoverAt(path: string): Leftover[] {
  const found = entryAt(path);
  if (!found?.isDirectory()) return [];
  const inside = readdirSync(path).map((name) => lstatSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const at = inside.reduce((latest, one) => Math.max(latest, one), found.mtimeMs);
  return clock.now() - at > youngestMs ? [{ path, at, bytes: bytesIn(path) }] : [];
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? bytesIn(path) : (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
  }
  return bytes;
}

const line = ({ count, bytes }: PrunedLeftovers["scratch"], what: string): string[] =>
  count > 0 ? [`removed ${count} ${what} (${(bytes / 1_048_576).toFixed(1)} MB)`] : [];

export const describePruned = ({ scratch, artifacts }: PrunedLeftovers): string[] => [
  ...line(scratch, "old leftovers of runs"),
  ...line(artifacts, "artifacts that no record names"),
];
