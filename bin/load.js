// Loads the bundle with the code that V8 made of it at build time. Node's own compile cache holds a module as it is
// before it runs, so each function is parsed again in every process; ours is taken after the programs have run. Sources
// and code lie in one file, kept.pack: a start reads slices of it instead of opening a hundred files.
"use strict";
const fs = require("node:fs");
const { dirname, join } = require("node:path");
const vm = require("node:vm");

const dist = join(__dirname, "..", "dist");
const packFile = join(dist, "kept.pack");

/** Every script loaded so far, by file. The build reads it to keep the code of what has run. */
const loaded = new Map();

/** A pack is the length of its table in sixteen characters, the table, and the slices that it names. */
function openPack() {
  try {
    const opened = fs.openSync(packFile, "r");
    const length = Number(slice(opened, 0, 16).latin1Slice());
    return { opened, table: JSON.parse(slice(opened, 16, length).latin1Slice()), start: 16 + length };
  } catch {
    return undefined;
  }
}

function slice(opened, at, length) {
  const bytes = Buffer.allocUnsafeSlow(length);
  let read = 0;
  while (read < length) {
    const more = fs.readSync(opened, bytes, read, length - read, at + read);
    if (more === 0) throw new Error(`${packFile} is cut short`);
    read += more;
  }
  return bytes;
}

const pack = openPack();

/** `source` is the file within its wrapping, all ASCII; `code` is empty where none is kept. */
function kept(file) {
  const { at, source, code } = pack.table[file.slice(dist.length + 1)];
  const bytes = slice(pack.opened, pack.start + at, source + code);
  return {
    source: bytes.latin1Slice(0, source),
    code: code > 0 ? bytes.subarray(source) : undefined,
  };
}

function compile(file) {
  const { source, code } = kept(file);
  // The bundle has no import(): a loader for it would be registered with every script.
  return new vm.Script(source, { filename: file, cachedData: code });
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

exports.dist = dist;
exports.packFile = packFile;
exports.loaded = loaded;
exports.load = (entry) => {
  const script = pack && compile(entry);
  // Another Node than the one that built it: its own cache is next best.
  if (!script || script.cachedDataRejected !== false) {
    require("node:module").enableCompileCache?.();
    return require(entry);
  }
  return run(entry, script);
};
