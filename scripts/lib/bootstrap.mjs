// Makes a bare clone ready: its packages, a Node that is new enough, the built programs. Runs on any Node >= 18.
import { spawn } from "node:child_process";
import { existsSync, lstatSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { ensureNode } from "./node.mjs";
import { mustRun, npm, root, run, say } from "./run.mjs";

export { root };

/** Whether the packages in node_modules are those of the lock. npm writes down which ones it put there. */
function isInstalled() {
  const written = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(written)) return false;
  const { packages: there } = JSON.parse(readFileSync(written, "utf8"));
  const { packages: wanted } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // The bindings of other platforms are in the lock and not in the folder.
    if (path === "" || (optional && !there[path])) return true;
    return there[path]?.version === version;
  });
}

const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Installs the packages of the lock. A node_modules that is a link belongs to another checkout and is left alone. */
export function ensurePackages() {
  if (isLink(join(root, "node_modules")) || isInstalled()) return;
  say("Installing packages (once, about 500 MB; a minute or two) …");
  const remedy = "If package.json and the lock differ, run: npm run lock";
  mustRun(
    npm,
    ["ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"],
    { stdio: ["ignore", "ignore", "inherit"] },
    remedy,
  );
}

/** The right Node, and options with that Node first on the path of everything it starts. */
function onNode(options) {
  const node = ensureNode();
  const path = [dirname(node), join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  return { node, options: { ...options, env: { ...process.env, ...options.env, PATH: path } } };
}

/** Runs a program of ours on the right Node to its end and gives its exit code. */
export function runNode(args, given = {}) {
  const { node, options } = onNode(given);
  return run(node, args, options);
}

/** The same without blocking: other programs can run beside it. */
export function startNode(args, given = {}) {
  const { node, options } = onNode(given);
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd: root, stdio: "inherit", ...options });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "fixtures" ? [] : sourceFiles(path);
    return entry.name.endsWith(".test.ts") ? [] : [path];
  });
}

/** Builds when a source file is newer than the last build. */
export function ensureBuilt() {
  const stamp = join(root, "dist", ".built");
  const inputs = [
    ...sourceFiles("src"),
    ...sourceFiles("scripts/build"),
    "scripts/build.mjs",
    "package.json",
    "package-lock.json",
  ];
  const newest = Math.max(...inputs.map((path) => statSync(join(root, path)).mtimeMs));
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= newest) return;
  const status = runNode(["scripts/build.mjs"]);
  if (status !== 0) process.exit(status);
  writeFileSync(stamp, "");
}
