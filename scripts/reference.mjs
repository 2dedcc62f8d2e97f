// node scripts/reference.mjs: writes docs/reference from the operations. `--check` only says which pages are stale.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
process.exit(runNode(["scripts/reference/write.ts", ...process.argv.slice(2)]));
