// Changed files that take part in a check although no plan names them: such a file may be a part of the judge, whatever it
// is called.
import { acceptedOf, currentPlan } from "../facts/index.ts";
import type { Pass, Run } from "../state/index.ts";
import { compareChecks } from "./check-comparison.ts";

/** The files and folders that the plan and the delegation name. */
function targetPaths(run: Run): string[] {
  const delegated = run.calls.findLast(
    ({ record }) => record.phase === "delegate" && acceptedOf(run, record.callId),
  );
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
