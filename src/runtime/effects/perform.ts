// Performs the effects that the machine names. Nothing here decides how a run goes on.
import type { EffectContext, EffectOutcome, OutsideEffect, PerformEffect } from "../../core/contract/index.ts";
import { keepBlindTests } from "./blind/keep.ts";
import { runBlindTests } from "./blind/run-tests.ts";
import { callProvider, reattachCall } from "./call/call.ts";
import { captureRepoContext } from "./context/capture.ts";
import { selectRemoteContext } from "./context/remote.ts";
import { discoverChecks } from "./checks/discover.ts";
import { runCheck } from "./checks/run-check.ts";
import type { EffectDeps } from "./deps.ts";
import { captureGitEvidence } from "./git-evidence.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { applyPatch } from "./patch/apply.ts";
import { lookAtCheckout, rebuildCandidate } from "./patch/candidate.ts";
import { capturePatch } from "./patch/capture.ts";
import { assessWork } from "./patch/assess-work.ts";
import { retireWorkspace, undoWork } from "./patch/end-work.ts";
import { nameOwners } from "./patch/whose.ts";
import { runCommand } from "./run-command.ts";
import { waitForProvider } from "./wait-for-provider.ts";
import { writeTransferManifest } from "./transfer-manifest.ts";

export const createEffects =
  (deps: EffectDeps): PerformEffect =>
  (effect, context) =>
    perform(deps, effect, context);

function perform(deps: EffectDeps, effect: OutsideEffect, context: EffectContext): Promise<EffectOutcome> {
  switch (effect.kind) {
    case "inspect_repository":
      return inspectRepository(deps, effect);
    case "discover_checks":
      return discoverChecks(deps, effect);
    case "capture_repo_context":
      return captureRepoContext(deps, effect);
    case "select_remote_context":
      return selectRemoteContext(deps, effect);
    case "write_transfer_manifest":
      return writeTransferManifest(deps, effect, context);
    case "call_provider":
      return callProvider(deps, effect, context);
    case "reattach_call":
      return reattachCall(deps, effect, context);
    case "wait_for_provider":
      return waitForProvider(effect, context);
    case "capture_patch":
      return capturePatch(deps, effect, context);
    case "judge_patch":
      return assessWork(deps, effect);
    case "apply_patch":
      return applyPatch(deps, effect, context).then((outcome) => nameOwners(deps, outcome, context.runId));
    case "look_at_checkout":
      return lookAtCheckout(deps, effect, context);
    case "rebuild_candidate":
      return rebuildCandidate(deps, effect, context).then((outcome) => nameOwners(deps, outcome, context.runId));
    case "capture_git_evidence":
      return captureGitEvidence(deps, effect, context);
    case "run_check":
      return runCheck(deps, effect, context);
    case "run_blind_tests":
      return runBlindTests(deps, effect, context);
    case "keep_blind_tests":
      return keepBlindTests(deps, effect, context);
    case "run_command":
      return runCommand(deps, effect, context);
    case "retire_workspace":
      return retireWorkspace(deps, context);
    case "take_out_work":
      return undoWork(deps, effect, context);
  }
}
