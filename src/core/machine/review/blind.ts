// Blind tests as evidence: when they are wanted, which checks can run them, and what they measure (B-33).
import type { CheckSpec, Doubt } from "../../contract/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { blindMeasure } from "./blind-measure.ts";
import { compareChecks, regressions } from "./check-comparison.ts";
import { baseTree, reviewTree } from "./trees.ts";

/** The user's policy asks for them, and there is changed behaviour that a test could see. */
export function wantsBlindTests(run: Run, pass: Pass): boolean {
  const { mode, policy, baseTree: base } = run.created;
  if (policy.blindTests !== "on" || mode !== "implement" || base === null) return false;
  return reviewTree(run) !== baseTree(run) && pass.judgement?.docsOnly !== true;
}

/** Checks of the base commit that pass on the work and whose runner reports its tests. */
export function blindChecks(run: Run, pass: Pass): CheckSpec[] {
  const fit = compareChecks(run, pass)
    .filter(({ kind, standing }) => kind === "test" && (standing === "pass" || standing === "fixed"))
    .filter(({ after }) => after.some(({ testsRun }) => testsRun !== null))
    .map(({ checkId }) => checkId);
  return (run.checks ?? []).filter(({ id }) => fit.includes(id));
}

/** They are to be run on this work now: the answer is there, and the project's own checks are done. */
export const blindRunDue = (run: Run, pass: Pass): boolean =>
  wantsBlindTests(run, pass) &&
  run.blind !== null &&
  pass.blindTests === null &&
  pass.validation !== null &&
  regressions(run, pass).length === 0;

/** Blind tests that fail are a question about the work; none that says anything is a measurement that is missing. */
export function blindDoubts({ blindTests }: Pass): Doubt[] {
  if (!blindTests) return [];
  const { failing, proving } = blindTests;
  if (failing > 0) return [{ kind: "blind_tests", place: "the goal", measure: blindMeasure(blindTests) }];
  return proving > 0 ? [] : [{ kind: "untried", place: "blind tests", measure: blindMeasure(blindTests) }];
}
