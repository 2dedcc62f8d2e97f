// What a run keeps in git moves along: the bundle is in the store before the event that names the kept work.
import type { Artifacts, EventLog, RunEvent } from "../contract/index.ts";
import { captureChanges, openWorktree, pinCapture } from "../checkout/worktree/index.ts";
import type { Repository } from "../git/index.ts";
import { packKept } from "./home.ts";
import type { FleetTables } from "./tables.ts";

export interface Packing {
  readonly repository: Repository;
  readonly base: string;
  readonly artifacts: Artifacts;
  readonly tables: FleetTables;
}

/** An answer may come with edits in the worktree: they are pinned and packed before the answer counts. */
const answers = (event: RunEvent): boolean => event.type === "agent_response";

async function pinWork(repository: Repository, runId: string): Promise<void> {
  const worktree = openWorktree(repository, runId);
  if (worktree) await pinCapture(worktree, await captureChanges(worktree));
}

const keeps = (event: RunEvent): boolean =>
  ("keptRef" in event && event.keptRef !== null) || ("keptRefs" in event && event.keptRefs.length > 0);

export function packFirst(
  log: EventLog<RunEvent>,
  { repository, base, artifacts, tables }: Packing,
): EventLog<RunEvent> {
  return {
    ...log,
    append: async (request) => {
      if (request.events.some(answers)) await pinWork(repository, request.runId);
      if (request.events.some((event) => keeps(event) || answers(event))) {
        const bytes = await packKept(repository, request.runId, base);
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
