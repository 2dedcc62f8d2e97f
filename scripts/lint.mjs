// npm run lint: oxlint, with the rules that need types.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";
import { lint } from "./lib/steps.mjs";

ensurePackages();
process.exit(runNode(lint()));
