// node scripts/reference.mjs: writes the list of operations and docs/reference. `--check` only says which files are stale.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
process.exit(runNode(["scripts/reference/write.ts", ...process.argv.slice(2)]));
