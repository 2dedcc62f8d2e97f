// npm run measure -- FOLDER…: the judges on other people's data, written to docs/measured.md. Nothing is fetched: each folder
// holds sets as JSON lines, in the form that `thehood check … --jsonl` reads, with a `label`. `--print` only prints the page.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
process.exit(runNode(["scripts/measure/write.ts", ...process.argv.slice(2)]));
