// npm run check: types, lint, format, architecture and unit tests; stops at the first that fails.
import process from "node:process";
import { ensurePackages, root, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
const bin = `${root}/node_modules`;
const steps = [
  ["types", ["scripts/types.mjs"]],
  ["lint", [`${bin}/oxlint/bin/oxlint`, "--deny-warnings"]],
  ["format", [`${bin}/oxfmt/bin/oxfmt`, "--check", "."]],
  ["tests", [`${bin}/vitest/vitest.mjs`, "run", "--reporter=dot"], { THEHOOD_TEST_SET: "unit" }],
];
for (const [name, args, env] of steps) {
  const status = runNode(args, { env });
  if (status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(status);
  }
}
