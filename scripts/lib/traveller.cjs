// A program of ours that keeps, when it ends, the code of every file it has loaded. Used by the build only.
"use strict";
const { join, relative } = require("node:path");

const [node, , program, ...args] = process.argv;
const bin = join(__dirname, "../../bin");
process.argv = [node, join(bin, `${program}.js`), ...args];
process.on("exit", () => {
  const { dist, loaded } = require(join(bin, "load.js"));
  const { codesKept, writePack } = require("./pack.cjs");
  const codes = [...loaded].map(([file, { script }]) => [relative(dist, file), script.createCachedData()]);
  writePack(new Map(codes), codesKept());
});
require(join(bin, "launch.js")).launch(program);
