// Loads the built files of a program, with the code that V8 compiled for them at earlier starts.
//
// Node's own cache has the code of a file as it was before the file ran: V8 compiles each function again at each start.
// Here the code is taken when the program ends, with all functions that were called. One file for each command holds it,
// so that a start reads only what its command needs.
"use strict";
const fs = require("node:fs");
const { basename, dirname, join } = require("node:path");
const { Script, constants } = require("node:vm");

/** A command may call other functions the next time: so many starts write its file, later ones when they load more files. */
const learningStarts = 4;
const mostWrites = 50;
/** When there are more, those of other builds are removed. */
const manyFiles = 64;

/** A small file holds everything twice, a large one is summed up. */
const marks = { twice: 0x74680004, summed: 0x74680005 };
const mostTwice = 1_048_576;
const headBytes = 16;

/** A short name that differs where the text does. */
function nameOf(text) {
  let [one, other] = [5381, 52711];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one, 33) ^ text.charCodeAt(at);
    other = Math.imul(other, 31) + text.charCodeAt(at);
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36);
}

/** The file for a command of this build. V8 refuses code of another Node or of other flags. */
function fileFor(folder, entry) {
  const { arch, argv, env, execArgv, version } = process;
  // The text of an entry names its chunks, and the name of a chunk has the hash of what is in it.
  const build = nameOf([fs.readFileSync(entry, "utf8"), version, arch, env.NODE_OPTIONS, ...execArgv].join("\n"));
  const command = /^[a-z][a-z-]{0,30}$/.test(argv[2]) ? argv[2] : "";
  return join(folder, `${build}.${command}`);
}

/** V8 reads code where its address is a multiple of eight. */
const aligned = (length) => Math.ceil(length / 8) * 8;

/** A sum over every word behind it. */
function sumOf(bytes) {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let sum = bytes.length;
  for (let at = 2; at < words.length; at += 1) sum = (Math.imul(sum, 31) + words[at]) | 0;
  return sum;
}

/**
 * V8 ends the process when it gets damaged code, at each start again. A file is synced before it gets its name, so that it is
 * whole; damage of the disk is found here. Comparing two halves costs nothing; a sum over them would cost a short command a
 * thirtieth of its time, and a module of Node's for sums more than that.
 */
function wholeOf(bytes) {
  const half = bytes.subarray(0, bytes.length / 2);
  const isWhole = {
    [marks.twice]: () => half.equals(bytes.subarray(bytes.length - half.length)) && half.length * 2 === bytes.length,
    [marks.summed]: () => bytes.readInt32LE(4) === sumOf(bytes),
  }[bytes.readInt32LE(0)];
  return isWhole?.() ? bytes : undefined;
}

/** Code that somebody else could have written is never run: V8 runs what it gets. Windows keeps a user's cache from others. */
const isOwn = ({ uid, mode }) => !process.geteuid || (uid === process.geteuid() && (mode & 0o022) === 0);

/** Also of a folder that is not there: it is made, for this user alone. */
function isOwnFolder(folder) {
  try {
    const found = fs.lstatSync(folder);
    return found.isDirectory() && isOwn(found);
  } catch ({ code }) {
    return code === "ENOENT";
  }
}

function readOwn(path) {
  const fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
  try {
    return isOwn(fs.fstatSync(fd)) ? fs.readFileSync(fd) : Buffer.alloc(headBytes);
  } finally {
    fs.closeSync(fd);
  }
}

/** The code that was kept, by file name, and how often its file was written; nothing where there is no whole file of ours. */
function readKept(path) {
  const code = new Map();
  try {
    const bytes = wholeOf(readOwn(path));
    if (!bytes) return { code, written: 0 };
    const listEnd = headBytes + bytes.readInt32LE(8);
    let at = aligned(listEnd);
    for (const [name, length] of JSON.parse(bytes.latin1Slice(headBytes, listEnd))) {
      code.set(name, bytes.subarray(at, at + length));
      at += aligned(length);
    }
    return { code, written: bytes.readInt32LE(12) };
  } catch {
    // The first start of a command, or a file that cannot be read: that costs only the time it would save.
    return { code: new Map(), written: 0 };
  }
}

function bytesOf(code, written) {
  const list = JSON.stringify([...code].map(([name, { length }]) => [name, length]));
  const listEnd = headBytes + list.length;
  const parts = [...code.values()];
  const bytes = Buffer.alloc(parts.reduce((sum, { length }) => sum + aligned(length), aligned(listEnd)));
  bytes.write(list, headBytes, "latin1");
  let at = aligned(listEnd);
  for (const part of parts) {
    part.copy(bytes, at);
    at += aligned(part.length);
  }
  const isSmall = bytes.length <= mostTwice;
  const mark = isSmall ? marks.twice : marks.summed;
  [mark, 0, list.length, written].forEach((word, index) => bytes.writeInt32LE(word, index * 4));
  if (isSmall) return Buffer.concat([bytes, bytes]);
  bytes.writeInt32LE(sumOf(bytes), 4);
  return bytes;
}

/** Step by step: Node's own way for several folders never returns below a place like /proc, which refuses them as missing. */
function makeFolder(folder, above = 4) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code === "EEXIST") return;
    if (error.code !== "ENOENT" || above === 0) throw error;
    makeFolder(dirname(folder), above - 1);
    fs.mkdirSync(folder, { mode: 0o700 });
  }
}

/** Writes a file that only this user can read, in one step for whoever reads it. */
function write(path, bytes) {
  const fresh = `${path}.${process.pid}`;
  makeFolder(dirname(path));
  try {
    fs.writeFileSync(fresh, bytes, { flag: "wx", mode: 0o600, flush: true });
    fs.renameSync(fresh, path);
  } catch (error) {
    fs.rmSync(fresh, { force: true });
    throw error;
  }
}

/** Those of other builds, and what a process that was killed had begun to write. */
function removeOthers(path) {
  const [folder, [build]] = [dirname(path), basename(path).split(".")];
  const names = fs.readdirSync(folder);
  if (names.length <= manyFiles) return;
  for (const name of names)
    if (!name.startsWith(`${build}.`) || /\.\d+$/.test(name))
      fs.rmSync(join(folder, name), { recursive: true, force: true });
}

/** Loads the entry and all that it requires, and keeps the compiled code in this folder. */
function load(entry, folder) {
  if (!isOwnFolder(folder)) return require(entry);
  const path = fileFor(folder, entry);
  const { code, written } = readKept(path);
  const scripts = new Map();
  let learns = written < learningStarts;

  function loadFile(file) {
    const known = require.cache[file];
    if (known) return known.exports;
    const [here, name] = [dirname(file), basename(file)];
    const cachedData = code.get(name);
    const text = `(function(exports,require,module,__filename,__dirname){${fs.readFileSync(file, "utf8")}\n})`;
    const script = new Script(text, {
      filename: file,
      cachedData,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    if (!cachedData || script.cachedDataRejected) learns = true;
    scripts.set(name, script);
    const made = { id: file, filename: file, exports: {}, loaded: false, children: [], paths: [] };
    require.cache[file] = made;
    try {
      const ownRequire = (id) => (id.startsWith(".") ? loadFile(join(here, id)) : require(id));
      script.runInThisContext().call(made.exports, made.exports, ownRequire, made, file, here);
      made.loaded = true;
    } finally {
      if (!made.loaded) delete require.cache[file];
    }
    return made.exports;
  }

  process.on("exit", (exitCode) => {
    // A line that no command understood has nothing to keep.
    if (!learns || written >= mostWrites || exitCode === 2) return;
    try {
      for (const [name, script] of scripts) code.set(name, script.createCachedData());
      write(path, bytesOf(code, written + 1));
      removeOthers(path);
    } catch {
      // A folder that cannot be written costs only the time it would save.
    }
  });
  return loadFile(entry);
}

module.exports = { load };
