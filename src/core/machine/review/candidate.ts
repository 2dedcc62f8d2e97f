// The way of a verified candidate into the checkout: look, build again when something moved, ask, apply, look once more
// (B-1, B-2). One function names the next step; the rules and the effects both follow it.
import { deliveryOf, isFit } from "../facts/index.ts";
import type { At, Pass, Run } from "../state/index.ts";
import { needsProtectedApproval } from "./protected.ts";
import { openChecks } from "./check-comparison.ts";

export type CandidateStep =
  | "conflict"
  | "judge"
  | "refused"
  | "verify"
  | "look"
  | "rebuild"
  | "rebuild_both"
  | "ask"
  | "apply"
  | "evidence"
  | "look_last"
  | "differs"
  | "done";

/** The last answer of a person: the checkout may have changed while the run waited for it. */
const lastAnswer = (run: Run): number =>
  Math.max(0, ...run.approvals.flatMap(({ auto, seq }) => (auto === null ? [seq] : [])));

function lookSince(run: Run, pass: Pass, moment: "before" | "last", after: At) {
  const since = Math.max(after.seq, lastAnswer(run));
  return pass.looks.findLast((look) => look.moment === moment && look.seq > since);
}

/** Everything that a person must say about this candidate has been said. */
export const sheetPassed = (run: Run, pass: Pass): boolean =>
  pass.applyApproved &&
  (pass.protectedApproved || !needsProtectedApproval(run, pass)) &&
  openChecks(run, pass).length === 0;

export function candidateStep(run: Run, pass: Pass): CandidateStep {
  const patch = pass.captured?.patch;
  if (!pass.captured || !patch) throw new Error(`Pass ${pass.number} has no candidate.`);
  if (pass.integration) return afterIntegration(run, pass, pass.integration, patch.tree);
  if (pass.conflict) return "conflict";
  if (!pass.judgement) return "judge";
  if (!isFit(pass.judgement)) return "refused";
  if (!pass.validation) return "verify";
  // The work follows the tip of a branch that is not checked out: nothing of the checkout concerns it.
  if (run.created.continuesBranch === true) return sheetPassed(run, pass) ? "done" : "ask";
  const look = lookSince(run, pass, "before", pass.captured);
  if (!look) return "look";
  if (look.tree !== patch.fromTree && look.tree !== patch.tree) return "rebuild";
  if (!sheetPassed(run, pass)) return "ask";
  return deliveryOf(run).branch === undefined ? "apply" : "done";
}

/** A person found edits of theirs beside the applied work, and wants both verified together. */
const wantsBoth = (run: Run, integrated: At): boolean => {
  const last = run.approvals.findLast(({ kind, auto }) => kind === "integration_failed" && auto === null);
  return last?.answer === "retry" && last.gate.cause === "checkout_differs" && last.seq > integrated.seq;
};

function afterIntegration(run: Run, pass: Pass, integrated: At, tree: string): CandidateStep {
  if (wantsBoth(run, integrated)) return "rebuild_both";
  if (!pass.evidence) return "evidence";
  const look = lookSince(run, pass, "last", pass.evidence.seq > integrated.seq ? pass.evidence : integrated);
  if (!look) return "look_last";
  return look.tree === tree && look.paths.length === 0 ? "done" : "differs";
}
