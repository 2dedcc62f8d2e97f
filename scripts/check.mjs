// npm run check: types, lint, format, architecture and unit tests; stops at the first that fails.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";
import { format, lint, types, vitest } from "./lib/steps.mjs";

ensurePackages();
const steps = [
  { name: "types", args: types },
  { name: "lint", args: lint() },
  { name: "format", args: format },
  { name: "tests", args: [...vitest, "--reporter=dot"], env: { THEHOOD_TEST_SET: "unit" } },
];
for (const { name, args, env } of steps) {
  const status = runNode(args, { env });
  if (status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(status);
  }
}
