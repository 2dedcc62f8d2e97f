// Names the runs whose uncommitted work is in the way of this one, so that nobody is told that it is theirs.
import type { EffectOutcome } from "../../../core/contract/index.ts";
import type { EffectDeps } from "../deps.ts";

export async function nameOwners(deps: EffectDeps, outcome: EffectOutcome, runId: string): Promise<EffectOutcome> {
  const isBlocked =
    outcome.kind === "rebuild_candidate_blocked" ||
    (outcome.kind === "apply_patch_blocked" && outcome.reason === "dirty_checkout");
  if (!isBlocked || !deps.owners) return outcome;
  const ofRuns = (await deps.owners(outcome.paths)).filter((one) => one.runId !== runId);
  return ofRuns.length > 0 ? { ...outcome, ofRuns } : outcome;
}
