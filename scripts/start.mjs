// npm start: the demo on embedded defaults; npm start -- run "goal" --repo DIR: the real thing.
import process from "node:process";
import { ensurePrograms, root, runNode } from "./lib/bootstrap.mjs";

ensurePrograms();
const args = process.argv.slice(2);
// npm runs scripts in the package folder; commands mean the folder the user stands in.
const cwd = process.env.INIT_CWD ?? process.cwd();
process.exit(runNode([`${root}/bin/thehood.js`, ...(args.length > 0 ? args : ["demo"])], { cwd }));
