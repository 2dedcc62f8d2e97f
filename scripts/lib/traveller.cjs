// A program of ours that keeps, when it ends, the code of every file it has loaded. Used by the build only.
"use strict";
const { renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const [node, , program, ...args] = process.argv;
const bin = join(__dirname, "../../bin");
process.argv = [node, join(bin, `${program}.js`), ...args];
process.on("exit", () => {
  for (const [file, { script }] of require(join(bin, "load.js")).loaded) {
    const made = `${file}.code.${process.pid}`;
    writeFileSync(made, script.createCachedData());
    renameSync(made, `${file}.code`);
  }
});
require(join(bin, "launch.js")).launch(program);
