// Writes package-lock.json for package.json, with the bindings of every platform.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { completeLock, missingBindings, type Lock } from "./complete.ts";

const root = join(import.meta.dirname, "../..");
const path = join(root, "package-lock.json");
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const made = spawnSync(npm, ["install", "--package-lock-only", "--loglevel=error"], {
  cwd: root,
  stdio: "inherit",
});
if (made.status !== 0) process.exit(made.status ?? 1);
const lock = JSON.parse(readFileSync(path, "utf8")) as Lock;
console.log(`${missingBindings(lock).length} bindings of other platforms added`);
writeFileSync(path, `${JSON.stringify(completeLock(lock), null, 2)}\n`);
