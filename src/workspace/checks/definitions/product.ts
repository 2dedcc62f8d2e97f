// Files that a check judges and that do not define it: the project's own source, and the parts of its manifest for others.
import { type TreeFiles, isRecord, parseJsonFile } from "../tree.ts";

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
  else if (isRecord(value) && depth < 5)
    for (const one of Object.values(value)) collect(one, into, depth + 1);
}
