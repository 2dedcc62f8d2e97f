// At the end of a run: what holds work is pinned first, then the worktrees go.
import type { EffectContext, EffectOutcome } from "../../contract/index.ts";
import type { Rooms } from "./rooms.ts";

export async function retireWorkspace(rooms: Rooms, context: EffectContext): Promise<EffectOutcome> {
  const { refs, left } = await rooms.work.retire(context.runId);
  return { kind: "retire_workspace", keptRefs: refs, ...(left === undefined ? {} : { left }) };
}
