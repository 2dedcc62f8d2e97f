// npm test: installs what is missing, builds, runs a set of tests and ends with one line that counts them.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ensureBuilt, ensurePackages, root, runNode } from "./lib/bootstrap.mjs";
import { lint, types, vitest } from "./lib/steps.mjs";
import { ensureSystem } from "./lib/system.mjs";

const args = process.argv.slice(2);
const at = args.indexOf("--set");
const set = at < 0 ? "default" : args.splice(at, 2)[1];

ensurePackages();
ensureSystem([
  { program: "strace", name: "strace" },
  { program: "bwrap", name: "bubblewrap" },
  { program: "zip", name: "zip" },
  { program: "unzip", name: "unzip" },
]);
ensureBuilt();
if (set === "default" && args.length === 0) {
  for (const step of [types, lint()]) {
    const status = runNode(step);
    if (status !== 0) process.exit(status);
  }
}

const report = join(root, ".build", `results-${set}.json`);
mkdirSync(join(root, ".build"), { recursive: true });
rmSync(report, { force: true });
const status = runNode(
  [...vitest, "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
  { env: { THEHOOD_TEST_SET: set } },
);

if (!existsSync(report)) process.exit(status || 1);
const results = JSON.parse(readFileSync(report, "utf8"));
const skipped = results.testResults
  .flatMap((file) => file.assertionResults)
  .filter((test) => test.status === "pending" || test.status === "skipped" || test.status === "todo");
for (const test of skipped) console.log(`skipped: ${test.fullName}`);
console.log(`${results.numPassedTests} passed, ${results.numFailedTests} failed, ${skipped.length} skipped`);
process.exit(status);
