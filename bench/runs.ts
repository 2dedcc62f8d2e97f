// What runs cost: looking at them with few and many stored, and a whole stub loop beside the git calls it makes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "../src/contract/index.ts";
import { openStore } from "../src/store/index.ts";
import { compare, report } from "./lib/measure.ts";

const bin = join(import.meta.dirname, "..", "bin", "thehood.js");
const sizes = [10, 1_000, 5_000];
const home = mkdtempSync(join(tmpdir(), "bench-home-"));
const env = { PATH: process.env["PATH"], HOME: home, THEHOOD_HOME: home, NO_COLOR: "1" };
const thehood = (cwd: string, ...args: string[]) =>
  execFileSync(process.execPath, [bin, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

function makeRepository(): string {
  const dir = mkdtempSync(join(tmpdir(), "bench-repo-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.com", ...args], {
      cwd: dir,
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  writeFileSync(join(dir, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  thehood(dir, "teams", "apply", "stub");
  return dir;
}

const script = JSON.stringify({
  roles: { implementer: [{ edits: [{ op: "append", path: "a.txt", text: "two\n" }] }] },
});
const loop = ["run", "add a line", "--approvals", "autopilot", "--no-checks", "--stub-script", script];

/** Copies one finished run until there are `total`. */
function seed(dir: string, total: number) {
  const { runId } = JSON.parse(thehood(dir, ...loop, "--json")) as { runId: string };
  const store = openStore<RunEvent>(join(dir, ".thehood"), { clock: { now: () => Date.now() } });
  const events = store.log.read(runId).map(({ event }) => event);
  const row = store.log.row(runId);
  if (!row) throw new Error("the seeded run is gone");
  for (let made = store.log.count(); made < total; made += 1) {
    const copy = `run_${made.toString(36).padStart(22, "0")}`;
    const renamed = events.map((event) => (event.type === "run_created" ? { ...event, runId: copy } : event));
    store.log.append({
      runId: copy,
      expectedSeq: 0,
      at: Date.now(),
      events: renamed,
      row: { ...row, runId: copy },
    });
  }
  store.close();
  return runId;
}

const places = sizes.map((size) => {
  const dir = makeRepository();
  return { size, dir, runId: seed(dir, size) };
});

for (const [title, args, limit] of [
  ["status", () => ["status"], 1.6],
  ["runs", () => ["runs"], 1.6],
  ["status RUN", (runId: string) => ["status", runId], undefined],
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
  report(measured, limit === undefined ? {} : Object.fromEntries(names.map((name) => [name, limit])));
  const times = measured.slice(1).map(({ median }) => median);
  const spread = Math.max(...times) / Math.min(...times);
  console.log(`many against few: ${spread.toFixed(2)} ×  (limit 1.3 ×: ${spread <= 1.3 ? "ok" : "OVER"})`);
}

/** The wall time of the git processes of one loop, by putting a clock in front of git. */
function gitTime(dir: string): { own: number; git: number; calls: number } {
  const log = join(home, "git-times");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const shim = mkdtempSync(join(tmpdir(), "bench-git-"));
  writeFileSync(
    join(shim, "git"),
    `#!/bin/bash\ns=$EPOCHREALTIME; ${real} "$@"; c=$?; e=$EPOCHREALTIME; echo "$(( (\${e/./} - \${s/./}) ))" >> ${log}; exit $c\n`,
    { mode: 0o755 },
  );
  writeFileSync(log, "");
  const started = performance.now();
  execFileSync(process.execPath, [bin, ...loop], {
    cwd: dir,
    env: { ...env, PATH: `${shim}:${env.PATH}` },
    stdio: "ignore",
  });
  const wall = performance.now() - started;
  const times = readFileSync(log, "utf8").trim().split("\n").filter(Boolean).map(Number);
  rmSync(shim, { recursive: true });
  const git = times.reduce((sum, micros) => sum + micros, 0) / 1_000;
  return { own: wall - git, git, calls: times.length };
}

console.log("-- a whole stub loop without validation");
for (const { size, dir } of places) {
  const rounds = Array.from({ length: 5 }, () => gitTime(dir)).sort((a, b) => a.own - b.own);
  const middle = rounds[2];
  if (middle)
    console.log(
      `${`${size} runs stored`.padEnd(20)} ${middle.own.toFixed(0)} ms of our own beside ${middle.git.toFixed(0)} ms of git (${middle.calls} calls)  (limit 250 ms: ${middle.own <= 250 ? "ok" : "OVER"})`,
    );
}
for (const { dir } of places) rmSync(dir, { recursive: true, force: true });
rmSync(home, { recursive: true, force: true });
