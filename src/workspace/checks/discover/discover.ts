// Finds the checks of a project from the files of its base commit (R-33).
import type { CheckKind, CheckPlan, CheckSpec } from "../../../core/contract/index.ts";
import { filesOf } from "../definitions/defining-files.ts";
import type { TreeFiles } from "../tree.ts";
import { findCi, findTargets } from "./targets.ts";
import {
  findDotnet,
  findElixir,
  findGo,
  findJvm,
  findRust,
  findSwift,
  findCmake,
  findDeno,
  findPhp,
  findRuby,
} from "./languages.ts";
import { findNested } from "./nested.ts";
import { findNode } from "./node.ts";
import { findPython } from "./python.ts";
import { unrunScripts } from "./unrun.ts";

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
const mostUnrun = 10;
const order: readonly CheckKind[] = ["typecheck", "lint", "test", "build", "other"];

/** The checks that the tree itself names. The kinds that `configured` covers are not reported as missing. */
export async function discoverChecks(tree: TreeFiles, configured: readonly CheckSpec[] = []): Promise<CheckPlan> {
  const found = await Promise.all(finders.map((find) => find(tree)));
  const checks = found.flatMap((one) => one.checks);
  for (const fill of [findTargets, findCmake, findCi]) {
    const covered = new Set(checks.map((check) => check.kind));
    checks.push(...(await fill(tree)).checks.filter((check) => !covered.has(check.kind)));
  }
  const nested = await findNested(tree);
  const known = new Set(checks.map(({ id }) => id));
  checks.push(...nested.checks.filter(({ id }) => !known.has(id)));
  const findings = [...found, nested].flatMap((one) => one.findings);
  const all = [...configured, ...checks];
  if (all.length === 0) findings.push("no check was found: nothing in the base commit says how to test or build it");
  else if (!all.some((check) => check.kind === "test")) findings.push("no check of kind test was found");
  for (const { command, source } of (await unrunScripts(tree, all)).slice(0, mostUnrun))
    findings.push(
      `${source.includes("#") ? source : `${command} of ${source}`} is not run; to run it with each change: thehood checks add NAME -- ${command}`,
    );
  const sorted = checks.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return { checks: await followChecks(tree, sorted), findings };
}

/** Each check with the files that define it. */
export const followChecks = (tree: TreeFiles, checks: readonly CheckSpec[]): Promise<CheckSpec[]> =>
  Promise.all(
    checks.map(async (spec) => {
      const files = await filesOf(tree, spec);
      return files.length > 0 ? { ...spec, files } : spec;
    }),
  );
