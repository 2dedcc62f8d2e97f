// Wires the queue of this machine: its file in the user's state folder, and this program as the process that advances a run.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { startWork, unitText } from "../fleet/local/index.ts";
import type { Queue } from "../operations/index.ts";
import { openQueueFile } from "../platform/store/queue/index.ts";
import { clock } from "../platform/system/index.ts";
import type { Environment } from "./environment.ts";

export function openQueue({ stateDir, variables }: Environment, mode?: "read"): Queue {
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
  const env = { ...variables };
  const file = openQueueFile(join(stateDir, "queue.db"), clock, mode);
  return {
    ...file,
    list: () => file.list().map((entry) => ({ ...entry, there: existsSync(entry.repo) })),
    start: (entry, parallel) => startWork({ program, env }, entry, parallel),
    unit: (parallel) => unitText(program, parallel, env),
    [Symbol.dispose]: () => file.close(),
  };
}
