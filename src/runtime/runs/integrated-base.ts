// The base of a new run when the checkout holds uncommitted work of earlier runs: the last commit with that
// work on it. Edits of the user are not part of it.
import { randomBytes } from "node:crypto";
import type { EventLog, RunEvent, WorkInTheWay } from "../../core/contract/index.ts";
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
  const ours = await ownersIn(repository, done, now);
  const kept = dirty.filter(({ path }) => ours.has(fromBytePath(path)));
  if (kept.length === 0) return undefined;
  const baseTree = await treeWith(repository, head.tree, kept);
  // Of this run alone: another run that starts in the same second must not lose its base when this one ends.
  const message = `the last commit with the work of earlier runs that is not committed yet\n\n${randomBytes(8).toString("hex")}\n`;
  const baseCommit = await commitTree(repository, baseTree, [head.commit], message);
  await pinBase(repository, baseCommit);
  return { baseCommit, baseTree };
}

interface Integrated {
  readonly runId: string;
  readonly goal: string;
  readonly tree: string;
  readonly paths: readonly string[];
}

/** The integrations of the newest runs into the checkout. */
async function integrations(log: EventLog<RunEvent>): Promise<Integrated[]> {
  const found: Integrated[] = [];
  for (const { runId } of await log.list({ limit: mostRuns })) {
    const events = await log.read(runId);
    const [first] = events;
    const goal = first?.event.type === "run_created" ? first.event.goal : "";
    for (const { event } of events)
      if (event.type === "patch_applied") found.unshift({ runId, goal, ...event.integration });
  }
  return found;
}

/** The paths that are in this tree of the checkout as a run left them, with the newest such run. */
async function ownersIn(repository: Repository, done: readonly Integrated[], now: string) {
  const owners = new Map<string, Integrated>();
  for (const one of done) {
    const since = new Set((await listChanges(repository, one.tree, now)).map(({ path }) => fromBytePath(path)));
    for (const path of one.paths) if (!since.has(path)) owners.set(path, one);
  }
  return owners;
}

/** Of these paths those that hold uncommitted work of a run. */
export async function workInTheWay(
  repository: Repository,
  log: EventLog<RunEvent>,
  paths: readonly string[],
): Promise<WorkInTheWay[]> {
  const done = await integrations(log);
  if (done.length === 0) return [];
  const owners = await ownersIn(repository, done, (await captureCheckout(repository)).tree);
  return paths.flatMap((path) => {
    const owner = owners.get(path);
    return owner ? [{ path, runId: owner.runId, goal: owner.goal }] : [];
  });
}
