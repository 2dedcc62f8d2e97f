// The base of a new run when the checkout holds uncommitted work of earlier runs: the last commit with that
// work on it. Edits of the user are not part of it.
import { randomBytes } from "node:crypto";
import type { EventLog, RunEvent } from "../../core/contract/index.ts";
import {
  captureCheckout,
  commitTree,
  headCommit,
  listChanges,
  pinBase,
  readStatus,
  treeWith,
} from "../../workspace/checkout/worktree/index.ts";
import { fromBytePath, type Repository } from "../../platform/git/index.ts";

const mostRuns = 10;

interface Base {
  readonly baseCommit: string;
  readonly baseTree: string;
}

/** Undefined when the last commit is the base: nothing of ours is there, or all of it is committed. */
export async function integratedBase(repository: Repository, log: EventLog<RunEvent>): Promise<Base | undefined> {
  const head = await headCommit(repository);
  if (!head || (await readStatus(repository)).entries.length === 0) return undefined;
  const done = await integrations(log);
  if (done.length === 0) return undefined;
  const { tree: now } = await captureCheckout(repository);
  const dirty = await listChanges(repository, head.tree, now);
  const ours = new Set<string>();
  for (const { tree, paths } of done) {
    const since = new Set((await listChanges(repository, tree, now)).map(({ path }) => fromBytePath(path)));
    for (const path of paths) if (!since.has(path)) ours.add(path);
  }
  const kept = dirty.filter(({ path }) => ours.has(fromBytePath(path)));
  if (kept.length === 0) return undefined;
  const baseTree = await treeWith(repository, head.tree, kept);
  // Of this run alone: another run that starts in the same second must not lose its base when this one ends.
  const message = `the last commit with the work of earlier runs that is not committed yet\n\n${randomBytes(8).toString("hex")}\n`;
  const baseCommit = await commitTree(repository, baseTree, [head.commit], message);
  await pinBase(repository, baseCommit);
  return { baseCommit, baseTree };
}

/** The integrations of the newest runs into the checkout, newest first. */
async function integrations(log: EventLog<RunEvent>) {
  const found: { readonly tree: string; readonly paths: readonly string[] }[] = [];
  for (const { runId } of await log.list({ limit: mostRuns }))
    for (const { event } of await log.read(runId)) if (event.type === "patch_applied") found.unshift(event.integration);
  return found;
}
