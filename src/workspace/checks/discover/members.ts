// The packages of a workspace, by what its root manifest or pnpm's own file lists.
import { type TreeFiles, folderOf, isRecord } from "../tree.ts";

/** More than any workspace has whose checks a person would wait for; members that are left out are named. */
export const mostMembers = 200;

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
  return [...block.matchAll(/^[ \t]*-[ \t]*["']?([^"'#\r\n]+?)["']?[ \t]*(?:#.*)?$/gm)].map(
    (match) => match[1] ?? "",
  );
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
