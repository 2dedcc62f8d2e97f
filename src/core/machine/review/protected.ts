// Changed tests, CI files and settings of the checks: protected files, with the question whether a person must approve them,
// and files that checks read although no plan names them.
import { onlyAdds, type PatchJudgement } from "../../contract/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { compareChecks } from "./check-comparison.ts";
import { acceptedOf, currentPlan } from "../facts/index.ts";

type Protected = PatchJudgement["protectedPaths"][number];

/** A test, or data for one, that was not there before. It cannot weaken the tests that were. */
const isNewTest = ({ path, change, why }: Protected): boolean => change === "added" && onlyAdds(path, why.split(", "));

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

/** The removed ones first, then the changed ones, then the new ones: a change that weakens a test is not hidden behind others. */
export const protectedInOrder = ({ protectedPaths }: PatchJudgement): Protected[] =>
  protectedPaths.toSorted((a, b) => rankOf(a) - rankOf(b));

/** The files and folders that the plan and the delegation name. */
function targetPaths(run: Run): string[] {
  const delegated = run.calls.findLast(({ record }) => record.phase === "delegate" && acceptedOf(run, record.callId));
  return [currentPlan(run)?.callId ?? null, delegated?.record.callId ?? null].flatMap((callId) => {
    const brief = acceptedOf(run, callId)?.brief;
    return brief && "targetPaths" in brief ? [...brief.targetPaths, ...brief.allowedPaths] : [];
  });
}

/** A folder, and a pattern up to its first `*`, names everything below it. */
function isNamed(path: string, target: string): boolean {
  const plain = target.replace(/^\.\//, "").split("*")[0] ?? "";
  const isPattern = target.includes("*");
  return isPattern
    ? path.startsWith(plain)
    : path === plain || path.startsWith(plain.endsWith("/") ? plain : `${plain}/`);
}

export interface Partaking {
  readonly path: string;
  /** The checks that read it, as commands. */
  readonly commands: readonly string[];
}

/** `planned`: whether the plan names any file. */
export function unplannedPartakers(run: Run, pass: Pass): { planned: boolean; found: Partaking[] } {
  const targets = targetPaths(run);
  const byPath = new Map<string, Set<string>>();
  for (const { command, after } of compareChecks(run, pass))
    for (const path of after.flatMap(({ partakes = [] }) => partakes))
      if (!targets.some((target) => isNamed(path, target)))
        byPath.set(path, (byPath.get(path) ?? new Set()).add(command));
  const found = [...byPath].map(([path, commands]) => ({ path, commands: [...commands] }));
  return { planned: targets.length > 0, found };
}
