// node scripts/recording.mjs [file]: plays a real run in a real terminal and writes it as one animated picture (default:
// docs/images/recording.svg). It needs python3, for the pseudo-terminal.
import process from "node:process";
import { ensureBuilt, ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
ensureBuilt();
process.exit(runNode(["scripts/recording/make.ts", ...process.argv.slice(2)]));
