// The rules of a verified candidate on its way into the checkout (B-1, B-2): ask on one sheet, apply, look once more.
import { list } from "../gate/lines.ts";
import { openGate } from "../gate/open.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import { candidateStep, repair } from "../review/index.ts";
import type { Integrating, Pass, Run } from "../state/index.ts";
import { enter } from "../transition.ts";
import { complete } from "./complete.ts";
import { rejected } from "./repairs.ts";
import { resultSheet } from "./sheet.ts";
import { earlyWaivers } from "./verdict-gates.ts";

/** The checkout moved and the work does not fit it: the worker brings both together. */
function repairConflict(run: Run, phase: Integrating, pass: Pass, deps: MachineDeps): Decision {
  const paths = pass.conflict?.paths ?? [];
  return repair(run, phase, pass, deps, {
    sourceRole: "integrator",
    reasonCode: "base_moved",
    reason: `the checkout moved while this work was verified: ${pass.conflict?.message ?? ""}`,
    objective:
      "Bring this work together with what the checkout holds now. Your folder holds both, with conflict marks where they disagree.",
    criteria: paths.map((path) => `${path} holds both changes and no conflict mark.`),
    evidence: [pass.captured?.patch?.full],
    sameIf: JSON.stringify([run.base.tree, paths]),
  });
}

/** Something changed the checkout right after the work was put there: the run does not call that verified. */
function differsGate(run: Run, pass: Pass, deps: MachineDeps): Decision {
  const look = pass.looks.at(-1);
  return openGate(run, deps, {
    kind: "integration_failed",
    title: "The checkout is not the tree that was verified",
    answers: ["approve", "retry", "abort"],
    shown: [
      `The work was applied. The checkout was looked at again, and these files are not as they were verified:`,
      ...list(look?.paths ?? [], Infinity),
      `expected tree: ${look?.expected ?? ""}`,
      `found tree: ${look?.tree ?? ""}`,
      "These may be edits of yours. To keep both, answer with retry: the checkout stays as it is, and the work is verified again together with them.",
      "Or take the other changes out and approve to have it looked at again, or abort: the work stays as it is.",
    ],
    refs: pass.captured?.patch ? [pass.captured.patch.patch] : [],
    about: { cause: "checkout_differs" },
  });
}

export function whileIntegratingVerified(run: Run, phase: Integrating, pass: Pass, deps: MachineDeps): Decision | null {
  switch (candidateStep(run, pass)) {
    case "conflict":
      return repairConflict(run, phase, pass, deps);
    case "refused":
      return pass.judgement ? rejected(run, phase, pass, pass.judgement, deps) : null;
    case "verify":
      return enter(run, phase, "verifying", "the checkout moved; the work was built again and is checked again");
    case "ask":
      return earlyWaivers(run, pass) ?? resultSheet(run, pass, deps);
    case "differs":
      return differsGate(run, pass, deps);
    case "done":
      return complete(run, "success", pass.accepted ? "user" : "verifier", deps);
    case "judge":
    case "look":
    case "rebuild":
    case "rebuild_both":
    case "apply":
    case "evidence":
    case "look_last":
      return null;
  }
}
