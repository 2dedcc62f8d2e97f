// The gates of a review: a verdict that the verifier leaves to a person, and checks that do not pass without being regressions.
import type { RunEvent } from "../../contract/index.ts";
import { acceptedOf } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit } from "../decision.ts";
import {
  type UnresolvedCheck,
  aboutOpen,
  failureClassOf,
  isDisarmed,
  reviewTree,
  compareChecks,
  openChecks,
} from "../review/index.ts";
import type { Pass, Run } from "../state/index.ts";

export function verdictGate(run: Run, pass: Pass, verdict: "ask_user" | "abort", deps: MachineDeps): Decision {
  const accepted = acceptedOf(run, pass.verifier);
  const brief = accepted?.brief;
  const criteria = brief?.contract === "verification_result" ? brief.failedCriteria : [];
  return openGate(run, deps, {
    kind: "verifier_verdict",
    answers: verdict === "ask_user" ? ["accept", "revise", "abort"] : ["revise", "abort"],
    shown: [
      `The verifier says ${verdict}: ${accepted?.summary ?? ""}`,
      ...criteria.map((text) => `- not met: ${text}`),
      ...openChecks(run, pass).map(({ command }) => `- does not pass: ${command}`),
      `tree: ${reviewTree(run)}`,
    ],
    refs: [accepted?.response, pass.validation?.artifact, pass.captured?.patch?.full].filter(
      (ref) => ref !== undefined,
    ),
    about: { role: "verifier", cause: `verifier_${verdict}` },
  });
}

/** A waiver given when the run was started covers a check that the work did not break. */
function coveredEarly(run: Run, pass: Pass, { checkId, standing }: UnresolvedCheck): boolean {
  if (standing === "regression" || standing === "redefined" || standing === "fewer_tests") return false;
  return !isDisarmed(compareChecks(run, pass).find((one) => one.checkId === checkId));
}

/** The checks that were waived when the run was started, on record for the tree under review. */
export function earlyWaivers(run: Run, pass: Pass): Decision | null {
  const { policy, createdBy } = run.created;
  const covered = openChecks(run, pass).filter(
    (open) => coveredEarly(run, pass, open) && policy.waivedChecks.includes(open.command),
  );
  if (covered.length === 0) return null;
  return emit(
    ...covered.map(({ checkId, command }): RunEvent => ({
      type: "validation_waived",
      pass: pass.number,
      checkId,
      command,
      tree: reviewTree(run),
      by: createdBy,
      message: "waived when the run was started",
    })),
  );
}

export function waiverGate(run: Run, pass: Pass, deps: MachineDeps): Decision | null {
  const open = openChecks(run, pass)[0];
  if (!open) return null;
  const early = earlyWaivers(run, pass);
  if (early) return early;
  const shown = aboutOpen(run, pass, open);
  return openGate(run, deps, {
    kind: "validation_waiver",
    phrase: `waive ${open.command}`,
    shown: [...shown, `tree: ${reviewTree(run)}`],
    refs: pass.validation ? [pass.validation.artifact] : [],
    about: { checkId: open.checkId, cause: open.standing },
    failureClass: failureClassOf(open.kind),
  });
}
