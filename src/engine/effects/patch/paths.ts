// What a path means for acceptance: which ones define the checks, which ones need their own approval, which ones are copy.
import { type PathKind, classifyPath } from "../../../patch/index.ts";

/** What decides whether work passes: taken from the base commit, and run both ways when a patch changes it. */
const defining: ReadonlySet<PathKind> = new Set([
  "test",
  "fixture",
  "snapshot",
  "eval",
  "ci",
  "manifest",
  "lockfile",
  "build",
  "lint",
  "runner",
]);

export function definesChecks(path: string, extra: readonly string[]): boolean {
  const { kinds, protected: guarded } = classifyPath(path, extra);
  const own = kinds.some((kind) => defining.has(kind));
  // A path only the user protects counts as well: they said it matters for acceptance.
  return own || (guarded && !classifyPath(path).protected);
}

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
