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
  rememberCommit,
  treeWith,
} from "../../workspace/checkout/worktree/index.ts";
import { fromBytePath, type Repository } from "../../platform/git/index.ts";

const mostRuns = 10;

type Log = Pick<EventLog<RunEvent>, "list" | "read">;

interface Base {
  readonly baseCommit: string;
  readonly baseTree: string;
}

/** Undefined when the last commit is the base: nothing of ours is there, or all of it is committed. */
export async function integratedBase(repository: Repository, log: Log): Promise<Base | undefined> {
  const head = await headCommit(repository);
  if (!head || (await readStatus(repository)).entries.length === 0) return undefined;
  const done = integrations(log);
  const first = (await done.next()).value;
  if (!first) return undefined;
  const { tree: now } = await captureCheckout(repository);
  const dirty = await listChanges(repository, head.tree, now);
  const wanted = dirty.map(({ path }) => fromBytePath(path));
  const ours = await ownersIn(repository, { first, done, now, wanted });
  const kept = dirty.filter(({ path }) => ours.has(fromBytePath(path)));
  if (kept.length === 0) return undefined;
  const baseTree = await treeWith(repository, head.tree, kept);
  // Of this run alone: another run that starts in the same second must not lose its base when this one ends.
  const message = `the last commit with the work of earlier runs that is not committed yet\n\n${randomBytes(8).toString("hex")}\n`;
  const baseCommit = await commitTree(repository, baseTree, [head.commit], message);
  rememberCommit(repository, { commit: baseCommit, tree: baseTree });
  await pinBase(repository, baseCommit);
  return { baseCommit, baseTree };
}

interface Integrated {
  readonly runId: string;
  readonly goal: string;
  readonly tree: string;
  readonly paths: readonly string[];
}

type Integrations = AsyncGenerator<Integrated, undefined>;

/** The integrations of the newest runs into the checkout, those of the newest first; a run is read when it is asked for. */
async function* integrations(log: Log): Integrations {
  for (const { runId } of await log.list({ limit: mostRuns })) {
    const events = await log.read(runId);
    const [first] = events;
    const goal = first?.event.type === "run_created" ? first.event.goal : "";
    for (const { event } of events) if (event.type === "patch_applied") yield { runId, goal, ...event.integration };
  }
  return undefined;
}

interface Search {
  readonly first: Integrated;
  readonly done: Integrations;
  readonly now: string;
  readonly wanted: readonly string[];
}

/** Of the wanted paths those that are in this tree of the checkout as a run left them, with the newest such run. */
async function ownersIn(
  repository: Repository,
  { first, done, now, wanted }: Search,
): Promise<Map<string, Integrated>> {
  const owners = new Map<string, Integrated>();
  const open = new Set(wanted);
  const next = async () => (open.size === 0 ? undefined : (await done.next()).value);
  for (let one: Integrated | undefined = first; one; one = await next()) {
    const paths = one.paths.filter((path) => open.has(path));
    if (paths.length === 0) continue;
    const since = new Set((await listChanges(repository, one.tree, now)).map(({ path }) => fromBytePath(path)));
    for (const path of paths.filter((name) => !since.has(name))) {
      owners.set(path, one);
      open.delete(path);
    }
  }
  return owners;
}

/** Of these paths those that hold uncommitted work of a run. */
export async function workInTheWay(
  repository: Repository,
  log: Log,
  paths: readonly string[],
): Promise<WorkInTheWay[]> {
  const done = integrations(log);
  const first = (await done.next()).value;
  if (!first) return [];
  const now = (await captureCheckout(repository)).tree;
  const owners = await ownersIn(repository, { first, done, now, wanted: paths });
  return paths.flatMap((path) => {
    const owner = owners.get(path);
    return owner ? [{ path, runId: owner.runId, goal: owner.goal }] : [];
  });
}
