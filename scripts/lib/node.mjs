// The Node that runs our programs in a clone: the running one when it is new enough, else one from npm in .build/node.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { mustRun, npm, root, say } from "./run.mjs";

const { cloneNode, isNewEnough, sayWhichNode } = createRequire(import.meta.url)("../../bin/launch.js");

/** Installs by the lock in scripts/node, which pins each platform's Node by its hash. */
function install() {
  const folder = join(root, ".build", "node");
  say(`Installing Node 24 into .build/node (about 120 MB), because this is ${process.version} …`);
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(join(root, "scripts", "node", name), join(folder, name));
  const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  mustRun(npm, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  // The headers are a third of its size, and only native modules are compiled with them.
  const modules = join(folder, "node_modules");
  for (const name of readdirSync(modules).filter((entry) => !entry.startsWith(".")))
    for (const part of ["include", "share", "CHANGELOG.md"])
      rmSync(join(modules, name, part), { recursive: true, force: true });
}

/** The path of a Node that is new enough. */
export function ensureNode() {
  if (isNewEnough()) return process.execPath;
  if (!cloneNode()) install();
  const node = cloneNode();
  if (node) return node;
  sayWhichNode("TheHood");
  process.exit(1);
}
