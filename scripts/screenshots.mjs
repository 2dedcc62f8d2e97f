// node scripts/screenshots.mjs [folder]: pictures of the page from a real run, at three widths in both themes.
// node scripts/screenshots.mjs --docs: the pictures of the documents, made anew.
import process from "node:process";
import { ensureBuilt, ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
ensureBuilt();
process.exit(runNode(["scripts/screenshots/make.ts", ...process.argv.slice(2)]));
