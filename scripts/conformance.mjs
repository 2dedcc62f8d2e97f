// npm run conformance: every clause of docs/contracts with the tests that name it and what came of them.
//   --summary prints only the counts and the clauses that are neither proven nor planned; --json prints all of it as data
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
process.exit(runNode(["scripts/conformance/print.ts", ...process.argv.slice(2)]));
