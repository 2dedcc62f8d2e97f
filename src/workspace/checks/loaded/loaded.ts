// What a check really loads (B-34): code that nobody can read, a file that hides another one, a built file that the build does
// not make, a declaration that contradicts its code. Each is measured by running the check, on the work and on the base commit.
import type { Doubt } from "../../../core/contract/index.ts";
import { classifyPath } from "../../../core/patch/index.ts";
import { fromBytePath, listTree, readBlobs } from "../../../platform/git/index.ts";
import { listChanges } from "../../checkout/worktree/index.ts";
import { type CheckRun, type CheckRunResult, runCheck } from "../run/run-check.ts";
import { scriptOf, treeFiles, type TreeFiles } from "../tree.ts";
import { binaryKind } from "./binaries.ts";
import { declaredBeside, readsCode } from "./declared.ts";
import { readByImport } from "./product.ts";
import { shadowsIn } from "./shadows.ts";

export interface LoadedRun extends CheckRun {
  readonly baseTree: string;
  /** Files that a person declared as product, although their names are those of tests. */
  readonly declared?: readonly string[];
  /** The result of this check on the work. */
  readonly ran: Pick<CheckRunResult, "read" | "rewritten">;
}

interface Changed {
  readonly files: TreeFiles;
  readonly added: readonly string[];
  /** Added or changed, all that are files. */
  readonly all: readonly string[];
  readonly command: string;
}

const mostFiles = 200;
const mostBytes = 20_000_000;
const mostDoubts = 5;

export async function loadedDoubts(run: LoadedRun): Promise<Doubt[]> {
  const { repository, baseTree, tree, spec } = run;
  const changes = await listChanges(repository, baseTree, tree);
  const paths = (of: typeof changes) => of.map(({ path }) => fromBytePath(path)).slice(0, mostFiles);
  const changed: Changed = {
    files: await treeFiles(repository, tree),
    added: paths(changes.filter(({ status }) => status === "A")),
    all: paths(changes.filter(({ status }) => status !== "D")),
    command: `\`${spec.argv.join(" ")}\``,
  };
  return [
    ...(await unreadable(run, changed)),
    ...(spec.kind === "test" ? await productInDisguise(run, changed) : []),
    ...(spec.kind === "test" ? await hiddenFiles(run, changed) : []),
    ...(spec.kind === "build" ? await builtOtherwise(run, changed) : []),
    ...(spec.kind === "typecheck" ? await contradicted(run, changed) : []),
  ].slice(0, mostDoubts);
}

/** A picture in the product, and any data of a test, is not run. */
const isQuestion = (path: string, kind: "code" | "media" | "other"): boolean =>
  kind === "code" || (kind === "other" && !classifyPath(path).protected);

async function unreadable({ repository, tree, ran }: LoadedRun, { all, command }: Changed): Promise<Doubt[]> {
  const read = all.filter((path) => ran.read?.includes(path) ?? true);
  if (read.length === 0) return [];
  const entries = (await listTree(repository, tree)).filter(
    ({ path, mode }) => mode !== "160000" && read.includes(path),
  );
  const blobs = await readBlobs(
    repository,
    entries.map(({ object }) => object),
  );
  return entries.flatMap(({ path }, at) => {
    const bytes = blobs[at];
    const kind = bytes && bytes.length <= mostBytes ? binaryKind(bytes) : null;
    if (kind === null || !isQuestion(path, kind)) return [];
    const what = kind === "code" ? "compiled code" : "binary";
    return [{ kind: "binary", place: path, measure: `it is ${what}, which nobody can read, and ${command} loads it` }];
  });
}

/** Files that are judged as tests, fixtures or documentation by their names. */
const disguises = new Set(["test", "fixture", "snapshot", "eval", "docs"]);
const isNoSource = (path: string): boolean => classifyPath(path).kinds.some((kind) => disguises.has(kind));

/** A file that the product loads, whatever it is called, and that it did not load on the base commit. */
async function productInDisguise(run: LoadedRun, { files, all, command }: Changed): Promise<Doubt[]> {
  const { declared = [], ran } = run;
  const watched = all.filter((path) => isNoSource(path) && !declared.includes(path) && ran.read?.includes(path));
  const modules = all.filter((path) => !isNoSource(path) && !classifyPath(path).protected);
  const read = modules.length > 0 ? await readByImport(run, modules, watched) : [];
  if (read.length === 0) return [];
  const onBase = await treeFiles(run.repository, run.baseTree);
  const old = read.filter((path) => onBase.paths.includes(path));
  const before = await readByImport(
    { ...run, tree: run.baseTree },
    modules.filter((path) => onBase.paths.includes(path)),
    old,
  );
  return read
    .filter((path) => !before.includes(path) && files.paths.includes(path))
    .map((path) => ({
      kind: "other_file",
      place: path,
      measure: `its name is one of a test, a fixture or a document, and the product loads it: a plain process that imports the changed modules reads it, as ${command} does`,
    }));
}

/** A file of the base commit that the check read there and no longer reads, because an added one of its name is read. */
async function hiddenFiles(run: LoadedRun, { files, added, command }: Changed): Promise<Doubt[]> {
  const isProduct = (path: string) => !classifyPath(path).kinds.includes("test");
  const known = new Set(added);
  const kept = files.paths.filter((path) => !known.has(path) && isProduct(path));
  const candidates = shadowsIn(added.filter(isProduct), kept);
  if (candidates.length === 0) return [];
  const watched = [...new Set(candidates.flatMap((one) => [one.added, one.hidden]))];
  const { read: now } = await runCheck({ ...run, watched });
  const suspects = candidates.filter((one) => now?.includes(one.added) && !now.includes(one.hidden));
  if (suspects.length === 0) return [];
  const hidden = [...new Set(suspects.map((one) => one.hidden))];
  const { read: before } = await runCheck({ ...run, tree: run.baseTree, watched: hidden });
  return suspects
    .filter((one) => before?.includes(one.hidden))
    .map((one) => ({
      kind: "other_file",
      place: one.hidden,
      measure: `${command} reads ${one.added}, which this work adds, and no longer reads ${one.hidden}, which it read on the base commit`,
    }));
}

/** A file that the build writes, and that is not what the build writes. On the base commit the two were the same. */
async function builtOtherwise(run: LoadedRun, { command }: Changed): Promise<Doubt[]> {
  const { rewritten } = run.ran;
  if (rewritten.length === 0) return [];
  const { rewritten: before } = await runCheck({ ...run, tree: run.baseTree, watched: rewritten });
  return rewritten
    .filter((path) => !before.includes(path))
    .map((path) => ({
      kind: "other_file",
      place: path,
      measure: `${command} makes another ${path} from the sources than this work holds; on the base commit it made the same`,
    }));
}

async function contradicted(run: LoadedRun, { files, all, command }: Changed): Promise<Doubt[]> {
  const declared = declaredBeside(all, files.paths);
  if (declared.length === 0 || !/\btsc\b/.test(await scriptOf(files, run.spec))) return [];
  const configs = await readsCode(files);
  if (configs.length === 0) return [];
  const without = declared.map((path) => ({ path, text: null }));
  const read = await runCheck({ ...run, edits: [...configs, ...without] });
  if (read.result !== "failed") return [];
  // Only the declarations make the difference.
  const believed = await runCheck({ ...run, edits: configs });
  if (believed.result !== "passed") return [];
  return declared.map((path) => ({
    kind: "other_file",
    place: path,
    measure: `${command} passes with this declaration and fails where the compiler reads the code beside it instead`,
  }));
}
