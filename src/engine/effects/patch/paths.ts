// What a path means for acceptance: which ones define the checks, which ones need their own approval, which ones are copy.
import type { Policy } from "../../../contract/index.ts";
import { type PathKind, classifyPath } from "../../../patch/index.ts";

/** What counts as protected beside every common layout: what the user names, and what the checks themselves run. */
export const protectedGlobs = (policy: Policy, checkFiles: readonly string[]): string[] => [
  ...policy.protectedPaths,
  ...checkFiles.filter((path) => !/[*?[\]{}]/.test(path)).map((path) => `/${path}`),
];

/**
 * What decides whether work passes is taken from the base commit, and run both ways when a patch changes it. That is
 * everything protected: a registry's settings, an environment file or a hook can weaken a check as well as a test can.
 */
export const definesChecks = (path: string, extra: readonly string[]): boolean =>
  classifyPath(path, extra).protected;

/** General signs of risk, for routing. */
const signs: readonly (readonly [PathKind, string])[] = [
  ["manifest", "dependency"],
  ["lockfile", "dependency"],
  ["dependency", "dependency"],
  ["ci", "ci"],
  ["auth", "auth"],
  ["schema", "schema"],
  ["build", "config"],
  ["lint", "config"],
  ["runner", "config"],
  ["container", "config"],
  ["environment", "config"],
  ["hook", "executes"],
  ["agent", "executes"],
  ["editor", "executes"],
  ["registry", "executes"],
  ["test", "tests"],
  ["fixture", "tests"],
  ["snapshot", "tests"],
  ["eval", "tests"],
];

export function riskSignals(paths: readonly string[], changedLines: number): string[] {
  const kinds = new Set(paths.flatMap((path) => classifyPath(path).kinds));
  const found = new Set(signs.filter(([kind]) => kinds.has(kind)).map(([, sign]) => sign));
  if (changedLines > 500 || paths.length > 30) found.add("large");
  return [...found].toSorted();
}

export const isDocs = (path: string): boolean => {
  const { kinds } = classifyPath(path);
  return kinds.includes("docs") && kinds.every((kind) => kind === "docs" || kind === "source");
};
