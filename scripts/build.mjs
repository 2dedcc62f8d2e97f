// npm run build: makes dist/ from the sources.
// `--out FOLDER name=entry.ts` makes a variant elsewhere, with other entries; tests play a web page with one.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
process.exit(runNode(["scripts/build/make.ts", ...process.argv.slice(2)]));
