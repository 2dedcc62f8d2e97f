// node scripts/screenshots.mjs [folder]: pictures of the page from a real run, at three widths in both themes.
import process from "node:process";
import { ensureBuilt, ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
ensureBuilt();
process.exit(runNode(["scripts/screenshots/make.ts", ...process.argv.slice(2)]));
