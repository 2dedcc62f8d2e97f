// npm run lock: writes package-lock.json for package.json, with the bindings of every platform.
import process from "node:process";
import { runNode } from "./lib/bootstrap.mjs";

process.exit(runNode(["scripts/lock/write.ts"]));
