// Files that a person declared as product although their names look like tests. A file of the tree counts as product
// only when it holds no test and something of the product uses it; in doubt it stays a test.
import { classifyPath } from "../../../core/patch/index.ts";
import { type TreeFiles, hasFile } from "../tree.ts";
import { asserting, code, isData, pathsIn, textsOf } from "./named-by-tests.ts";

const mostSources = 2_000;

/** The beginning of a test in the languages of `code`, also where the runner's words need no import. */
const beginsTest =
  /^\s*(?:describe|it|test|suite|context|specify|scenario)(?:\.\w+)*\s*\(|^\s*(?:async\s+)?def\s+test|^\s*class\s+Test|^\s*func\s+(?:Test|Benchmark|Fuzz|Example)|#\[(?:\w+::)*test\b|cfg\(test\)|^\s*>>> /m;

/** Files that Go and runners take for tests by their names alone. */
const testByName = /_test\.go$/;

const isTest = (path: string): boolean => classifyPath(path).kinds.includes("test");

/** Of these files, the ones that are tests of the tree, or that only its tests use. */
export async function usedByTests(tree: TreeFiles, paths: readonly string[]): Promise<string[]> {
  const there = paths.filter((path) => hasFile(tree, path));
  if (there.length === 0) return [];
  const texts = await textsOf(tree, there);
  const isPlain = (path: string): boolean => {
    const text = texts.get(path) ?? "";
    if (testByName.test(path)) return false;
    return isData(path) || (code.test(path) && !asserting.test(text) && !beginsTest.test(text));
  };
  const used = await usedByProduct(tree, there.filter(isPlain));
  return there.filter((path) => !used.has(path));
}

async function usedByProduct(tree: TreeFiles, paths: readonly string[]): Promise<Set<string>> {
  const sources = tree.paths.filter((path) => code.test(path) && !isTest(path) && !paths.includes(path));
  // Too many to be asked: nothing is taken for product.
  if (paths.length === 0 || sources.length > mostSources) return new Set();
  const texts = [...(await textsOf(tree, sources))];
  const named = new Set(texts.flatMap(([path, text]) => pathsIn(path, text)));
  const loaded = texts.flatMap(([, text]) => text.match(loads) ?? []).join("\n");
  return new Set(paths.filter((path) => meantBy(path).some((one) => named.has(one)) || loadedIn(loaded, path)));
}

/** The names of a file in a source: its own, with and without its end, and folders above it that look like tests' too. */
function meantBy(path: string): string[] {
  const parts = path.split("/");
  const folders = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
  return [path, path.replace(codeEnd, ""), ...folders.filter((folder) => classifyPath(`${folder}/x.bin`).protected)];
}

const codeEnd = /\.(?:[cm]?[jt]sx?|py|rs|rb|php)$/;

/** Lines that load modules by bare names. */
const loads = /^[ \t]*(?:from|import|use|mod|pub)\b[^\n]*/gm;

function loadedIn(lines: string, path: string): boolean {
  const stem = (path.split("/").at(-1) ?? "").replace(codeEnd, "");
  return code.test(path) && new RegExp(`\\b${stem.replaceAll(/\W/g, String.raw`\$&`)}\\b`).test(lines);
}
