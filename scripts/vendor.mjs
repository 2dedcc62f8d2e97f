// node scripts/vendor.mjs: copies the grammar of the shell from the installed npm package into vendor/, with its licence and version.
// A test compares the two.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages, root } from "./lib/bootstrap.mjs";

ensurePackages();
const [from, to] = ["node_modules", "vendor"].map((folder) => join(root, folder, "tree-sitter-bash"));
for (const name of ["tree-sitter-bash.wasm", "LICENSE"]) copyFileSync(join(from, name), join(to, name));
const read = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const { version, license } = read(from);
writeFileSync(join(to, "package.json"), `${JSON.stringify({ ...read(to), version, license }, null, 2)}\n`);
