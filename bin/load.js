// Loads the bundle with the code that V8 made of it at build time. Node's own compile cache holds a module as it is
// before it runs, so each function is parsed again in every process; ours is taken after the programs have run.
"use strict";
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const vm = require("node:vm");

/** Every script loaded so far, by file. The build reads it to keep the code of what has run. */
const loaded = new Map();

const head = Buffer.from("(function (exports, require, module, __filename, __dirname) {");
const tail = Buffer.from("\n})");

/** The file within its wrapping, as one string made once: a joined one would be copied again. The bundle is ASCII. */
function sourceOf(file) {
  const opened = fs.openSync(file, "r");
  try {
    const { size } = fs.fstatSync(opened);
    const bytes = Buffer.allocUnsafe(head.length + size + tail.length);
    head.copy(bytes);
    const end = head.length + fs.readSync(opened, bytes, head.length, size, 0);
    tail.copy(bytes, end);
    return bytes.latin1Slice(0, end + tail.length);
  } finally {
    fs.closeSync(opened);
  }
}

function codeOf(file) {
  try {
    return fs.readFileSync(`${file}.code`);
  } catch {
    return undefined;
  }
}

const compile = (file) =>
  new vm.Script(sourceOf(file), {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    cachedData: codeOf(file),
  });

function run(file, script) {
  const module = { exports: {} };
  loaded.set(file, { script, module });
  const folder = dirname(file);
  const get = (name) => (name.startsWith(".") ? use(join(folder, name)) : require(name));
  script.runInThisContext()(module.exports, get, module, file, folder);
  return module.exports;
}

const use = (file) => loaded.get(file)?.module.exports ?? run(file, compile(file));

exports.compile = compile;
exports.loaded = loaded;
exports.load = (entry) => {
  const script = compile(entry);
  // Another Node than the one that built it: its own cache is next best.
  if (script.cachedDataRejected !== false) {
    require("node:module").enableCompileCache?.();
    return require(entry);
  }
  return run(entry, script);
};
