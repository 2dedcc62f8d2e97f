// What grows over many runs and many hours: a run beside 10 and beside 10,000 others, and what the servers hold while
// streams are opened and closed. A set of its own: it runs when it is named.
//   npm run bench -- soak [--runs 10000] [--minutes 120] [--streams 500]
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { gatewayServer, pageServer, type Server } from "../tests/support/long-servers/servers.ts";
import { seedRepository } from "../tests/support/seed-repository.ts";
import { bin, env, makeRepository, thehood } from "./lib/desk.ts";
import { judged } from "./lib/limit.ts";
import { median } from "./lib/measure.ts";
import { tempFolder } from "./lib/temp-folder.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    minutes: { type: "string", default: "120" },
    streams: { type: "string", default: "500" },
  },
});
const [runs, minutes, streams] = [Number(values.runs), Number(values.minutes), Number(values.streams)];
const few = 10;
const rounds = 5;

const script = JSON.stringify({
  roles: { implementer: [{ edits: [{ op: "append", path: "a.txt", text: "more\n" }] }] },
});
const words = ["run", "add a line", "--approvals", "autopilot", "--check", "grep one a.txt", "--stub-script", script];
const git = (dir: string, ...args: string[]): string => execFileSync("git", args, { cwd: dir, encoding: "utf8" });

async function repositoryWith(total: number): Promise<{ readonly dir: string; readonly runId: string }> {
  const dir = makeRepository();
  const { runId } = JSON.parse(thehood(dir, ...words, "--json")) as { runId: string };
  git(dir, "checkout", "-q", "--", ".");
  await seedRepository({ dir, state: join(env.THEHOOD_HOME, "state"), runId, total });
  return { dir, runId };
}

interface Cost {
  /** Processor time of the run and of all that it started. */
  readonly cpuMs: number;
  readonly readBytes: number;
  readonly refs: number;
}

const refsIn = (dir: string): number => git(dir, "for-each-ref", "--format=x").length;

function costOfRun(dir: string): Cost {
  const before = refsIn(dir);
  const line = `"$@" > /dev/null 2>&1; cat /proc/$$/stat /proc/$$/io`;
  const { stdout } = spawnSync("sh", ["-c", line, "sh", process.execPath, bin, ...words], {
    cwd: dir,
    env,
    encoding: "utf8",
  });
  const fields = stdout.replace(/^.*\) /, "").split(" ");
  git(dir, "checkout", "-q", "--", ".");
  return {
    cpuMs: (Number(fields[13]) + Number(fields[14])) * 10,
    readBytes: Number(/^rchar: (\d+)$/m.exec(stdout)?.[1]),
    refs: (refsIn(dir) - before) / 2,
  };
}

async function growth(): Promise<{ readonly dir: string; readonly runId: string }> {
  console.log(`-- a run beside ${few} and beside ${runs.toLocaleString("en")} others (medians of ${rounds})`);
  const places = [await repositoryWith(few), await repositoryWith(runs)] as const;
  const costs: [Cost[], Cost[]] = [[], []];
  for (const { dir } of places) costOfRun(dir);
  // In turns, so that a slow moment of the machine is slow for both.
  for (let round = 0; round < rounds; round += 1)
    places.forEach(({ dir }, index) => costs[index]?.push(costOfRun(dir)));
  for (const [name, of] of [
    ["processor time, ms", ({ cpuMs }: Cost) => cpuMs],
    ["bytes read", ({ readBytes }: Cost) => readBytes],
    ["refs left", ({ refs }: Cost) => refs],
  ] as const) {
    const [one = 0, many = 0] = costs.map((all) => median(all.map(of)));
    const ratio = many / one;
    console.log(`${name.padEnd(20)} ${one} → ${many}, ${ratio.toFixed(2)} ×${judged("1.3 ×", ratio <= 1.3)}`);
  }
  return places[1];
}

const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

/** Streams for so many minutes, and at least so many streams; the first tenth of both is the warm-up. */
async function memory(server: Server): Promise<void> {
  const began = Date.now();
  let opened = 0;
  const until = async (part: number): Promise<void> => {
    while (Date.now() - began < part * minutes * 60_000 || opened < part * streams) opened += await server.turn();
  };
  await until(0.1);
  const warm = await server.held();
  await until(1);
  const later = await server.held();
  for (const [name, of] of [
    ["in memory", (one: typeof warm) => one.rss],
    ["heap", (one: typeof warm) => one.heapUsed],
  ] as const) {
    const ratio = of(later) / of(warm);
    const values = `${megabytes(of(warm))} → ${megabytes(of(later))} MB, ${ratio.toFixed(2)} ×`;
    console.log(`${server.name.padEnd(12)} ${name.padEnd(10)} ${values}${judged("1.3 ×", ratio <= 1.3)}`);
  }
  console.log(
    `${server.name.padEnd(12)} ${opened} streams; held: ${later.responses} answers, ${later.sockets} sockets`,
  );
  await server.end();
}

const { dir, runId } = await growth();
console.log(`-- what the servers hold after ${minutes} minutes and at least ${streams} streams each`);
const place = () => ({ dir, env, folder: tempFolder() });
await Promise.all([memory(await pageServer(place(), runId)), memory(await gatewayServer(place()))]);
process.exit();
