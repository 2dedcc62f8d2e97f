// Starting other programs from the scripts.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

export const say = (text) => process.stderr.write(`${text}\n`);

/** Runs a program to its end and gives its exit code. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** The same, and ends this script when the program fails. */
export function mustRun(command, args, options, remedy) {
  const status = run(command, args, options);
  if (status === 0) return;
  say(`${command} ${args.join(" ")} ended with ${status}`);
  if (remedy) say(remedy);
  process.exit(status);
}

/** Whether a program of this name is on the path. */
export const isOnPath = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
