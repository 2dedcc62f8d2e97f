// Lends a scratch tree the installed dependencies of the checkout, which git does not carry. A tree that is shown at the
// checkout's own path gets them at their own paths, read-only; any other gets links. Nothing is copied.
import { promises } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { ShownFolder } from "../../../core/contract/index.ts";

/** Folders that package managers fill and git ignores, by the manifest in the same folder. */
const lent: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^package\.json$/, ["node_modules"]],
  [/^(pyproject\.toml|setup\.py|setup\.cfg|requirements.*\.txt|Pipfile|tox\.ini|pytest\.ini)$/, [".venv", "venv"]],
  [/^(composer\.json|go\.mod|Gemfile)$/, ["vendor"]],
  [/^mix\.exs$/, ["deps"]],
  [/^noxfile\.py$/, [".nox", ".venv"]],
];

const maxManifests = 500;

interface LentDependencies {
  /** Folders of programs to put in front of PATH. */
  readonly programs: readonly string[];
  /** To be mounted; empty where the tree has links. */
  readonly lent: ShownFolder["lent"];
}

/** `paths` are the files of the tree that was checked out in `scratch`; `shown`: it is seen at the checkout's own path. */
export async function mountDependencies(
  checkout: string,
  scratch: string,
  paths: readonly string[],
  shown = false,
): Promise<LentDependencies> {
  const lending: { path: string; from: string }[] = [];
  const wanted = new Set<string>([".venv", "venv"]);
  for (const path of paths) {
    const cut = path.lastIndexOf("/");
    const rule = lent.find(([pattern]) => pattern.test(path.slice(cut + 1)));
    if (rule && wanted.size < maxManifests) for (const name of rule[1]) wanted.add(path.slice(0, cut + 1) + name);
  }
  const programs: string[] = [];
  for (const folder of wanted) {
    const from = join(checkout, folder);
    const to = join(scratch, folder);
    if (!(await isFolder(from)) || (await exists(to)) || !(await exists(dirname(to)))) continue;
    if (shown && folder.endsWith("node_modules")) lending.push(...(await lendModules(from, to, folder)));
    else if (shown) lending.push(...(await mountPoint(from, to, folder)));
    else if (folder.endsWith("node_modules")) await mirror({ checkout, scratch }, from, to);
    else await promises.symlink(from, to);
    if (/(^|\/)\.?venv$/.test(folder)) programs.push(join(shown ? from : to, "bin"));
  }
  return { programs, lent: lending };
}

async function mountPoint(from: string, to: string, path: string): Promise<{ path: string; from: string }[]> {
  await promises.mkdir(to);
  return [{ path, from: await promises.realpath(from) }];
}

/** The kernel needs longer for each further mount; above this a folder is lent in one piece, and linked into. */
const mostMounts = 60;
/** No package can have this name. */
const inOnePiece = "_installed/node_modules";

/** A folder of its own, which tools may write to, with every package in its place. */
async function lendModules(from: string, to: string, path: string): Promise<{ path: string; from: string }[]> {
  const entries = (await promises.readdir(from, { withFileTypes: true })).filter(({ name }) => !isCache(name));
  const few = entries.filter((entry) => entry.isDirectory()).length <= mostMounts;
  await promises.mkdir(few ? to : join(to, inOnePiece), { recursive: true });
  const lending = few ? [] : [{ path: join(path, inOnePiece), from: await promises.realpath(from) }];
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) await promises.symlink(await promises.readlink(source), target);
    else if (!entry.isDirectory()) await promises.copyFile(source, target);
    else if (few) lending.push(...(await mountPoint(source, target, join(path, entry.name))));
    else if (entry.name === ".bin" || entry.name.startsWith("@")) await linkEntries(source, target, entry.name);
    else await promises.symlink(join(inOnePiece, entry.name), target);
  }
  return lending;
}

/** The links of `.bin` and the packages of a scope, one level deeper. */
async function linkEntries(from: string, to: string, name: string): Promise<void> {
  await promises.mkdir(to);
  for (const entry of await promises.readdir(from, { withFileTypes: true }))
    await promises.symlink(
      entry.isSymbolicLink()
        ? await promises.readlink(join(from, entry.name))
        : join("..", inOnePiece, name, entry.name),
      join(to, entry.name),
    );
}

const exists = async (path: string): Promise<boolean> =>
  (await promises.lstat(path).catch(ignoreMissing)) !== undefined;

async function isFolder(path: string): Promise<boolean> {
  const real = await promises.realpath(path).catch(ignoreMissing);
  return real !== undefined && (await promises.lstat(real)).isDirectory();
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}

/** Caches are written while checks run; a scratch tree gets its own. */
const isCache = (name: string): boolean => /^\.(cache|vite.*|vitest.*|tmp)$/.test(name);

/**
 * A folder of links rather than one link: a workspace package that the manager linked from the checkout must come from
 * the scratch tree instead, and what tools write into node_modules must not reach the checkout.
 */
async function mirror(roots: { checkout: string; scratch: string }, from: string, to: string): Promise<void> {
  await promises.mkdir(to);
  for (const entry of await promises.readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (isCache(entry.name)) continue;
    if (entry.isDirectory() && (entry.name.startsWith("@") || entry.name === ".bin"))
      await mirror(roots, source, target);
    else if (entry.isSymbolicLink()) await promises.symlink(await relink(roots, source), target);
    else await promises.symlink(source, target);
  }
}

async function relink({ checkout, scratch }: { checkout: string; scratch: string }, link: string): Promise<string> {
  const target = await promises.readlink(link);
  // Programs point at their package by a short relative way that holds in the mirror as well.
  if (dirname(link).endsWith(`${sep}.bin`) && !target.startsWith("/")) return target;
  const real = await promises.realpath(link).catch(ignoreMissing);
  if (real === undefined) return target;
  const inside = relative(await promises.realpath(checkout), real);
  const isOwn = !inside.startsWith("..") && !inside.split(sep).includes("node_modules");
  return isOwn ? join(scratch, inside) : link;
}
