// At the end of a run: work in its worktrees is pinned first, then the worktrees are removed.
import type { EffectContext, EffectOutcome } from "../../contract/index.ts";
import type { EffectPorts } from "./ports.ts";

export async function retireWorkspace(ports: EffectPorts, context: EffectContext): Promise<EffectOutcome> {
  await context.fence();
  const { refs, left } = await ports.work.retire(context.runId);
  return { kind: "retire_workspace", keptRefs: refs, ...(left === undefined ? {} : { left }) };
}
