// Makes a bare clone ready: its packages, a Node that is new enough, the built programs. Runs on any Node >= 18.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { ensureNode } from "./node.mjs";
import { dropBuildPackages, ensureBuildPackages, ensurePackages } from "./packages.mjs";
import { root, run } from "./run.mjs";

export { ensurePackages, root };

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

/** Whether the last build is newer than every source file, and has what is wanted of it. */
function isBuilt(wanted) {
  const stamp = join(root, "dist", ".built");
  const inputs = [
    ...sourceFiles("src"),
    ...sourceFiles("scripts/build"),
    "scripts/build.mjs",
    "package.json",
    "package-lock.json",
  ];
  if (!existsSync(stamp) || !readFileSync(stamp, "utf8").startsWith(wanted)) return false;
  return statSync(stamp).mtimeMs >= Math.max(...inputs.map((path) => statSync(join(root, path)).mtimeMs));
}

function build(args) {
  const status = runNode(args);
  if (status !== 0) process.exit(status);
}

/** Builds when a source file is newer than the last build. */
export function ensureBuilt() {
  if (!isBuilt("all")) build(["scripts/build.mjs"]);
}

/** Builds the programs without the types of the library, with the packages of the build alone where none are installed. */
export function ensurePrograms() {
  if (isBuilt("")) return;
  ensureBuildPackages();
  build(["scripts/build/make.ts", "--no-types"]);
  dropBuildPackages();
}
