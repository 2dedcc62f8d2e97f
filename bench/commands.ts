// Commands: what one verdict costs, in the middle and at its worst, beside starting a shell that would only parse the
// line; and what the sandbox adds to a command.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { loadJudge, readRows } from "../tests/support/commands/load.ts";
import { mutatedLine, random } from "../tests/support/commands/mutate.ts";
import { judged } from "./lib/limit.ts";
import { createCommandRunner, detectSandbox } from "../src/platform/sandbox/index.ts";

const rows = readRows<{ cmd: string }>(join(import.meta.dirname, "../tests/corpus/commands.jsonl"));
const next = random(1);
const lines = [...rows.map(({ cmd }) => cmd), ...Array.from({ length: 20_000 }, () => mutatedLine(next))];

const loading = performance.now();
const { classify } = await loadJudge();
const loaded = performance.now() - loading;

const at = (sorted: readonly number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
const micro = (ms: number) => `${(ms * 1000).toFixed(0)} µs`;

/** Processor time in milliseconds: what the line costs, not what else the machine does. */
function costs(list: readonly string[]): number[] {
  return list
    .map((line) => {
      const before = process.cpuUsage();
      classify(line);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    })
    .sort((a, b) => a - b);
}

costs(lines.slice(0, 2000));
const corpus = costs(rows.map(({ cmd }) => cmd));
const mutated = costs(lines.slice(rows.length));
const script = "if [ -f a ]; then cat a; fi\n".repeat(300);
const long = costs([script, script, script]);

const shell = rows
  .slice(0, 60)
  .map(({ cmd }) => {
    const began = performance.now();
    spawnSync("bash", ["-n", "-c", cmd], { stdio: "ignore" });
    return performance.now() - began;
  })
  .sort((a, b) => a - b);

console.log(`load the grammar once          ${loaded.toFixed(0)} ms`);
console.log(`a line of the corpus           median ${micro(at(corpus, 0.5))}, p99 ${micro(at(corpus, 0.99))}`);
console.log(
  `a mutated line (20,000)        median ${micro(at(mutated, 0.5))}, p99 ${micro(at(mutated, 0.99))}${judged("5000 µs", at(mutated, 0.99) < 5)}`,
);
console.log(`a script of 300 lines          median ${micro(at(long, 0.5))}`);
console.log(`bash -n, which judges nothing  median ${micro(at(shell, 0.5))}`);

async function runs(sandbox: "auto" | "off"): Promise<number> {
  const runner = createCommandRunner({ sandbox });
  const request = {
    argv: ["true"] as [string],
    cwd: "/",
    writable: [],
    network: false,
    timeoutMs: 10_000,
    maxOutputBytes: 1000,
  };
  await runner.run(request);
  const times: number[] = [];
  for (let index = 0; index < 30; index += 1) {
    const began = performance.now();
    await runner.run(request);
    times.push(performance.now() - began);
  }
  return at(
    times.sort((a, b) => a - b),
    0.5,
  );
}

const plain = await runs("off");
const { kind } = await detectSandbox();
const confined = kind === "bubblewrap" ? `${(await runs("auto")).toFixed(1)} ms` : "no bubblewrap here";
console.log(`run a program, no sandbox      median ${plain.toFixed(1)} ms`);
console.log(`run a program, sandboxed       median ${confined}`);
