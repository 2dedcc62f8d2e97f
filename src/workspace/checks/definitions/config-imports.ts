// Files that the configuration of a runner loads: plugins, setup files, presets. They run with every test, so a change of one
// changes the check. Read from the base commit, as the configuration itself is.
import { isRecord } from "../../../core/contract/index.ts";
import { classifyPath } from "../../../core/patch/index.ts";
import { hasFile, parseJsonFile, type TreeFiles } from "../tree.ts";
import { pathsIn } from "./named-by-tests.ts";

const mostConfigs = 40;
const code = /\.(?:[cm]?[jt]sx?)$/;

const isConfig = (path: string): boolean => {
  const { kinds } = classifyPath(path);
  return kinds.includes("runner") && (code.test(path) || /(?:^|\/)\.mocharc\.|\.json5?$|\.ya?ml$/.test(path));
};

/** Fields of package.json that configure a runner. */
const runnerFields = ["jest", "mocha", "ava", "vitest", "nyc", "c8", "tap"];

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

async function manifestTexts(tree: TreeFiles): Promise<string[]> {
  const manifest = parseJsonFile((await tree.read("package.json")) ?? "");
  if (!isRecord(manifest)) return [];
  return runnerFields.flatMap((field) => textsIn(manifest[field])).map((text) => text.replace(/^<rootDir>\//, "./"));
}

const pythonConfigs =
  /(?:^|\/)(?:conftest\.py|pytest\.ini|\.pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|setup\.py)$/;

/** Modules that pytest loads by name: `pytest_plugins`, `-p name`, entry points of its plugins. */
function pluginModules(text: string): string[] {
  const listed = [...text.matchAll(/pytest_plugins\s*=\s*(?:[([]([^)\]]*)[)\]]|(["'][^"']+["']))/g)].flatMap((match) =>
    [...(match[1] ?? match[2] ?? "").matchAll(/["']([\w.]+)["']/g)].map((one) => one[1] ?? ""),
  );
  const named = [...text.matchAll(/(?:^|[\s"'])-p[\s=]*(?!no:)([A-Za-z_][\w.]*)/g)].map((match) => match[1] ?? "");
  const after = /pytest11["'\]\s]*[\]=:][^[]*/g;
  const entries = [...text.matchAll(after)].flatMap((part) =>
    [...part[0].matchAll(/=\s*["']?([A-Za-z_][\w.]*)/g)].map((match) => match[1] ?? ""),
  );
  return [...listed, ...named, ...entries];
}

function moduleFiles(tree: TreeFiles, module: string): string[] {
  const path = module.replaceAll(".", "/");
  return ["", "src/", "lib/"]
    .flatMap((folder) => [`${folder}${path}.py`, `${folder}${path}/__init__.py`])
    .filter((file) => hasFile(tree, file));
}

/** The files of the tree that the runners' configurations load, by path. */
export async function loadedByConfigs(tree: TreeFiles): Promise<string[]> {
  const found = new Set<string>();
  const texts = await manifestTexts(tree);
  for (const one of texts.flatMap((text) => pathsIn("package.json", `"${text}"`))) found.add(one);
  for (const path of tree.paths.filter(isConfig).slice(0, mostConfigs))
    for (const one of pathsIn(path, (await tree.read(path)) ?? "")) found.add(one);
  for (const path of tree.paths.filter((one) => pythonConfigs.test(one)).slice(0, mostConfigs))
    for (const module of pluginModules((await tree.read(path)) ?? ""))
      for (const file of moduleFiles(tree, module)) found.add(file);
  return [...found].filter((path) => /\.(?:[cm]?[jt]sx?|py)$/.test(path) && hasFile(tree, path));
}
