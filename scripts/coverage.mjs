// npm run coverage [-- words for the test runner]: which lines of src/ the unit tests run, as text and as coverage/index.html.
import process from "node:process";
import { ensureBuilt, ensurePackages, runNode } from "./lib/bootstrap.mjs";
import { vitest } from "./lib/steps.mjs";

ensurePackages();
ensureBuilt();
const reports = ["text-summary", "html", "lcov"].map((name) => `--coverage.reporter=${name}`);
const words = ["--coverage", "--coverage.include=src/**/*.ts", ...reports, ...process.argv.slice(2)];
process.exit(runNode([...vitest, ...words]));
