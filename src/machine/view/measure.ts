// The measure of a check: how it was run and what came of it, so that a claim names what it rests on (B-9).
import type { CheckEvidence } from "../../contract/index.ts";
import type { Standing } from "../review/index.ts";

function ranAs({ variant, result, exitCode, testsRun, sandbox }: CheckEvidence): string {
  const exit = exitCode === null ? result.replaceAll("_", " ") : `exit ${exitCode}`;
  const ran = testsRun === null ? "tests not counted" : `${testsRun} ran`;
  const rules = variant === "guarded" ? ", by the base's rules" : "";
  return `${exit}, ${ran}${rules}, sandbox ${sandbox}`;
}

export function checkMeasure({ before, after }: Pick<Standing, "before" | "after">): string {
  const now = after.length === 0 ? "not run on this tree" : after.map(ranAs).join(" and ");
  const same = before !== undefined && after.length === 1 && after[0] === before;
  return before && !same ? `before: ${ranAs(before)}; now: ${now}` : now;
}
