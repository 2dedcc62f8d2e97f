// npm run test:mutants: breaks the code on purpose, one promise at a time, and tells whether the named tests notice.
//   --only ID[,ID] takes some of the list; --sample N takes so many of it by a seed, which is printed (--seed N repeats it); --json prints the outcome as data; --trust skips the first run of the tests on unbroken code
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
process.exit(runNode(["scripts/mutants/run.ts", ...process.argv.slice(2)]));
