// The cost of runs: looking at them with few and many stored, and a whole stub loop beside the git calls it makes.
import { bin, env, makeRepository, thehood } from "./lib/desk.ts";
import { seedRuns } from "../tests/support/seed-runs.ts";
import { judged } from "./lib/limit.ts";
import { type Usage, compare, median, report, usageOf } from "./lib/measure.ts";

const sizes = [10, 1_000, 5_000];
const script = JSON.stringify({
  roles: { implementer: [{ edits: [{ op: "append", path: "a.txt", text: "two\n" }] }] },
});
const loop = ["run", "add a line", "--approvals", "autopilot", "--no-checks", "--stub-script", script];

async function seed(dir: string, total: number) {
  const { runId } = JSON.parse(thehood(dir, ...loop, "--json")) as { runId: string };
  await seedRuns(dir, runId, total);
  return runId;
}

const places: { size: number; dir: string; runId: string }[] = [];
for (const size of sizes) {
  const dir = makeRepository();
  places.push({ size, dir, runId: await seed(dir, size) });
}

for (const [title, args, limit] of [
  ["status", () => ["status"], 1.6],
  ["runs", () => ["runs"], 1.6],
  ["status RUN", (runId: string) => ["status", runId], 2.5],
] as const) {
  console.log(`-- thehood ${title}`);
  const names = places.map(({ size }) => `${title}, ${size} runs`);
  const measured = compare(
    [
      { name: "node -e 0", argv: [process.execPath, "-e", "0"] },
      ...places.map(({ dir, runId }, index) => ({
        name: names[index] ?? "",
        argv: [process.execPath, bin, ...args(runId)] as [string, ...string[]],
        cwd: dir,
        env,
      })),
    ],
    11,
  );
  report(measured, Object.fromEntries(names.map((name) => [name, limit])));
  const times = measured.slice(1).map(({ cpu }) => cpu);
  const spread = Math.max(...times) / Math.min(...times);
  console.log(`many against few: ${spread.toFixed(2)} ×${judged("1.3 ×", spread <= 1.3)}`);
}

console.log("-- a whole stub loop without validation: what our own process takes, git's time not counted");
console.log("   (the smallest of 15 rounds, whose median stands behind it: what else a machine does only adds)");
const loops = places.map(({ size, dir }) => ({
  name: `${size} runs stored`,
  argv: [process.execPath, bin, ...loop] as [string, ...string[]],
  cwd: dir,
  env,
}));
const used = loops.map(() => [] as Usage[]);
// In turns, so that a slow moment of the machine is slow for all of them.
for (let round = 0; round < 15; round += 1)
  loops.forEach((one, index) => used[index]?.push(...[usageOf(one) ?? []].flat()));
const told = (rounds: readonly Usage[], of: (one: Usage) => number): string => {
  const values = rounds.map(of);
  return `${Math.min(...values).toFixed(0)} (${median(values).toFixed(0)}) ms`;
};
loops.forEach(({ name }, index) => {
  const rounds = used[index] ?? [];
  const own = Math.min(...rounds.map(({ ownMs, startingMs }) => ownMs - startingMs));
  const parts = [
    `working thread ${told(rounds, ({ ownMs, startingMs }) => ownMs - startingMs)}`,
    `starting git ${told(rounds, ({ startingMs }) => startingMs)}`,
    `all threads ${told(rounds, ({ cpuMs }) => cpuMs)}`,
    `by the clock while no git ran ${told(rounds, ({ wallMs, besideMs }) => wallMs - besideMs)}`,
  ];
  console.log(`${name.padEnd(18)} ${parts.join(", ")}${judged("200 ms", own <= 200)}`);
});
