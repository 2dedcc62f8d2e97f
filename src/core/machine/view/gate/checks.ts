// The checks of a result as rows, and the answer to "would your tests notice a mistake in the changed lines?".
import { plainLine, type CheckEvidence } from "../../../contract/index.ts";
import { compareChecks, type CheckComparison } from "../../review/check-comparison.ts";
import { countedControl, isTooFew, reachesChange } from "../../review/measure.ts";
import type { Pass, Run } from "../../state/index.ts";
import type { CheckCell, CheckRow, NoticedMistakes } from "./shapes.ts";

const notes: Readonly<Partial<Record<CheckEvidence["result"], string>>> = {
  timed_out: "too slow",
  not_started: "cannot run",
  nothing_ran: "no test ran",
};

const missing: CheckCell = { mark: "unknown", tests: null, note: "not run" };

export function cellOf(evidence: CheckEvidence | undefined): CheckCell {
  if (!evidence || evidence.cut) return missing;
  const { result, testsRun } = evidence;
  return {
    mark: result === "passed" ? "pass" : result === "failed" ? "fail" : "unknown",
    tests: testsRun,
    note: notes[result] ?? null,
  };
}

function mistakesOf(after: readonly CheckEvidence[]): CheckRow["mistakes"] {
  const found = countedControl(after);
  return found ? { planted: found.reachRan, noticed: found.reachNoticed } : null;
}

function rowOf({ checkId, command, standing, before, after }: CheckComparison): CheckRow {
  const old = after.find(({ variant }) => variant === "guarded");
  const now = after.find(({ variant }) => variant !== "guarded") ?? after[0];
  return {
    checkId,
    command: plainLine(command, 200),
    before: cellOf(before),
    now: cellOf(now),
    withOldTests: old ? cellOf(old) : null,
    mistakes: mistakesOf(after),
    passes: standing === "pass" || standing === "fixed",
  };
}

export const checkRows = (run: Run, pass: Pass): CheckRow[] => compareChecks(run, pass).map(rowOf);

const unknown = (text: string): NoticedMistakes => ({ answer: "unknown", planted: 0, noticed: 0, text });

export function noticedMistakes(run: Run, pass: Pass): NoticedMistakes {
  if (!pass.validation) return unknown("Not measured yet: the checks run once the work is applied.");
  const all = compareChecks(run, pass);
  if (all.length === 0) return unknown("No check looks at this change: the project has none.");
  const found = reachesChange(all);
  if (found === null && all.some(({ standing }) => standing !== "pass" && standing !== "fixed"))
    return unknown("Not measured: mistakes are planted only where the checks pass.");
  if (found === null && pass.judgement?.docsOnly === true)
    return { ...unknown("Only documentation changed: there is no code to plant a mistake in."), answer: "nothing" };
  if (found === null) return unknown("No mistake could be planted: the change holds no code that the checks can run.");
  const { ran: planted, noticed, unreached } = found;
  if (planted === 0) return unknown("Not measured: no mistake in the changed lines was tried in the time for it.");
  const figures = { planted, noticed };
  if (noticed === 0)
    return {
      answer: "no",
      ...figures,
      text: `Your tests do not look at the changed lines (0 of ${planted} mistakes noticed)`,
    };
  if (unreached.length > 0 || isTooFew(found))
    return {
      answer: "partly",
      ...figures,
      text: `Your tests look at a part of this change only (${noticed} of ${planted} mistakes noticed)`,
    };
  return {
    answer: "yes",
    ...figures,
    text: `${noticed} of ${planted} planted: ${noticed === planted ? "yes" : "mostly"}`,
  };
}
