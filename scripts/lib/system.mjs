// System programs that tests and measurements use.
import { existsSync } from "node:fs";
import process from "node:process";
import { isOnPath, run, say } from "./run.mjs";

/** Installs them on Debian as root; elsewhere the tests that need them report themselves as skipped. */
export function ensureSystem(programs) {
  const names = programs.filter(({ program }) => !isOnPath(program)).map(({ name }) => name);
  if (names.length === 0) return;
  const debian = existsSync("/etc/debian_version") && process.getuid?.() === 0 && isOnPath("apt-get");
  if (!debian) {
    say(`Not installed here: ${names.join(", ")}. Tests that need them are reported as skipped.`);
    return;
  }
  say(`Installing with apt-get, because this is root on Debian: ${names.join(", ")} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { stdio: ["ignore", "ignore", "inherit"], env };
  run("apt-get", ["update", "-qq"], options);
  if (run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], options) !== 0)
    say(`apt-get could not install ${names.join(", ")}; tests that need them are reported as skipped.`);
}
