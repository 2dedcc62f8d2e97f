// Suites of the project that read the change and that no check runs: "no check fails" says nothing about them.
import type { Doubt, Policy } from "../../../core/contract/index.ts";
import {
  changedSource,
  readingTests,
  treeFiles,
  type UnrunScript,
  unrunScripts,
} from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { planChecks } from "./discover.ts";

const mostDoubts = 5;
const remedy = "to run it with each change: thehood checks add NAME -- COMMAND";

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => folder === "" || path === folder || path.startsWith(`${folder}/`));

/** One doubt for each suite whose files load a changed file, or whose package needs a changed one. */
export async function scopeDoubts(
  deps: EffectDeps,
  { baseTree, tree, policy }: { readonly baseTree: string; readonly tree: string; readonly policy: Policy },
): Promise<Doubt[]> {
  // Checks that the user named instead of those of the project are the user's own choice of scope.
  if (!policy.discoverChecks) return [];
  const repository = repositoryOf(deps);
  const files = await treeFiles(repository, baseTree);
  const unrun = await unrunScripts(files, (await planChecks(repository, baseTree, policy)).checks);
  if (unrun.length === 0) return [];
  const { files: changed } = await changedSource(repository, baseTree, tree);
  const spec = { cwd: "", files: [] };
  const reading = await readingTests({ repository, base: baseTree, tree, spec, changed, withNew: true });
  const paths = changed.map(({ path }) => path);
  return unrun.flatMap((one) => scopeDoubt(one, reading, paths)).slice(0, mostDoubts);
}

function scopeDoubt(
  { command, source, paths, needs }: UnrunScript,
  reading: readonly string[],
  changed: readonly string[],
) {
  const tests = reading.filter((path) => isBelow(path, paths));
  const needed = changed.filter((path) => isBelow(path, needs) && !isBelow(path, paths));
  if (tests.length === 0 && needed.length === 0) return [];
  const why = tests.length > 0 ? `${tests[0]} reads the change` : `its package needs the one of ${needed[0]}`;
  const measure = `${why}, and no check runs it; ${remedy}`;
  return [{ kind: "scope" as const, place: `\`${command}\` (${source})`, measure }];
}
