// What a running server holds after garbage was collected.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

export interface Held {
  readonly heapUsed: number;
  /** What the heap has reserved: most of it stays in memory. */
  readonly heapTotal: number;
  readonly rss: number;
  /** Objects that are still referred to. */
  readonly responses: number;
  readonly sockets: number;
  readonly signals: number;
}

export interface Probe {
  /** The variables that the server is started with. */
  readonly env: Readonly<Record<string, string>>;
  held(pid: number): Promise<Held>;
}

/** `folder`: for the answers of the server. */
export function openProbe(folder: string): Probe {
  const file = join(folder, "held");
  let count = 0;
  return {
    env: { NODE_OPTIONS: `--require=${join(import.meta.dirname, "probe.cjs")}`, PROBE_FILE: file },
    async held(pid) {
      count += 1;
      process.kill(pid, "SIGUSR2");
      for (const answer = `${file}.${count}`; ; await pause(20))
        if (existsSync(answer)) return JSON.parse(readFileSync(answer, "utf8")) as Held;
    },
  };
}
