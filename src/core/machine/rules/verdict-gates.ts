// The gates of a review: a verdict that the verifier leaves to a person, and checks that do not pass without being regressions.
import type { RunEvent } from "../../contract/index.ts";
import { acceptedOf } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit } from "../decision.ts";
import {
  type UnresolvedCheck,
  type CheckComparison,
  definingPaths,
  failureClassOf,
  reasonOf,
  reviewTree,
  compareChecks,
  openChecks,
  wasTimedOut,
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

/** The work has taught a check to keep silent that failed before it. */
const isDisarmed = (found: CheckComparison | undefined): boolean =>
  found?.after.some(({ control }) => control && control !== "off" && control.weakened !== null) ?? false;

/** The check in words, with the recorded reason and the setting that decides about it. */
function withReason(run: Run, pass: Pass, { checkId, command, standing }: UnresolvedCheck): string[] {
  const found = compareChecks(run, pass).find((one) => one.checkId === checkId);
  const timedOut = found !== undefined && wasTimedOut(found);
  const outcome = timedOut
    ? "did not end in its time"
    : standing === "not_run"
      ? "could not be run"
      : standing === "nothing_to_run"
        ? "had nothing to run"
        : isDisarmed(found)
          ? "failed before this work and proves nothing after it"
          : "failed before this work and fails after it";
  const reason = found ? reasonOf(found) : null;
  return [
    `\`${command}\` ${outcome}${reason === null ? "" : `: ${reason}`}.`,
    isDisarmed(found)
      ? "This work took the check's voice away: that it ends well says nothing about the work."
      : "It was not broken by this work, and it does not pass.",
    ...(timedOut ? ["The time limit of a check is the setting policy.budgets.checkTimeoutMs."] : []),
    ...(standing === "not_run" && !timedOut
      ? ["Install the program that it needs, then have the checks run again."]
      : []),
  ];
}

/** A check that only a person can let pass, in words. */
export function aboutOpen(run: Run, pass: Pass, open: UnresolvedCheck): string[] {
  const { command, standing } = open;
  switch (standing) {
    case "none":
      return ["The project defines no check. Nothing but the review shows that the work holds."];
    case "fewer_tests":
      return [`\`${command}\` ended well, but not with every test that it ran before this work.`];
    case "redefined":
      return [
        `\`${command}\` passed before this work. As the base commit defines it, it fails now; as this work redefines it, it passes.`,
        ...definingPaths(run).map((path) => `redefined by: ${path}`),
        "Approve only if the demands of the check were meant to change.",
      ];
    default:
      return withReason(run, pass, open);
  }
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
