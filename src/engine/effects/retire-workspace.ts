// At the end of a run: what holds work is pinned first, then the worktrees go.
import type { EffectContext, EffectOutcome } from "../../contract/index.ts";
import type { EffectPorts } from "./ports.ts";

export async function retireWorkspace(ports: EffectPorts, context: EffectContext): Promise<EffectOutcome> {
  const { refs, left } = await ports.work.retire(context.runId);
  return { kind: "retire_workspace", keptRefs: refs, ...(left === undefined ? {} : { left }) };
}
