// Type checks each realm: the whole tree with Node's types, the pure rooms without them, page code with those of a page.
import process from "node:process";
import { ensurePackages, root, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
const tsc = `${root}/node_modules/typescript/bin/tsc`;
for (const project of ["tsconfig.node.json", "tsconfig.pure.json", "tsconfig.page.json"]) {
  const status = runNode([tsc, "-p", project]);
  if (status !== 0) process.exit(status);
}
