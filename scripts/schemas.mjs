// node scripts/schemas.mjs: writes the JSON Schemas from the code that checks by them. Tests say when this has to be run.
import process from "node:process";
import { ensurePackages, runNode } from "./lib/bootstrap.mjs";

ensurePackages();
process.exit(runNode(["scripts/reference/schemas.ts"]));
