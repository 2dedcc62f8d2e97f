// Writes kept.pack: every script of the bundle within its wrapping, with the code that V8 made of it (bin/load.js).
"use strict";
const { readFileSync, readdirSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const vm = require("node:vm");
const { dist, packFile } = require("../../bin/load.js");

const wrapped = (text) => `(function (exports, require, module, __filename, __dirname) {${text}\n})`;

/** Names as the table has them: relative to the bundle's folder. */
function scripts() {
  const under = (folder) => readdirSync(join(dist, folder)).map((name) => join(folder, name));
  return [...under("."), ...under("chunks")].filter((name) => name.endsWith(".js"));
}

/** Keeps `codes` by name; what is not among them keeps the code of its outermost part, or what `before` had. */
function writePack(codes, before = new Map()) {
  const slices = [];
  const table = {};
  let at = 0;
  for (const name of scripts()) {
    const file = join(dist, name);
    const source = wrapped(readFileSync(file, "latin1"));
    const odd = source.search(/[\u0080-\u00ff]/);
    if (odd !== -1) throw new Error(`${file} is not ASCII at ${odd}`);
    const code =
      codes.get(name) ?? before.get(name) ?? new vm.Script(source, { filename: file }).createCachedData();
    table[name] = { at, source: source.length, code: code.length };
    slices.push(Buffer.from(source, "latin1"), code);
    at += source.length + code.length;
  }
  const index = Buffer.from(JSON.stringify(table), "latin1");
  const whole = [Buffer.from(String(index.length).padEnd(16), "latin1"), index, ...slices];
  // A program that runs while this is written goes on with the file it opened.
  writeFileSync(`${packFile}.${process.pid}`, Buffer.concat(whole));
  renameSync(`${packFile}.${process.pid}`, packFile);
}

/** The code kept so far, by name. */
function codesKept() {
  const whole = readFileSync(packFile);
  const length = Number(whole.latin1Slice(0, 16));
  const table = JSON.parse(whole.latin1Slice(16, 16 + length));
  return new Map(
    Object.entries(table).map(([name, { at, source, code }]) => {
      const start = 16 + length + at + source;
      return [name, whole.subarray(start, start + code)];
    }),
  );
}

exports.writePack = writePack;
exports.codesKept = codesKept;
