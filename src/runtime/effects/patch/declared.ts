// Changed files that look like tests and that a person declared as product. A file that makes programs run, that runners
// load by its name, or that the tests of the base use is not taken at that word.
import { type EffectOf, globMatches } from "../../../core/contract/index.ts";
import { type PathKind, classifyPath } from "../../../core/patch/index.ts";
import { treeFiles, usedByTests } from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";

export interface DeclaredFiles {
  readonly taken: readonly string[];
  /** Declared, and tests all the same. */
  readonly kept: readonly string[];
}

/** Kinds that a mere name can feign. Snapshots are not among them: runners read them by their names. */
const feigned: ReadonlySet<PathKind> = new Set(["test", "fixture", "schema", "auth", "source"]);

/** Loaded by runners before or in place of others, by name. */
const loadedByName =
  /(?:^|\/)(?:(?:conftest|__init__|[\w.-]*setup|[\w.-]*helpers?|globals?)\.\w+$|(?:__mocks?__|mocks)\/)/i;

export async function declaredFiles(
  deps: EffectDeps,
  { patch, policy, checkFiles, product }: EffectOf<"judge_patch">,
): Promise<DeclaredFiles> {
  const isProtected = (path: string) =>
    checkFiles.includes(path) ||
    policy.protectedPaths.some((glob) => globMatches(glob, path, { ignoreCase: true }));
  const declared = patch.changedPaths.filter((path) =>
    product.globs.some((glob) => globMatches(glob, path, { anchored: true })),
  );
  const looks = declared.filter((path) => classifyPath(path).protected);
  if (looks.length === 0) return { taken: [], kept: [] };
  const byName = looks.filter((path) => {
    const { executes, kinds } = classifyPath(path);
    return (
      executes || isProtected(path) || loadedByName.test(path) || !kinds.every((one) => feigned.has(one))
    );
  });
  const rest = looks.filter((path) => !byName.includes(path));
  const used = await usedByTests(await treeFiles(repositoryOf(deps), product.baseTree), rest);
  return { taken: rest.filter((path) => !used.includes(path)), kept: [...byName, ...used] };
}
