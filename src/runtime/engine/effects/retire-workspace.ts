// At the end of a run: work in its worktrees is pinned first, then the worktrees are removed.
import type { EffectContext, EffectOutcome } from "../../../core/contract/index.ts";
import type { EffectPorts } from "./ports.ts";

export async function retireWorkspace(ports: EffectPorts, context: EffectContext): Promise<EffectOutcome> {
  await context.fence();
  // A worker whose runtime was killed before its call ended was not looked after then.
  const touched = await ports.work.restoreGitFolder(context.runId);
  if (touched.length > 0)
    context.progress(`put back in the git folder, with a copy kept: ${touched.slice(0, 5).join(", ")}`);
  const { refs, left } = await ports.work.retire(context.runId);
  return { kind: "retire_workspace", keptRefs: refs, ...(left === undefined ? {} : { left }) };
}
