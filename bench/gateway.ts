// The gateway under load on loopback: durable callbacks, replays, and many sessions that nobody talks to; beside a plain
// HTTP server that inserts each body into SQLite.
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { judged } from "./lib/limit.ts";
import { load, type Load } from "./lib/load.ts";

const root = join(import.meta.dirname, "..");
const connections = 32;
const turnMs = 2_000;
const turns = 4;
const idle = 500;

interface Told {
  readonly url: string;
  readonly adminToken: string;
  readonly sessions: Readonly<Record<string, { readonly token: string }>>;
}

async function start(words: readonly string[]): Promise<{ child: ChildProcess; told: Told }> {
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
  const line = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.endsWith("\n")) resolve(text);
    });
  });
  return { child, told: JSON.parse(line) as Told };
}

const names = Array.from({ length: idle }, (_, index) => `i${index}`);
const sessions = ["s1=setup", ...names.map((name) => `${name}=coding`)].flatMap((one) => ["--session", one]);
const gateway = await start([join(root, "bin/thehood.js"), "gateway", "dev", "--json", ...sessions]);
const plain = await start([join(root, "bench/lib/plain-http.ts")]);

let count = 0;
const asks = (told: Told, fresh: boolean) => () => ({
  path: "/proliferate/s1/tools/save_service_commands",
  token: told.sessions["s1"]?.token ?? "",
  body: JSON.stringify({
    tool_call_id: fresh ? `call-${(count += 1)}` : "call-1",
    args: { commands: [{ name: "web", command: "npm start" }] },
  }),
});

/** Processor time of a process so far, in microseconds: hardly changed by whatever else the machine does. */
function processor({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

type Measured = Load & { readonly micros: number };
const measure = async ({ child, told }: typeof plain, fresh: boolean): Promise<Measured> => {
  const before = processor(child);
  const measured = await load(told.url, connections, turnMs, asks(told, fresh));
  return { ...measured, micros: (processor(child) - before) / measured.count };
};
const contenders: readonly { readonly name: string; run(): Promise<Measured> }[] = [
  { name: "plain insert", run: () => measure(plain, true) },
  { name: "callbacks", run: () => measure(gateway, true) },
  { name: "replays", run: () => measure(gateway, false) },
];
const best = new Map<string, Measured>();
for (let turn = 0; turn < turns; turn += 1)
  for (const { name, run } of contenders) {
    const measured = await run();
    if (measured.wrong > 0) throw new Error(`${name}: ${measured.wrong} wrong answers`);
    const known = best.get(name);
    if (!known || measured.perSecond > known.perSecond) best.set(name, measured);
  }

const limits: Readonly<Record<string, (measured: Load) => string>> = {
  callbacks: ({ perSecond, p99 }) => judged("2,000/s, p99 25 ms", perSecond >= 2_000 && p99 < 25),
  replays: ({ perSecond }) => judged("5,000/s", perSecond >= 5_000),
};
for (const [name, measured] of best)
  console.log(
    `${name.padEnd(14)} ${Math.round(measured.perSecond).toLocaleString("en")}/s, p99 ${measured.p99.toFixed(1)} ms, ${Math.round(measured.micros)} µs of processor each${limits[name]?.(measured) ?? ""}`,
  );

const streams = await Promise.all(
  names.map(
    (name) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${gateway.told.adminToken}` };
        get(`${gateway.told.url}/api/sessions/${name}/events`, { headers, agent: false }, (answer) => {
          answer.once("data", () => resolve(answer));
        }).once("error", reject);
      }),
  ),
);
const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gateway.child.pid}/status`, "utf8"))?.[1];
const megabytes = Math.round(Number(memory) / 1024);
console.log(`${streams.length} streams    ${megabytes} MB${judged("300 MB", megabytes < 300)}`);
gateway.child.kill();
plain.child.kill();
process.exit();
