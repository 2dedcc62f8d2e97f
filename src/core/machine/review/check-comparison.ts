// Each check compared before and after the work, and the checks that still block completion.
import {
  plainLine,
  type CheckEvidence,
  type CheckKind,
  type CheckComparisonResult,
  type FailureClass,
} from "../../contract/index.ts";
import { commandLine } from "../facts/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { baseTree, evidenceFor, neededChecks, reviewTree } from "./trees.ts";

/** The reason of a check that neither passed nor failed plainly, from its latest record. */
export function reasonOf({ before, after }: Pick<CheckComparison, "before" | "after">): string | null {
  const record = [...after.toReversed(), ...(before ? [before] : [])].find(
    ({ note, result }) => note !== null && result !== "passed",
  );
  return record?.note ? plainLine(record.note, 300) : null;
}

/** A check that its time limit ended is not one that fails. */
export const wasTimedOut = ({ after }: Pick<CheckComparison, "after">): boolean =>
  after.some(({ result }) => result === "timed_out");

export interface CheckComparison {
  readonly checkId: string;
  readonly kind: CheckKind;
  readonly command: string;
  readonly standing: CheckComparisonResult;
  readonly before: CheckEvidence | undefined;
  readonly after: readonly CheckEvidence[];
}

export function compareCheck(
  before: CheckEvidence | undefined,
  after: readonly CheckEvidence[],
): CheckComparisonResult {
  const passed = after.length > 0 && after.every(({ result }) => result === "passed");
  if (passed && (ranFewer(before, after) || after.some(({ missingTests }) => missingTests))) return "fewer_tests";
  if (passed) return before && ["failed", "timed_out"].includes(before.result) ? "fixed" : "pass";
  if (before?.result === "passed" && onlyRedefined(after)) return "redefined";
  // It passed before this work. Failing, too slow, gone or empty: each of them is a regression now.
  if (before?.result === "passed") return "regression";
  // Red before and after, and yet another test fails now.
  if (after.some(({ newlyFailing }) => newlyFailing)) return "regression";
  if (after.some(({ result }) => result === "failed" || result === "timed_out")) return "still_failing";
  return after.some(({ result }) => result === "nothing_ran") ? "nothing_to_run" : "not_run";
}

/** The work changed the demands of the check and meets the new ones. A person says whether that is right. */
function onlyRedefined(after: readonly CheckEvidence[]): boolean {
  const redefined = after.filter(({ variant }) => variant === "patched");
  return redefined.length > 0 && redefined.every(({ result }) => result === "passed");
}

/** Results are compared under the base commit's rules: a test that was removed with approval is not missed. */
function ranFewer(before: CheckEvidence | undefined, after: readonly CheckEvidence[]): boolean {
  const now = after.find(({ variant }) => variant === "guarded") ?? after[0];
  const [had, has] = [before?.testsRun ?? null, now?.testsRun ?? null];
  if (had === null) return false;
  // A runner that stops reporting its number of tests was cut short, or is another runner.
  if (has === null || has < had) return true;
  return (now?.silentFiles ?? 0) > (before?.silentFiles ?? 0);
}

/** Checks in the order they are known; those the work itself adds come last. */
export function compareChecks(run: Run, pass: Pass): CheckComparison[] {
  const base = baseTree(run);
  const unchanged = reviewTree(run) === base;
  const needed = neededChecks(run, pass);
  const specs = new Map(needed.map(({ check }) => [check.id, check]));
  return [...specs.values()].map((spec) => {
    const before = evidenceFor(run, spec.id, "base", base);
    const found = needed
      .filter(({ check, variant }) => check.id === spec.id && variant !== "base")
      .map(({ variant, tree }) => evidenceFor(run, spec.id, variant, tree))
      .filter((evidence) => evidence !== undefined);
    const after = unchanged && before ? [before] : found;
    const standing = compareCheck(before, after);
    return { checkId: spec.id, kind: spec.kind, command: commandLine(spec.argv), standing, before, after };
  });
}

export const regressions = (run: Run, pass: Pass): CheckComparison[] =>
  reviewTree(run) === baseTree(run) ? [] : compareChecks(run, pass).filter(({ standing }) => standing === "regression");

/** Checks that fail as the base commit defines them, whether or not the work redefined them. */
export const failingAsBefore = (run: Run, pass: Pass): CheckComparison[] =>
  reviewTree(run) === baseTree(run)
    ? []
    : compareChecks(run, pass).filter(({ standing }) => standing === "regression" || standing === "redefined");

/** The name under which the absence of any check is waived. */
export const noChecks = { checkId: "none", command: "validation" } as const;

export interface UnresolvedCheck {
  readonly checkId: string;
  readonly kind: CheckKind;
  readonly command: string;
  readonly standing: CheckComparisonResult | "none";
}

/** Checks that only a person can let pass, by naming the command. */
export function openChecks(run: Run, pass: Pass): UnresolvedCheck[] {
  const tree = reviewTree(run);
  const all = compareChecks(run, pass);
  const open: UnresolvedCheck[] = all.filter(({ standing }) => standing !== "pass" && standing !== "fixed");
  const missing: UnresolvedCheck[] = all.length === 0 ? [{ ...noChecks, kind: "other", standing: "none" }] : [];
  const waived = new Set(pass.waivers.filter((waiver) => waiver.tree === tree).map(({ checkId }) => checkId));
  return [...open, ...missing].filter(({ checkId }) => !waived.has(checkId));
}

const classes: Readonly<Record<CheckKind, FailureClass>> = {
  test: "test_failure",
  lint: "lint_failure",
  typecheck: "typecheck_failure",
  build: "build_failure",
  other: "unknown_failure",
};

export const failureClassOf = (kind: CheckKind): FailureClass => classes[kind];
