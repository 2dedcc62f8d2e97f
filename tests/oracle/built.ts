// The built programs, made anew when a source file is newer. Two test files may want it at one moment: one builds.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
export const bin = join(root, "bin", "oracle.js");
const dist = join(root, "dist");
const scripted = join(root, ".build", "scripted");
/** `oracle` that plays a scripted page when ORACLE_BROWSER_DOUBLE names a script. */
export const scriptedBin = join(scripted, "oracle.js");

function newest(folder: string): number {
  const times = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !/\.(test|fuzz|crash)\.ts$/.test(entry.name))
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(...times);
}

const isNewerThan = (folder: string, ...sources: string[]): boolean => {
  const stamp = join(folder, ".built");
  return (
    existsSync(stamp) && statSync(stamp).mtimeMs >= Math.max(...sources.map((source) => newest(join(root, source))))
  );
};
const isFresh = (folder: string): boolean =>
  folder === dist ? isNewerThan(dist, "src") : isNewerThan(scripted, "src", "tests/support");
const allFresh = () => isFresh(dist) && isFresh(scripted);

function build(folder: string, ...entries: string[]): void {
  const args = entries.length > 0 ? ["--out", folder, ...entries] : [];
  const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs"), ...args], {
    cwd: root,
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stderr}`);
}

/** Looked at once in a process: a look reads the times of all source files. */
let isBuilt = false;

export function ensureBuilt(): void {
  if (isBuilt) return;
  const lock = join(root, ".build", "building");
  mkdirSync(join(root, ".build"), { recursive: true });
  for (let tries = 0; !allFresh(); tries += 1) {
    try {
      mkdirSync(lock);
    } catch {
      // Somebody else builds; a lock that stays for a minute was left by a killed test.
      if (tries > 600) rmdirSync(lock);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      continue;
    }
    try {
      // What is fresh is left as it is: other tests run it right now.
      if (!isFresh(dist)) build(dist);
      if (!isFresh(scripted)) build(scripted, `oracle=${join(import.meta.dirname, "scripted-program.ts")}`);
    } finally {
      rmdirSync(lock);
    }
  }
  isBuilt = true;
}
