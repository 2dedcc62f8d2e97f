// Files that only tests use: expected values that a test reads, helpers that a test imports and that assert. Their names do not
// show it, so the texts of the tests are searched. A file that the product names as well belongs to the product.
import { classifyPath } from "../../../core/patch/index.ts";
import type { TreeFiles } from "../tree.ts";

const mostTests = 150;
const mostSources = 400;
const mostAbsent = 50;

const data = /\.(?:json5?|ya?ml|toml|csv|tsv|txt|xml|html?|sql|ndjson|jsonl|out|expected|golden)$/i;
export const isData = (path: string): boolean => data.test(path);
export const code = /\.(?:[cm]?[jt]sx?|py|rb|php|go|rs)$/;
/** A helper that asserts, by the library that it loads. */
export const asserting =
  /["'](?:node:)?assert(?:\/strict)?["']|["'](?:chai|expect|should|vitest|@jest\/globals|node:test|tap|ava|uvu\/assert)["']|^\s*(?:import|from)\s+(?:pytest|unittest|nose)\b|"testing"|require ["'](?:minitest|rspec)/m;

const isTest = (path: string): boolean => classifyPath(path).kinds.includes("test");

export async function namedByTests(tree: TreeFiles, isProduct: (path: string) => boolean): Promise<string[]> {
  const known = new Set(tree.paths);
  const tests = tree.paths.filter((path) => isTest(path) && code.test(path)).slice(0, mostTests);
  const named = new Set<string>();
  const absent = new Set<string>();
  for (const [path, text] of await textsOf(tree, tests))
    for (const candidate of pathsIn(path, text))
      if (isProduct(candidate) || classifyPath(candidate).protected) continue;
      else if (known.has(candidate)) named.add(candidate);
      // Expected values that are not there yet: making the file would change the test.
      else if (data.test(candidate) && candidate.includes("/") && absent.size < mostAbsent) absent.add(candidate);
  const found = [...named].filter((path) => data.test(path) || code.test(path));
  if (found.length === 0) return [...absent];
  const helpers = await textsOf(
    tree,
    found.filter((path) => code.test(path)),
  );
  const judges = found.filter((path) => data.test(path) || asserting.test(helpers.get(path) ?? ""));
  const own = judges.length === 0 ? [] : await unusedByProduct(tree, judges);
  return [...own, ...absent];
}

async function unusedByProduct(tree: TreeFiles, judges: readonly string[]): Promise<string[]> {
  const sources = tree.paths.filter((path) => code.test(path) && !isTest(path) && !judges.includes(path));
  // Too many to be asked: nothing is called a test's own.
  if (sources.length > mostSources) return [];
  const all = [...(await textsOf(tree, sources)).values()];
  const nameOf = (path: string) => (path.split("/").at(-1) ?? path).replace(/\.[cm]?[jt]sx?$|\.py$/, "");
  return judges.filter((path) => !all.some((text) => text.includes(nameOf(path))));
}

export async function textsOf(tree: TreeFiles, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = tree.readAll ? await tree.readAll(paths) : await Promise.all(paths.map((path) => tree.read(path)));
  return new Map(paths.map((path, index) => [path, texts[index] ?? ""]));
}

/** Paths of files that a text names, from its own folder or from the root. */
export function pathsIn(path: string, text: string): string[] {
  const folder = path.split("/").slice(0, -1);
  const words = [...text.matchAll(/["'`]((?:\.{1,2}\/)*[\w@][\w@./-]{0,200})["'`]/g)].map((match) => match[1] ?? "");
  return words.flatMap((word) => {
    const near = resolve(folder, word);
    const ends = /\.\w+$/.test(word) ? [""] : ["", ".js", ".ts", ".mjs", ".py"];
    return [...(near === null ? [] : ends.map((end) => near + end)), ...(word.startsWith(".") ? [] : [word])];
  });
}

function resolve(folder: readonly string[], word: string): string | null {
  const parts = [...folder];
  for (const part of word.split("/"))
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== ".") parts.push(part);
  return parts.join("/");
}
