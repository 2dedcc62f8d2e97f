// Finds the checks of a project from the files of its base commit.
import type { CheckKind, CheckPlan, CheckSpec } from "../../../contract/index.ts";
import { findDotnet, findElixir, findGo, findJvm, findRust, findSwift } from "./compiled.ts";
import { findNode } from "./node.ts";
import { findPython } from "./python.ts";
import { findDeno, findPhp, findRuby } from "./scripting.ts";
import { findTargets } from "./targets.ts";
import { type TreeFiles, defaultTimeoutMs } from "./tree.ts";

export type { TreeFiles } from "./tree.ts";

/** A check the user or the repository's configuration asks for; it stands in place of discovery. */
export interface ConfiguredCheck {
  readonly command: string;
  readonly kind?: CheckKind | undefined;
  readonly cwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

const finders = [
  findNode,
  findPython,
  findRust,
  findGo,
  findJvm,
  findDotnet,
  findSwift,
  findElixir,
  findPhp,
  findRuby,
  findDeno,
];
const order: readonly CheckKind[] = ["typecheck", "lint", "test", "build", "other"];

export async function discoverChecks(tree: TreeFiles): Promise<CheckPlan> {
  const found = await Promise.all(finders.map((find) => find(tree)));
  const checks = found.flatMap((one) => one.checks);
  const covered = new Set(checks.map((check) => check.kind));
  const targets = await findTargets(tree);
  checks.push(...targets.checks.filter((check) => !covered.has(check.kind)));
  const findings = found.flatMap((one) => one.findings);
  if (checks.length === 0)
    findings.push("no check was found: nothing in the base commit says how to test or build it");
  else if (!checks.some((check) => check.kind === "test")) findings.push("no check of kind test was found");
  return { checks: checks.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)), findings };
}

export function configuredChecks(list: readonly ConfiguredCheck[], source: string): CheckSpec[] {
  return list.map((one, index) => ({
    id: `${source}#${index + 1}`,
    kind: one.kind ?? guessKind(one.command),
    label: one.command,
    argv: ["bash", "-c", one.command],
    cwd: one.cwd ?? "",
    source,
    timeoutMs: one.timeoutMs ?? defaultTimeoutMs,
  }));
}

function guessKind(command: string): CheckKind {
  if (/\b(tsc|mypy|typecheck|pyright)\b/.test(command)) return "typecheck";
  if (/\b(lint|eslint|ruff|clippy|vet)\b/.test(command)) return "lint";
  if (/\b(test|pytest|jest|vitest|rspec|spec)\b/.test(command)) return "test";
  return /\b(build|make)\b/.test(command) ? "build" : "other";
}
