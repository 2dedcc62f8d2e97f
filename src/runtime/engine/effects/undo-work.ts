// Takes the work of a run out of the checkout again (B-20): pinned first, all or nothing.
import type { EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import type { EffectPorts } from "./ports.ts";

export async function undoWorkEffect(
  ports: EffectPorts,
  { placed }: EffectOf<"take_out_work">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { runId } = context;
  const out = await ports.work.takeOut({ runId, placed, fence: (commit) => context.fence(commit) });
  return out.ok
    ? { kind: "take_out_work", taken: out.taken }
    : { kind: "take_out_work_blocked", message: out.message, paths: out.paths };
}
