// The pinned work of a run moves with the run: its bundle is in the store before the event that names the work.
import { fail, type Artifacts, type EventLog, type Leases, type RunEvent, type Store } from "../core/contract/index.ts";
import { captureChanges, openWorktree, pinCapture } from "../workspace/checkout/worktree/index.ts";
import type { Repository } from "../platform/git/index.ts";
import { packPinned } from "./home.ts";
import type { FleetTables } from "./tables.ts";

export interface Packing {
  readonly repository: Repository;
  readonly base: string;
  readonly artifacts: Artifacts;
  readonly tables: FleetTables;
}

/** An answer may come with edits in the worktree: they are pinned and packed before the answer is recorded. */
const answers = (event: RunEvent): boolean => event.type === "agent_response";

async function pinWork(repository: Repository, runId: string): Promise<void> {
  const worktree = openWorktree(repository, runId);
  if (worktree) await pinCapture(worktree, await captureChanges(worktree));
}

const keeps = (event: RunEvent): boolean =>
  ("keptRef" in event && event.keptRef !== null) || ("keptRefs" in event && event.keptRefs.length > 0);

/** The tree that the run applied to the checkout; undefined if it is that of the base. */
export function integratedTree(events: readonly RunEvent[]): string | undefined {
  let tree: string | undefined;
  for (const event of events) {
    if (event.type === "patch_applied") tree = event.integration.tree;
    if (event.type === "work_taken_out") tree = event.taken.tree;
  }
  return tree;
}

export function packFirst(
  log: EventLog<RunEvent>,
  { repository, base, artifacts, tables }: Packing,
): EventLog<RunEvent> {
  return {
    ...log,
    append: async (request) => {
      if (request.events.some(answers)) await pinWork(repository, request.runId);
      if (request.events.some((event) => keeps(event) || answers(event))) {
        const bytes = await packPinned(repository, request.runId, base);
        const about = {
          kind: "evidence",
          mediaType: "application/x-git-bundle",
          summary: "kept work",
        } as const;
        if (bytes) await tables.pack(request.runId, (await artifacts.put(bytes, about)).ref);
      }
      return log.append(request);
    },
  };
}

/**
 * Leases for a process with a home. The home is as new as the run if no other process had the lease since the home was made;
 * otherwise the process releases the lease and stops, and the run gets a new home.
 */
export function heldFromHome({ leases, log }: Store<RunEvent>, madeAt: number): Leases {
  let last: number | undefined;
  return {
    ...leases,
    acquire: async (runId, owner, ttlMs) => {
      const result = await leases.acquire(runId, owner, ttlMs);
      if (!result.ok) return result;
      const { token } = result.lease;
      const fresh = last === undefined ? (await log.head(runId))?.seq === madeAt : token === last + 1;
      last = token;
      if (fresh) return result;
      await leases.release(runId, token);
      return fail("interrupted", `Another worker advanced ${runId} after its home here was made.`, {
        remedy: "Nothing was done here. The run is offered again, and gets a new home.",
      });
    },
  };
}
