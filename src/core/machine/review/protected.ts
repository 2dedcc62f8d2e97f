// Changes to files that decide about acceptance, and whether a person must say yes to them.
import type { PatchJudgement } from "../../contract/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { compareChecks } from "./check-comparison.ts";

type Protected = PatchJudgement["protectedPaths"][number];

/** Kinds of files that judge nothing by themselves while the tests of the base do not name them. */
const harmless = new Set(["test", "fixture", "snapshot", "schema", "auth", "container"]);

/** Files that runners load by their name before any test: a new one changes how the others run. */
const steersTests = /(?:^|\/)(?:conftest|__init__|[\w.-]*setup|[\w.-]*helpers?|globals?)\.\w+$/i;

/** A test, or data for one, that was not there before. It cannot weaken the tests that were. */
const isNewTest = ({ path, change, why }: Protected): boolean =>
  change === "added" && !steersTests.test(path) && why.split(", ").every((kind) => harmless.has(kind));

/**
 * A new test file asks for nothing extra while the tests of the base pass as the base defines them. Every other
 * protected change is a question of its own.
 */
export function needsProtectedApproval(run: Run, pass: Pass): boolean {
  const touched = pass.judgement?.protectedPaths ?? [];
  if (touched.length === 0) return false;
  if (!touched.every(isNewTest)) return true;
  const all = compareChecks(run, pass);
  return all.length === 0 || all.some(({ standing }) => standing !== "pass" && standing !== "fixed");
}

const rank: Readonly<Record<NonNullable<Protected["change"]>, number>> = {
  removed: 0,
  changed: 1,
  added: 2,
};

const rankOf = ({ change }: Protected): number => (change === undefined ? 1 : rank[change]);

/** The removed ones first, then the changed ones, then the new ones: nothing that weakens stands behind padding. */
export const protectedInOrder = ({ protectedPaths }: PatchJudgement): Protected[] =>
  protectedPaths.toSorted((a, b) => rankOf(a) - rankOf(b));
