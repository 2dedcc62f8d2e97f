// npm run check: types, the declarations of the library, lint, format, architecture and unit tests. Names each step that failed.
//   --static leaves the tests out
import process from "node:process";
import { ensurePackages, startNode } from "./lib/bootstrap.mjs";
import { format, libraryTypes, lint, types, vitest } from "./lib/steps.mjs";

ensurePackages();
const isStatic = process.argv.includes("--static");
const tests = { name: "tests", args: [...vitest, "--reporter=dot"], env: { THEHOOD_TEST_SET: "unit" } };
/** Two steps at a time: each column runs from top to bottom. */
const columns = [
  [
    { name: "types", args: types },
    { name: "library types", args: libraryTypes },
    { name: "format", args: format },
  ],
  [{ name: "lint", args: lint() }, ...(isStatic ? [] : [tests])],
];
const failed = [];
await Promise.all(
  columns.map(async (steps) => {
    for (const { name, args, env } of steps) if ((await startNode(args, { env })) !== 0) failed.push(name);
  }),
);
if (failed.length > 0) console.error(`check: ${failed.join(", ")} failed`);
process.exit(failed.length > 0 ? 1 : 0);
