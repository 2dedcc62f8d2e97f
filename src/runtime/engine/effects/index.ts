// Performs the effects the machine names. One file an effect; nothing here decides where a run goes.
import type {
  EffectContext,
  EffectOutcome,
  EffectPerformer,
  OutsideEffect,
} from "../../../core/contract/index.ts";
import { callProvider, reattachCall } from "./call/index.ts";
import { lookAtCheckout, rebuildCandidate } from "./candidate.ts";
import { captureRepoContext } from "./context/index.ts";
import { selectRemoteContext } from "./context/remote.ts";
import { discoverChecks } from "./discover-checks.ts";
import { captureGitEvidence } from "./git-evidence.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { applyPatch } from "./patch/apply.ts";
import { capturePatch } from "./patch/capture.ts";
import { judgeWork } from "./patch/judge.ts";
import { retireWorkspace } from "./retire-workspace.ts";
import type { EffectPorts } from "./ports.ts";
import { runCheck } from "./run-check.ts";
import { runCommand } from "./run-command.ts";
import { undoWorkEffect } from "./undo-work.ts";
import { writeTransferManifest } from "./transfer-manifest.ts";

export type * from "./ports.ts";
export { planChecks } from "./discover-checks.ts";
export { excerptsOf } from "./excerpt.ts";

export function createEffects(ports: EffectPorts): EffectPerformer {
  return { perform: (effect, context) => perform(ports, effect, context) };
}

function perform(ports: EffectPorts, effect: OutsideEffect, context: EffectContext): Promise<EffectOutcome> {
  switch (effect.kind) {
    case "inspect_repository":
      return inspectRepository(ports, effect, context);
    case "discover_checks":
      return discoverChecks(ports, effect);
    case "capture_repo_context":
      return captureRepoContext(ports, effect);
    case "select_remote_context":
      return selectRemoteContext(ports, effect, context);
    case "write_transfer_manifest":
      return writeTransferManifest(ports, effect, context);
    case "call_provider":
      return callProvider(ports, effect, context);
    case "reattach_call":
      return reattachCall(ports, effect, context);
    case "capture_patch":
      return capturePatch(ports, effect, context);
    case "judge_patch":
      return judgeWork(ports, effect);
    case "apply_patch":
      return applyPatch(ports, effect, context);
    case "look_at_checkout":
      return lookAtCheckout(ports, effect, context);
    case "rebuild_candidate":
      return rebuildCandidate(ports, effect, context);
    case "capture_git_evidence":
      return captureGitEvidence(ports, effect, context);
    case "run_check":
      return runCheck(ports, effect, context);
    case "run_command":
      return runCommand(ports, effect, context);
    case "retire_workspace":
      return retireWorkspace(ports, context);
    case "take_out_work":
      return undoWorkEffect(ports, effect, context);
  }
}
