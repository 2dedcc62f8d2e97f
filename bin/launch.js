// Starts a program of ours on a Node that can run it. Must parse on any Node >= 18.
"use strict";
const fs = require("node:fs");
const { isAbsolute, join } = require("node:path");

const wanted = 24;
/** The folder where a clone keeps all that its scripts make. An installed package has none. */
const made = join(__dirname, "..", ".build");

const isNewEnough = () => Number(process.versions.node.split(".")[0]) >= wanted;

/** The Node that the scripts of a clone installed beside it. An installed package has none. */
function cloneNode() {
  const modules = join(made, "node", "node_modules");
  if (!fs.existsSync(modules)) return undefined;
  const file = process.platform === "win32" ? "node.exe" : "node";
  const paths = fs.readdirSync(modules).map((name) => join(modules, name, "bin", file));
  return paths.find((path) => fs.existsSync(path));
}

function sayWhichNode(program) {
  process.stderr.write(`${program} needs Node ${wanted} or newer; this is ${process.version}.\n`);
  process.stderr.write(`Install it with your package manager, or: npm install --global node@${wanted}\n`);
}

/** Names the end of a pipe that closes when the process that started this one dies. */
const leash = "THEHOOD_LEASH_FD";

/** Runs the program again on that Node, and ends as it ends. */
function startAgain(node, program) {
  const { spawn } = require("node:child_process");
  const { isatty } = require("node:tty");
  const child = spawn(node, [join(__dirname, `${program}.js`), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: { ...process.env, [leash]: "3" },
  });
  // A key of the terminal reaches both of us, also where our input is a pipe: handed on, it would count twice.
  const fromKeys = [0, 1, 2].some((fd) => isatty(fd)) ? ["SIGINT", "SIGQUIT"] : [];
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
    process.on(signal, () => fromKeys.includes(signal) || child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`${program}: cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

/** A process that was started here ends with its starter, also when that one is killed without a word. */
function endWithStarter() {
  const fd = Number(process.env[leash]);
  delete process.env[leash];
  if (!Number.isInteger(fd) || fd < 3 || !fs.fstatSync(fd, { throwIfNoEntry: false })) return;
  const { Socket } = require("node:net");
  const held = new Socket({ fd, readable: true, writable: false });
  const end = () => process.kill(process.pid, "SIGKILL");
  held.on("error", end).on("close", end).resume().unref();
}

/** The folder for caches as each system names it; empty where the user has none. */
function userCache() {
  const { env, platform } = process;
  if (platform === "win32") return env.LOCALAPPDATA || "";
  if (env.XDG_CACHE_HOME) return env.XDG_CACHE_HOME;
  return join(require("node:os").homedir(), platform === "darwin" ? "Library/Caches" : ".cache");
}

/**
 * The folder of the compiled code, which only this user writes: code from a shared folder such as /tmp, or from the folder
 * a command happens to run in, could come from another user. A clone keeps the code in its folder for made things; an
 * installed package keeps it in the user's cache. Empty where there is none, or where Node's own variables say so.
 */
function compiledFolder() {
  if (process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE) return "";
  const folder = fs.existsSync(made) ? made : join(userCache(), "thehood");
  return isAbsolute(folder) ? join(folder, "compile-cache") : "";
}

function launch(program) {
  const isAgain = process.env[leash] !== undefined;
  if (process.env[leash]) endWithStarter();
  if (!isNewEnough()) {
    // A clone whose own Node is too old as well starts no third one.
    const node = isAgain ? undefined : cloneNode();
    if (node) return startAgain(node, program);
    sayWhichNode(program);
    process.exitCode = 1;
    return undefined;
  }
  const entry = join(__dirname, "..", "dist", `${program}.js`);
  if (!fs.existsSync(entry)) {
    process.stderr.write(`${program} is not built yet. Run: npm run build\n`);
    process.exitCode = 1;
    return undefined;
  }
  const folder = compiledFolder();
  return folder ? require("./load.js").load(entry, folder) : require(entry);
}

module.exports = { cloneNode, isNewEnough, launch, sayWhichNode, startAgain };
