// Performs the effects the machine names. One file an effect; nothing here decides where a run goes.
import type { EffectContext, EffectOutcome, EffectPort, OutsideEffect } from "../../contract/index.ts";
import { callProvider, reattachCall } from "./call/index.ts";
import { captureRepoContext } from "./context/index.ts";
import { selectRemoteContext } from "./context/remote.ts";
import { discoverChecks } from "./discover-checks.ts";
import { captureGitEvidence } from "./git-evidence.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { applyPatch } from "./patch/apply.ts";
import { capturePatch } from "./patch/capture.ts";
import { judgeWork } from "./patch/judge.ts";
import { retireWorkspace } from "./retire-workspace.ts";
import type { Rooms } from "./rooms.ts";
import { runCheck } from "./run-check.ts";
import { runCommand } from "./run-command.ts";
import { writeTransferManifest } from "./transfer-manifest.ts";

export type * from "./rooms.ts";
export { type Excerpt, excerptsOf } from "./excerpt.ts";

export function createEffects(rooms: Rooms): EffectPort {
  return { perform: (effect, context) => perform(rooms, effect, context) };
}

function perform(rooms: Rooms, effect: OutsideEffect, context: EffectContext): Promise<EffectOutcome> {
  switch (effect.kind) {
    case "inspect_repository":
      return inspectRepository(rooms, context);
    case "discover_checks":
      return discoverChecks(rooms, effect);
    case "capture_repo_context":
      return captureRepoContext(rooms, effect);
    case "select_remote_context":
      return selectRemoteContext(rooms, effect, context);
    case "write_transfer_manifest":
      return writeTransferManifest(rooms, effect, context);
    case "call_provider":
      return callProvider(rooms, effect, context);
    case "reattach_call":
      return reattachCall(rooms, effect, context);
    case "capture_patch":
      return capturePatch(rooms, effect, context);
    case "judge_patch":
      return judgeWork(rooms, effect);
    case "apply_patch":
      return applyPatch(rooms, effect, context);
    case "capture_git_evidence":
      return captureGitEvidence(rooms, effect, context);
    case "run_check":
      return runCheck(rooms, effect, context);
    case "run_command":
      return runCommand(rooms, effect, context);
    case "retire_workspace":
      return retireWorkspace(rooms, context);
  }
}
