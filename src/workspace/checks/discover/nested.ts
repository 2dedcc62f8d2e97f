// Projects inside a project that its own checks do not reach: a package outside of the workspace, a crate of its own, a
// Python project below the folder that pytest searches. Their tests are needed where the work changes something in them.
import { type CheckSpec, isRecord } from "../../../core/contract/index.ts";
import {
  type Finder,
  type DiscoveredChecks,
  type TreeFiles,
  everyOne,
  folderOf,
  hasFile,
  parseJsonFile,
} from "../tree.ts";
import { findRust } from "./languages.ts";
import { memberManifests, findNode } from "./node.ts";
import { below, findPython } from "./python.ts";

const mostNested = 20;

const nestedOf = (tree: TreeFiles, name: string): string[] =>
  everyOne(tree, name, 200)
    .filter((path) => path !== name)
    .map(folderOf);

/** A workspace lists its own packages. */
async function packages(tree: TreeFiles): Promise<string[]> {
  const root = parseJsonFile((await tree.read("package.json")) ?? "");
  if (!isRecord(root) || root["workspaces"] !== undefined || hasFile(tree, "pnpm-workspace.yaml")) return [];
  return nestedOf(tree, "package.json");
}

/** Packages that the workspace leaves out: reported, and not checked. */
async function leftOut(tree: TreeFiles, taken: readonly string[]): Promise<string[]> {
  const root = parseJsonFile((await tree.read("package.json")) ?? "");
  if (!isRecord(root)) return [];
  const members = new Set((await memberManifests(tree, root)).map(folderOf));
  const isIn = (folder: string) => [...members, ...taken].some((one) => folder === one || folder.startsWith(`${one}/`));
  const folders = nestedOf(tree, "package.json").filter((folder) => !isIn(folder));
  const tested: string[] = [];
  for (const folder of folders.slice(0, mostNested)) {
    const manifest = parseJsonFile((await tree.read(`${folder}/package.json`)) ?? "");
    const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
    if (typeof scripts["test"] === "string") tested.push(folder);
  }
  return tested.length === 0 ? [] : [`packages outside of the workspace are not checked: ${tested.join(", ")}`];
}

/** A crate below a workspace is a member of it, unless it is left out or opens a workspace of its own. */
async function crates(tree: TreeFiles): Promise<string[]> {
  if (!hasFile(tree, "Cargo.toml")) return [];
  const root = (await tree.read("Cargo.toml")) ?? "";
  const left = [...(/^exclude\s*=\s*\[([^\]]*)\]/m.exec(root)?.[1] ?? "").matchAll(/"([^"]+)"/g)].map((match) =>
    (match[1] ?? "").replace(/\/$/, ""),
  );
  const folders: string[] = [];
  for (const folder of nestedOf(tree, "Cargo.toml")) {
    const own = /^\[workspace\]/m.test((await tree.read(`${folder}/Cargo.toml`)) ?? "");
    const isOut = left.some((one) => folder === one || folder.startsWith(`${one}/`));
    if (own || isOut || !/^\[workspace\]/m.test(root)) folders.push(folder);
  }
  return folders;
}

/** Without testpaths pytest looks into every folder. */
async function pythons(tree: TreeFiles): Promise<string[]> {
  const texts = await Promise.all(
    ["pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini"].map((name) => tree.read(name)),
  );
  if (!texts.some((text) => /^testpaths\s*=/m.test(text ?? ""))) return [];
  return ["pyproject.toml", "setup.py", "pytest.ini"].flatMap((name) => nestedOf(tree, name));
}

export const findNested: Finder = async (tree) => {
  const found: { checks: CheckSpec[]; findings: string[] } = { checks: [], findings: [] };
  const own = await packages(tree);
  await addNested(found, tree, own, findNode);
  found.findings.push(...(await leftOut(tree, own)));
  await addNested(found, tree, await crates(tree), findRust);
  await addNested(found, tree, await pythons(tree), findPython);
  return found;
};

async function addNested(
  found: DiscoveredChecks,
  tree: TreeFiles,
  folders: readonly string[],
  find: Finder,
): Promise<void> {
  const outermost = [...new Set(folders)].filter(
    (folder, _, all) => !all.some((above) => folder.startsWith(`${above}/`)),
  );
  for (const folder of outermost.slice(0, mostNested))
    for (const spec of (await find(below(tree, folder))).checks)
      if (spec.kind === "test") found.checks.push(placed(spec, folder));
  if (outermost.length > mostNested)
    found.findings.push(`${outermost.length - mostNested} of ${outermost.length} nested projects are not checked`);
}

function placed(spec: CheckSpec, folder: string): CheckSpec {
  const cwd = spec.cwd === "" ? folder : `${folder}/${spec.cwd}`;
  const name = spec.cwd === "" ? spec.id : spec.id.slice(0, -spec.cwd.length - 1);
  return { ...spec, id: `${name}@${cwd}`, cwd, source: `${folder}/${spec.source}`, within: folder };
}
