// npm run build: makes dist/ from the sources.
// `--out FOLDER name=entry.ts` makes a variant elsewhere, with other entries; tests play a web page with one.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";
import { say } from "./lib/run.mjs";

ensurePackages();
const words = process.argv.slice(2);
const status = runNode(["scripts/build/make.ts", ...words]);
if (status === 0 && words.length === 0) say("Built dist/.");
process.exit(status);
