// The seed's order (B-1, `integrate: "early"`, and direct edits): a patch is asked about and applied, protected paths are
// asked about, and then the work is verified in the checkout.
import { type PatchJudgement, plainLine, visibleName } from "../../contract/index.ts";
import { list, secretLines, sizeLine } from "../gate/lines.ts";
import { openGate } from "../gate/open.ts";
import { nextForIntegration } from "../next/work.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import { protectedInOrder } from "../review/index.ts";
import type { Implementing, Integrating, Pass, Run } from "../state/index.ts";
import { enter } from "../transition.ts";

function applyGate(run: Run, pass: Pass, judgement: PatchJudgement, deps: MachineDeps): Decision {
  const patch = pass.captured?.patch;
  if (!patch) throw new Error(`Pass ${pass.number} has no patch to apply.`);
  return openGate(run, deps, {
    kind: "isolated_patch_application",
    phrase: "apply isolated patch",
    shown: [
      `patch sha256: ${patch.patchSha256}`,
      sizeLine(judgement),
      ...list(judgement.paths, Infinity),
      ...(judgement.protectedPaths.length > 0
        ? [
            "protected:",
            ...list(
              protectedInOrder(judgement).map(({ path }) => path),
              Infinity,
            ),
          ]
        : []),
      ...judgement.findings.map(({ reason, message }) => `- found: ${reason}: ${plainLine(message, 300)}`),
      ...secretLines(judgement),
    ],
    refs: [patch.patch],
    whole: true,
    facts: { judgement },
  });
}

/** The gate that holds the patch, or the step into the checkout. The gate of a direct edit was `implementation_start`. */
export function applyFirst(
  run: Run,
  phase: Implementing,
  pass: Pass,
  judgement: PatchJudgement,
  deps: MachineDeps,
): [Decision | null, Decision] {
  const held = !pass.applyApproved && pass.captured?.patch?.workspace !== "direct";
  return [
    held ? applyGate(run, pass, judgement, deps) : null,
    enter(run, phase, "integrating", "the patch may be applied"),
  ];
}

function protectedGate(run: Run, pass: Pass, judgement: PatchJudgement, deps: MachineDeps): Decision {
  return openGate(run, deps, {
    kind: "protected_patch_changes",
    phrase: "protected test changes",
    shown: [
      "The applied patch changes tests, CI files or settings of the checks:",
      ...protectedInOrder(judgement).map(({ path, why }) => `- ${visibleName(path)} (${plainLine(why, 100)})`),
      ...(judgement.definingPaths.length > 0
        ? ["These define checks; both versions will be run:", ...list(judgement.definingPaths, Infinity)]
        : []),
    ],
    refs: pass.captured?.patch ? [pass.captured.patch.patch] : [],
    whole: true,
    about: { cause: "protected_change" },
  });
}

export function whileIntegratingFirst(run: Run, phase: Integrating, pass: Pass, deps: MachineDeps): Decision | null {
  if (nextForIntegration(run, phase) || !pass.integration || !pass.judgement) return null;
  if (pass.judgement.protectedPaths.length > 0 && !pass.protectedApproved)
    return protectedGate(run, pass, pass.judgement, deps);
  return enter(run, phase, "verifying", "the patch is in the checkout");
}
