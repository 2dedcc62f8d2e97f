// The files that discovery may read: those of one commit, and nothing of the checkout around it.
import { type CheckKind, type CheckSpec, parseJson, isRecord } from "../../core/contract/index.ts";
import { gitOnce, listTree, readBlobs, type Repository } from "../../platform/git/index.ts";

export interface TreeFiles {
  /** Every file of the tree, relative, with forward slashes. */
  readonly paths: readonly string[];
  /** Text of a file, or undefined when it is absent, too large or not text. */
  read(path: string): Promise<string | undefined>;
  /** The same for many at once, in order. */
  readAll?(paths: readonly string[]): Promise<readonly (string | undefined)[]>;
}

export interface DiscoveredChecks {
  readonly checks: CheckSpec[];
  readonly findings: string[];
}

export type Finder = (tree: TreeFiles) => Promise<DiscoveredChecks>;

export const nothing: DiscoveredChecks = { checks: [], findings: [] };

/** Long enough for a real suite; a check that hangs is still ended. */
export const defaultTimeoutMs = 10 * 60_000;

export function check(source: string, kind: CheckKind, argv: readonly [string, ...string[]], cwd = ""): CheckSpec {
  const name = `${(argv[0].split("/").at(-1) ?? "").replace("python3", "python")}:${nameOf(argv)}`;
  return {
    id: cwd === "" ? name : `${name}@${cwd}`,
    kind,
    argv: [...argv],
    cwd,
    source,
    timeoutMs: defaultTimeoutMs,
  };
}

/** The word that distinguishes a program's checks: the script, the module, the verb. */
function nameOf(argv: readonly string[]): string {
  const words = argv.slice(1).filter((word) => !word.startsWith("-") && word !== ".");
  const runs = ["run", "run-script", "exec"].includes(words[0] ?? "");
  return (runs ? words[1] : words[0]) ?? "all";
}

export const hasFile = (tree: TreeFiles, path: string): boolean => tree.paths.includes(path);

/** The first of several names that exists. */
export const firstOf = (tree: TreeFiles, ...names: string[]): string | undefined =>
  names.find((name) => hasFile(tree, name));

export const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");

/** Manifests of one name without another one in a folder above, at most `limit`; the root one alone when it exists. */
export function topmost(tree: TreeFiles, name: string, limit = 8): string[] {
  if (hasFile(tree, name)) return [name];
  const all = tree.paths
    .filter((path) => path.endsWith(`/${name}`) && !/(^|\/)(node_modules|vendor|fixtures?|testdata)\//.test(path))
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  const kept: string[] = [];
  for (const path of all) {
    if (kept.length >= limit) break;
    if (!kept.some((above) => path.startsWith(`${folderOf(above)}/`))) kept.push(path);
  }
  return kept;
}

/** Every manifest of one name in the project's own folders, the outermost first. */
export const everyOne = (tree: TreeFiles, name: string, limit = 50): string[] =>
  tree.paths
    .filter((path) => path === name || path.endsWith(`/${name}`))
    .filter((path) => !/(^|\/)(node_modules|vendor|fixtures?|testdata)\//.test(path))
    .toSorted((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1))
    .slice(0, limit);

export const parseJsonFile = (text: string): unknown => parseJson(text.replace(/^\uFEFF/, ""));

export interface Edit {
  readonly path: string;
  /** null removes the file. */
  readonly text: string | null;
}

export async function scriptOf(tree: TreeFiles, { argv, cwd }: CheckSpec): Promise<string> {
  const line = argv.join(" ");
  const [program, verb, name] = argv;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program) || verb !== "run" || name === undefined) return line;
  const manifest = parseJsonFile((await tree.read(cwd === "" ? "package.json" : `${cwd}/package.json`)) ?? "");
  const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  return `${line} ${typeof scripts[name] === "string" ? scripts[name] : ""}`;
}

const maxTextBytes = 1_000_000;

export async function treeFiles(repository: Repository, tree: string): Promise<TreeFiles> {
  const entries = await listTree(repository, tree);
  const byPath = new Map(entries.filter(({ mode }) => mode.startsWith("100")).map((entry) => [entry.path, entry]));
  return {
    paths: [...byPath.keys()],
    async read(path) {
      const entry = byPath.get(path);
      return entry ? readText(repository, entry.object) : undefined;
    },
    async readAll(paths) {
      const found = paths.map((path) => byPath.get(path)?.object);
      const ids = [...new Set(found.filter((id) => id !== undefined))];
      const blobs = await readBlobs(repository, ids);
      const texts = new Map(ids.map((id, index) => [id, asText(blobs[index])]));
      return found.map((id) => (id === undefined ? undefined : texts.get(id)));
    },
  };
}

async function readText(repository: Repository, object: string): Promise<string | undefined> {
  const size = await gitOnce(repository, ["cat-file", "-s", object]);
  if (Number(size.stdout.toString("utf8")) > maxTextBytes) return undefined;
  const [bytes] = await readBlobs(repository, [object]);
  return asText(bytes);
}

const asText = (bytes: Buffer | undefined): string | undefined =>
  bytes?.includes(0) === false && bytes.length <= maxTextBytes ? bytes.toString("utf8") : undefined;
