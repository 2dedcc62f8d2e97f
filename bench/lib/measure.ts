// Timing whole programs side by side in one run: interleaved, so that a noisy machine is noisy for both.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judged } from "./limit.ts";

export interface Contender {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Measured {
  readonly name: string;
  /** Median of the wall times, in milliseconds. */
  readonly median: number;
  readonly best: number;
  /** Median of the processor times, in milliseconds: the same whatever else the machine does. */
  readonly cpu: number;
  /** Largest resident set seen, in megabytes; undefined where the system does not tell. */
  readonly megabytes: number | undefined;
}

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function once({ argv, cwd, env }: Contender): number {
  const started = process.hrtime.bigint();
  const result = spawnSync(argv[0], argv.slice(1), { cwd, env: env ?? process.env, stdio: "ignore" });
  if (result.error) throw result.error;
  return Number(process.hrtime.bigint() - started) / 1e6;
}

export interface Usage {
  readonly megabytes: number;
  /** Processor time of the process itself, without its children: every thread, V8's helpers too. */
  readonly cpuMs: number;
  /** The same of the thread that does the work: what is waited for. */
  readonly ownMs: number;
  /** The part of it that went into starting other programs. */
  readonly startingMs: number;
  /** By the clock, from the start of the process to its end. */
  readonly wallMs: number;
  /** The part of that during which another program that it started ran. */
  readonly besideMs: number;
  /** Its processor time when it printed each line to standard error. */
  readonly marks: readonly { readonly line: string; readonly ownMs: number }[];
}

/** The time and memory that a Node program used, told by the program itself when it ends. */
export function usageOf(contender: Contender): Usage | undefined {
  const folder = mkdtempSync(join(tmpdir(), "usage-"));
  const file = join(folder, "used");
  const hook = join(import.meta.dirname, "usage.cjs");
  const env = { ...(contender.env ?? process.env), USAGE_FILE: file, NODE_OPTIONS: `--require=${hook}` };
  const { pid } = spawnSync(contender.argv[0], contender.argv.slice(1), {
    cwd: contender.cwd,
    env,
    stdio: "ignore",
  });
  const told = `${file}.${pid}`;
  const used = existsSync(told) ? (JSON.parse(readFileSync(told, "utf8")) as Usage) : undefined;
  rmSync(folder, { recursive: true });
  return used;
}

export function compare(contenders: readonly Contender[], rounds: number): Measured[] {
  const times = contenders.map(() => [] as number[]);
  for (const contender of contenders) once(contender);
  for (let round = 0; round < rounds; round += 1)
    contenders.forEach((contender, index) => times[index]?.push(once(contender)));
  const used = contenders.map(() => [] as Usage[]);
  for (let round = 0; round < rounds; round += 2)
    contenders.forEach((contender, index) => used[index]?.push(...[usageOf(contender) ?? []].flat()));
  return contenders.map((contender, index) => ({
    name: contender.name,
    median: median(times[index] ?? []),
    best: Math.min(...(times[index] ?? [])),
    cpu: median((used[index] ?? []).map(({ cpuMs }) => cpuMs)),
    megabytes: used[index]?.[0]?.megabytes,
  }));
}

/** Prints each against the first, with a limit where there is one; it is held to the processor times, which other work
 * on the machine does not change. */
export function report(measured: readonly Measured[], limits: Readonly<Record<string, number>> = {}) {
  const base = measured[0];
  for (const row of measured) {
    const wall = base ? row.median / base.median : 1;
    const ratio = base && base.cpu > 0 ? row.cpu / base.cpu : wall;
    const limit = limits[row.name];
    const verdict = limit === undefined ? "" : judged(`${limit} ×`, ratio <= limit);
    const cpu = `  processor ${row.cpu.toFixed(0).padStart(4)} ms  ${ratio.toFixed(2)} ×`;
    const memory = row.megabytes === undefined ? "" : `  ${row.megabytes.toFixed(0)} MB`;
    console.log(
      `${row.name.padEnd(36)} ${row.median.toFixed(1).padStart(9)} ms  ${wall.toFixed(2).padStart(6)} ×${cpu}${memory}${verdict}`,
    );
  }
}
