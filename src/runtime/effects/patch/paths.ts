// The meaning of a path for acceptance: paths that define checks, that need their own approval, that are text for people.
import { type EffectOf, type Policy, globMatches } from "../../../core/contract/index.ts";
import { type PathKind, classifyPath } from "../../../core/patch/index.ts";
import { treeFiles, usedByTests } from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";

/** Protected paths beside every common layout: those that the user names, and those that the checks run. */
export const protectedGlobs = (policy: Policy, checkFiles: readonly string[]): string[] => [
  ...policy.protectedPaths,
  ...checkFiles.filter((path) => !/[*?[\]{}]/.test(path)).map((path) => `/${path}`),
];

/**
 * Files that decide whether work passes are taken from the base commit; when a patch changes them, both versions run.
 * All protected files count: settings of a registry, an environment file or a hook can weaken a check as a test can.
 */
export const definesChecks = (path: string, extra: readonly string[]): boolean => classifyPath(path, extra).protected;

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

export interface DeclaredFiles {
  readonly taken: readonly string[];
  /** Declared, and tests all the same. */
  readonly kept: readonly string[];
}

/** Kinds that a mere name can feign. Snapshots are not among them: runners read them by their names. */
const feigned: ReadonlySet<PathKind> = new Set(["test", "fixture", "schema", "auth", "source"]);

/** Loaded by runners before or in place of others, by name. */
export const loadedByName =
  /(?:^|\/)(?:(?:conftest|__init__|[\w.-]*setup|[\w.-]*helpers?|globals?)\.\w+$|(?:__mocks?__|mocks)\/)/i;

export async function declaredFiles(
  deps: EffectDeps,
  { patch, policy, checkFiles, product }: EffectOf<"judge_patch">,
): Promise<DeclaredFiles> {
  const isProtected = (path: string) =>
    checkFiles.includes(path) || policy.protectedPaths.some((glob) => globMatches(glob, path, { ignoreCase: true }));
  const declared = patch.changedPaths.filter((path) =>
    product.globs.some((glob) => globMatches(glob, path, { anchored: true })),
  );
  const looks = declared.filter((path) => classifyPath(path).protected);
  if (looks.length === 0) return { taken: [], kept: [] };
  const byName = looks.filter((path) => {
    const { executes, kinds } = classifyPath(path);
    return executes || isProtected(path) || loadedByName.test(path) || !kinds.every((one) => feigned.has(one));
  });
  const rest = looks.filter((path) => !byName.includes(path));
  const used = await usedByTests(await treeFiles(repositoryOf(deps), product.baseTree), rest);
  return { taken: rest.filter((path) => !used.includes(path)), kept: [...byName, ...used] };
}
