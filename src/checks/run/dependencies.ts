// Lends a scratch tree the installed dependencies of the checkout, which git does not carry. Links only; nothing is copied.
import { promises } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Folders that package managers fill and git ignores, by the manifest that stands beside them. */
const lent: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^package\.json$/, ["node_modules"]],
  [
    /^(pyproject\.toml|setup\.py|setup\.cfg|requirements.*\.txt|Pipfile|tox\.ini|pytest\.ini)$/,
    [".venv", "venv"],
  ],
  [/^(composer\.json|go\.mod|Gemfile)$/, ["vendor"]],
  [/^mix\.exs$/, ["deps"]],
];

const maxManifests = 500;

interface LentDependencies {
  /** Folders of programs to put in front of PATH. */
  readonly programs: readonly string[];
}

/** `paths` are the files of the tree that was checked out in `scratch`. */
export async function lendDependencies(
  checkout: string,
  scratch: string,
  paths: readonly string[],
): Promise<LentDependencies> {
  const wanted = new Set<string>([".venv", "venv"]);
  for (const path of paths) {
    const cut = path.lastIndexOf("/");
    const rule = lent.find(([pattern]) => pattern.test(path.slice(cut + 1)));
    if (rule && wanted.size < maxManifests)
      for (const name of rule[1]) wanted.add(path.slice(0, cut + 1) + name);
  }
  const programs: string[] = [];
  for (const folder of wanted) {
    const from = join(checkout, folder);
    const to = join(scratch, folder);
    if (!(await isFolder(from)) || (await exists(to)) || !(await exists(dirname(to)))) continue;
    if (folder.endsWith("node_modules")) await mirror({ checkout, scratch }, from, to);
    else await promises.symlink(from, to);
    if (/(^|\/)\.?venv$/.test(folder)) programs.push(join(to, "bin"));
  }
  return { programs };
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

async function relink(
  { checkout, scratch }: { checkout: string; scratch: string },
  link: string,
): Promise<string> {
  const target = await promises.readlink(link);
  // Programs point at their package by a short relative way that holds in the mirror as well.
  if (dirname(link).endsWith(`${sep}.bin`) && !target.startsWith("/")) return target;
  const real = await promises.realpath(link).catch(ignoreMissing);
  if (real === undefined) return target;
  const inside = relative(await promises.realpath(checkout), real);
  const isOwn = !inside.startsWith("..") && !inside.split(sep).includes("node_modules");
  return isOwn ? join(scratch, inside) : link;
}
