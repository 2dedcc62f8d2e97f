// Node projects: the scripts of package.json, run by the package manager the project uses.
import { type CheckKind, type CheckSpec, isRecord } from "../../../core/contract/index.ts";
import { type Finder, type TreeFiles, check, folderOf, hasFile, parseJsonFile, topmost } from "../tree.ts";
import { isHollow } from "./hollow.ts";

/** For each kind the names projects use, best first. */
const scriptNames: readonly (readonly [CheckKind, readonly string[]])[] = [
  ["typecheck", ["typecheck", "type-check", "types:check", "check:types", "check-types", "types", "tsc"]],
  // A script that only looks goes before one that may write.
  ["lint", ["lint:check", "check:lint", "lint:ci", "lint"]],
  ["test", ["test", "test:unit", "tests"]],
  ["build", ["build"]],
];

export const findNode: Finder = async (tree) => {
  const found: Mutable = { checks: [], findings: [] };
  for (const path of topmost(tree, "package.json")) {
    const manifest = await addScripts(tree, path, found, new Set());
    if (path !== "package.json" || !manifest) continue;
    // The packages of a workspace check what its root does not.
    const covered = new Set(found.checks.map(({ kind }) => kind));
    const members = await memberManifests(tree, manifest);
    for (const member of members.slice(0, mostMembers)) await addScripts(tree, member, found, covered);
    if (members.length > mostMembers)
      found.findings.push(
        `${members.length - mostMembers} of ${members.length} packages of the workspace are not checked`,
      );
  }
  return found;
};

interface Mutable {
  readonly checks: CheckSpec[];
  readonly findings: string[];
}

async function addScripts(
  tree: TreeFiles,
  path: string,
  { checks, findings }: Mutable,
  covered: ReadonlySet<CheckKind>,
): Promise<Record<string, unknown> | undefined> {
  const manifest = parseJsonFile((await tree.read(path)) ?? "");
  if (!isRecord(manifest)) {
    findings.push(`${path} cannot be read, so its scripts are not run`);
    return undefined;
  }
  const scripts = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const manager = managerOf(tree, folderOf(path), manifest["packageManager"]);
  for (const [kind, names] of scriptNames) {
    const name = names.find((candidate) => typeof scripts[candidate] === "string");
    if (!name || covered.has(kind)) continue;
    if (isHollow(String(scripts[name]))) findings.push(`${path} script "${name}" judges nothing`);
    checks.push(check(`${path}#scripts.${name}`, kind, [manager, "run", name], folderOf(path)));
  }
  return manifest;
}

const locks = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
] as const;

function managerOf(tree: TreeFiles, folder: string, declared: unknown): string {
  const named = typeof declared === "string" ? /^(npm|pnpm|yarn|bun)@/.exec(declared)?.[1] : undefined;
  if (named) return named;
  for (const at of folder === "" ? [""] : [`${folder}/`, ""])
    for (const [lock, manager] of locks) if (hasFile(tree, `${at}${lock}`)) return manager;
  return "npm";
}

/** More than any workspace has whose checks a person would wait for; members that are left out are named. */
const mostMembers = 200;

/** Manifests of member packages, sorted by path. */
export async function memberManifests(tree: TreeFiles, root: Record<string, unknown>): Promise<string[]> {
  const patterns = [...listed(root["workspaces"]), ...(await pnpmPackages(tree))];
  const taken = patterns.filter((pattern) => !pattern.startsWith("!")).map(asPattern);
  const left = patterns.filter((pattern) => pattern.startsWith("!")).map((one) => asPattern(one.slice(1)));
  return tree.paths
    .filter((path) => path.endsWith("/package.json") && !/(?:^|\/)node_modules\//.test(path))
    .filter((path) => taken.some((one) => one.test(folderOf(path))))
    .filter((path) => !left.some((one) => one.test(folderOf(path))))
    .toSorted();
}

function listed(workspaces: unknown): string[] {
  const list = isRecord(workspaces) ? workspaces["packages"] : workspaces;
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

/** The list under `packages:`, as people write it. */
async function pnpmPackages(tree: TreeFiles): Promise<string[]> {
  const text = (await tree.read("pnpm-workspace.yaml")) ?? "";
  const block = /^packages:[ \t]*\r?\n((?:[ \t]*(?:-.*|#.*)?\r?\n?)+)/m.exec(text)?.[1] ?? "";
  return [...block.matchAll(/^[ \t]*-[ \t]*["']?([^"'#\r\n]+?)["']?[ \t]*(?:#.*)?$/gm)].map((match) => match[1] ?? "");
}

function asPattern(glob: string): RegExp {
  const body = glob
    .slice(0, 300)
    .replace(/^\.\//, "")
    .replace(/\/+$/, "")
    .split(/(\*\*|\*)/)
    .map((part) =>
      part === "**" ? ".*" : part === "*" ? "[^/]*" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    );
  return new RegExp(`^${body.join("")}$`);
}
