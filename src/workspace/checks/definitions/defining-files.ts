// Follows a check to the files that define it: the script behind `npm test`, what that script starts, what a
// Makefile includes. A change of one of them changes the check (R-33).
import { type CheckSpec, isRecord } from "../../../core/contract/index.ts";
import { type TreeFiles, hasFile, parseJsonFile } from "../tree.ts";
import { loadedByConfigs } from "./config-imports.ts";
import { runsOfScript } from "./shell-line.ts";
import { isData, namedByTests, pathsIn } from "./named-by-tests.ts";

const mostFiles = 200;

interface Trail {
  readonly tree: TreeFiles;
  readonly found: Set<string>;
  /** Scripts and makefiles already read. */
  readonly seen: Set<string>;
  readonly isProduct: (path: string) => boolean;
}

/** Paths that define this check beside what every project's layout names. A file that is only named counts as well:
 * making it would change the check. */
export async function filesOf(tree: TreeFiles, spec: CheckSpec): Promise<string[]> {
  const trail: Trail = {
    tree,
    found: new Set(),
    seen: new Set(),
    isProduct: await productFiles(tree),
  };
  const [program, ...rest] = spec.argv;
  const line = /(?:^|\/)(?:ba|da|z)?sh$/.test(program) && rest[0] === "-c" ? (rest[1] ?? "") : spec.argv.join(" ");
  await followText(trail, line, spec.cwd);
  if (spec.kind === "test") {
    for (const path of await judgesOf(tree, trail.isProduct)) add(trail, path);
    for (const path of await loadedByConfigs(tree)) await followFile(trail, path, "");
  }
  return [...trail.found].toSorted();
}

/** The same for every check of a tree. */
const judges = new WeakMap<TreeFiles, Promise<string[]>>();

function judgesOf(tree: TreeFiles, isProduct: (path: string) => boolean): Promise<string[]> {
  const known = judges.get(tree) ?? namedByTests(tree, isProduct);
  judges.set(tree, known);
  return known;
}

async function followText(trail: Trail, text: string, cwd: string): Promise<void> {
  const { files, scripts, targets } = runsOfScript(text);
  for (const file of files) await followFile(trail, file, cwd);
  if (scripts.length > 0) await followScripts(trail, scripts, cwd);
  if (targets.length > 0)
    for (const name of ["GNUmakefile", "makefile", "Makefile", "justfile", "Justfile", ".justfile"])
      await followMakefile(trail, join(cwd, name), cwd);
}

async function followScripts(trail: Trail, names: readonly string[], cwd: string): Promise<void> {
  for (const manifest of ["package.json", "composer.json"].map((name) => join(cwd, name))) {
    const content = parseJsonFile((await trail.tree.read(manifest)) ?? "");
    const scripts = isRecord(content) && isRecord(content["scripts"]) ? content["scripts"] : {};
    for (const name of names.flatMap((one) => [`pre${one}`, one, `post${one}`])) {
      const key = `${manifest}#${name}`;
      if (!Object.hasOwn(scripts, name) || trail.seen.has(key)) continue;
      trail.seen.add(key);
      const lines = [scripts[name]].flat().filter((line) => typeof line === "string");
      await followText(trail, lines.join("\n"), cwd);
    }
  }
}

async function followMakefile(trail: Trail, path: string, cwd: string): Promise<void> {
  if (trail.seen.has(path)) return;
  trail.seen.add(path);
  const text = await trail.tree.read(path);
  if (text === undefined) return;
  for (const match of text.matchAll(/^[ \t]*(?:[s-]?include|import)[ \t]+(.+)$/gm))
    for (const name of (match[1] ?? "").trim().split(/\s+/)) {
      const included = join(cwd, name.replaceAll(/['"]/g, "").replace(/^\.\//, ""));
      if (/[$*?]/.test(included)) {
        // A pattern takes in every file that it fits, also one that the work adds beside them.
        const fits = new RegExp(
          `^${included
            .replaceAll(/[.+()|[\]{}^]/g, String.raw`\$&`)
            .replaceAll("*", "[^/]*")
            .replaceAll("?", "[^/]")}$`,
        );
        if (!included.includes("$"))
          for (const path of trail.tree.paths.filter((one) => fits.test(one))) add(trail, path);
        continue;
      }
      add(trail, included);
      await followMakefile(trail, included, cwd);
    }
  const recipes = [...text.matchAll(/^(?:[ \t]+|[^#=\n]*:[^=\n]*;)(.+)$/gm)].map((match) => match[1] ?? "");
  await followText(trail, recipes.join("\n"), cwd);
}

async function followFile(trail: Trail, name: string, cwd: string): Promise<void> {
  const named = join(cwd, name);
  const path = ["", ".js", ".mjs", ".cjs", ".ts", "/index.js"]
    .map((end) => named + end)
    .find((candidate) => hasFile(trail.tree, candidate));
  if (!add(trail, path ?? named) || path === undefined) return;
  const text = (await trail.tree.read(path)) ?? "";
  if (/\.(?:[cm]?[jt]s|py)$/.test(path)) {
    // Rules, lists and expected values that a script of the check reads.
    for (const one of pathsIn(path, text)) if (isData(one) && hasFile(trail.tree, one)) add(trail, one);
    return followImports(trail, path, text);
  }
  if (!/\.(?:sh|bash|zsh)$/.test(path) && !/^#!.*\b(?:ba|da|z)?sh\b/.test(text)) return;
  await followText(trail, text, cwd);
  // `. "$(dirname "$0")/common.sh"`: the usual way to load a file from the folder of a script.
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const match of text.matchAll(
    /(?:^|[;&|])[ \t]*(?:\.|source)[ \t]+["']?\$[^\n;]*?\/([\w.-]+(?:\/[\w.-]+)*)["']?[ \t]*(?:$|[;&|#])/gm,
  ))
    if (hasFile(trail.tree, folder + (match[1] ?? ""))) await followFile(trail, folder + (match[1] ?? ""), "");
}

/** Only files beside the script or below it: files elsewhere are the ones that it judges. */
async function followImports(trail: Trail, path: string, text: string): Promise<void> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  if (path.endsWith(".py"))
    for (const match of text.matchAll(/^[ \t]*(?:from|import)[ \t]+\.?([\w.]+)/gm)) {
      const beside = `${folder}${(match[1] ?? "").replaceAll(".", "/")}.py`;
      if (folder !== "" && hasFile(trail.tree, beside)) await followFile(trail, beside, "");
    }
  if (folder === "") return;
  for (const match of text.matchAll(/(?:from|import|require)\s*\(?\s*["']\.\/([\w./-]+)["']/g))
    if (!match[1]?.includes("..")) await followFile(trail, folder + (match[1] ?? ""), "");
}

/** True when it is new. */
function add(trail: Trail, path: string): boolean {
  if (trail.found.size >= mostFiles || trail.found.has(path) || path.split("/").includes("..")) return false;
  if (/(?:^|\/)node_modules\//.test(path) || trail.isProduct(path)) return false;
  trail.found.add(path);
  return true;
}

const join = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

const sources = /^(?:(?:packages|apps|modules|crates)\/[^/]+\/)?(?:src|lib|app|source)\//;

export async function productFiles(tree: TreeFiles): Promise<(path: string) => boolean> {
  const manifest = parseJsonFile((await tree.read("package.json")) ?? "");
  const offered = new Set<string>();
  if (isRecord(manifest))
    for (const field of ["main", "module", "browser", "bin", "exports"]) collect(manifest[field], offered, 0);
  return (path) => sources.test(path) || offered.has(path);
}

function collect(value: unknown, into: Set<string>, depth: number): void {
  if (typeof value === "string") into.add(value.replace(/^\.\//, ""));
  else if (isRecord(value) && depth < 5) for (const one of Object.values(value)) collect(one, into, depth + 1);
}
