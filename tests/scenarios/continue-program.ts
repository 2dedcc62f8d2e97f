// A process of its own that advances one run: what a crash takes away is this. Started by the reliability scenarios.
import process from "node:process";
import { openAt } from "./harness.ts";

const [dir, runId] = process.argv.slice(2);
if (!dir || !runId) throw new Error("needs a folder and a run");
const { engine: runs } = openAt(dir);
const { stop } = await runs.loop(runId, {
  event: ({ event }) => void process.stdout.write(`${event.type}\n`),
});
process.stdout.write(`stop ${stop}\n`);
