// Writes the types of the library: declarations of everything that src/app/library.ts reaches, into dist/types. The
// declarations of zod, which many of ours are inferred from, lie beside them: the package depends on no other.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import process from "node:process";

const ownImport = /((?:from|import\()\s*"\.{1,2}\/[^"]*)\.ts"/g;
const ownTarget = /(?:from|import\(|import)\s*"(\.{1,2}\/[^"]*)\.ts"/g;
const zodImport = /((?:from|import\()\s*)"zod"/g;
const relativeImport = /(?:from|import\()\s*"(\.{1,2}\/[^"]*)\.cjs"/g;

/** Copies a declaration of zod and all that it imports. */
function copyZod(from: string, to: string, path: string, done: Set<string>): void {
  if (done.has(path)) return;
  done.add(path);
  mkdirSync(dirname(join(to, path)), { recursive: true });
  copyFileSync(join(from, path), join(to, path));
  for (const [, target = ""] of readFileSync(join(from, path), "utf8").matchAll(relativeImport))
    copyZod(from, to, `${join(dirname(path), target)}.d.cts`, done);
}

/** The sources import each other by their own extension; a user of the types has only declarations. */
function rewrite(folder: string, name: string): boolean {
  const path = join(folder, name);
  const text = readFileSync(path, "utf8");
  const zod = relative(dirname(path), join(folder, "zod", "index.cjs"));
  const near = zod.startsWith(".") ? zod : `./${zod}`;
  writeFileSync(path, text.replaceAll(ownImport, '$1.js"').replaceAll(zodImport, `$1"${near}"`));
  return text.search(zodImport) !== -1;
}

/** The declarations that the library's own reaches; the compiler writes those of every source that it read. */
function reached(folder: string, entry: string): ReadonlySet<string> {
  const names = new Set([entry]);
  for (const name of names)
    for (const [, target = ""] of readFileSync(join(folder, name), "utf8").matchAll(ownTarget))
      names.add(`${join(dirname(name), target)}.d.ts`);
  return names;
}

export function writeTypes(root: string, dist: string): void {
  const folder = join(dist, "types");
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const words = [tsc, "-p", join(root, "tsconfig.library.json"), "--outDir", folder];
  const made = spawnSync(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
  if (made.status !== 0) throw new Error("The types of the library cannot be written");
  const names = reached(folder, join("app", "library.d.ts"));
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".d.ts") && !names.has(name)) rmSync(join(folder, name));
  const usesZod = [...names].map((name) => rewrite(folder, name)).some(Boolean);
  if (usesZod) copyZod(join(root, "node_modules", "zod"), join(folder, "zod"), "index.d.cts", new Set());
}
