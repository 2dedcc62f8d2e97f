// Loads the bundle with the code that V8 made of it at build time. Node's own compile cache holds a module as it is
// before it runs, so each function is parsed again in every process; ours is taken after the programs have run.
"use strict";
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const vm = require("node:vm");

/** Every script loaded so far, by file. The build reads it to keep the code of what has run. */
const loaded = new Map();

function compile(file) {
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(file, "utf8")}\n})`;
  const code = `${file}.code`;
  return new vm.Script(source, {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    cachedData: fs.existsSync(code) ? fs.readFileSync(code) : undefined,
  });
}

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
