// Writes the types of the library: declarations of everything that src/app/library.ts reaches, into dist/types.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const relativeImport = /((?:from|import\()\s*"\.{1,2}\/[^"]*)\.ts"/g;

export function writeTypes(root: string, dist: string): void {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const made = spawnSync(
    process.execPath,
    [tsc, "-p", join(root, "tsconfig.library.json"), "--outDir", join(dist, "types")],
    {
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  if (made.status !== 0) throw new Error("The types of the library cannot be written");
  const folder = join(dist, "types");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(folder, name);
    // The sources import each other by their own extension; whoever uses the types has only declarations.
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(relativeImport, '$1.js"'));
  }
}
