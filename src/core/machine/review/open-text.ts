// A check that only a person can let pass, in words: what happened, why, and the setting that decides about it.
import {
  type CheckComparison,
  compareChecks,
  reasonOf,
  type UnresolvedCheck,
  wasTimedOut,
} from "./check-comparison.ts";
import { definingPaths } from "./trees.ts";
import type { Pass, Run } from "../state/index.ts";

/** The work has taught a check to keep silent that failed before it. */
export const isDisarmed = (found: CheckComparison | undefined): boolean =>
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
        `\`${command}\` passed before this work. With the old tests and settings it fails now; with those of this work it passes.`,
        ...definingPaths(run).map((path) => `What it demands is redefined by: ${path}`),
        "Approve only if these demands were meant to change.",
      ];
    default:
      return withReason(run, pass, open);
  }
}
