// npm test: installs what is missing, builds, runs a set of tests and ends with one line that counts them.
//   node scripts/test.mjs [--set all|crash|fuzz|agents|projects|shuffled] [words]   words go to the test runner, for example a file
//   node scripts/test.mjs --set all --rest    all tests without those that npm test ran on this state of the files
import process from "node:process";
import { ensureBuilt, ensurePackages, runNode } from "./lib/bootstrap.mjs";
import { ensureSystem } from "./lib/system.mjs";

// What a set costs, without running it.
if (process.argv.includes("--list")) process.exit(runNode(["scripts/test/run.ts", ...process.argv.slice(2)]));
ensurePackages();
ensureSystem([
  { program: "strace", name: "strace" },
  { program: "bwrap", name: "bubblewrap" },
  { program: "zip", name: "zip" },
  { program: "unzip", name: "unzip" },
  { program: "python3", name: "python3" },
  { program: "chromium", name: "chromium" },
]);
ensureBuilt();
const args = process.argv.slice(2);
if (args.includes("crash")) ensureSystem([{ program: "pg_ctlcluster", name: "postgresql" }]);
process.exit(runNode(["scripts/test/run.ts", ...args]));
