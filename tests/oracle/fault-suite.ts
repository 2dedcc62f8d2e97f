// A run of the real command with a fault at one of its writes: killed, or told that the disk is full.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statusExit } from "../../src/core/contract/transport/index.ts";
import { resultSchema, sessionSchema } from "../../src/core/contract/transport/schema/index.ts";
import { type Fault, type Outcome, hasStrace, walkBoundaries } from "../crash/harness/index.ts";
import { Bench, fence } from "./bench.ts";
import { scriptedBin } from "./built.ts";

const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
const args = ["-p", "change it please", "-f", "src", "--browser-bundle-format", "zip", "--strict-diff"];

function newBench(): Bench {
  const bench = new Bench();
  for (const [path, text] of [
    ["src/a.ts", "export const a = 1;\n"],
    ["src/b.ts", "export const b = 2;\n"],
  ] as const)
    bench.write(path, text);
  return bench.double([{ answer: fence(diff), html: "<p>x</p>" }]);
}

function start() {
  const deps = newBench();
  const env = { ...deps.env, ORACLE_NO_DETACH: "1", OPENAI_API_KEY: "" };
  return {
    deps,
    program: {
      argv: [process.execPath, scriptedBin, ...args] as [string, ...string[]],
      cwd: deps.repo,
      env,
    },
  };
}

const everything = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];

/** What must hold after any end, once a process has read it. */
async function judge(bench: Bench, outcome: Outcome, fault: Fault): Promise<void> {
  const where = `${fault.effect} at ${fault.call} ${fault.when}\n${outcome.stderr}`;
  const looked = await bench.run(["status", "--json"]);
  expect(looked.code, where).toBe(0);
  for (const { status } of JSON.parse(looked.stdout) as { status: string }[])
    expect(["pending", "running"], where).not.toContain(status);
  for (const id of bench.sessionIds) {
    // Killed between making the folder and its first file: then nothing was begun, and the listing says so.
    if (!existsSync(bench.file(id, "session.json"))) continue;
    const record = sessionSchema.parse(JSON.parse(readFileSync(bench.file(id, "session.json"), "utf8")));
    const result = resultSchema.parse(JSON.parse(readFileSync(bench.file(id, "result.json"), "utf8")));
    expect(record.status, where).toBe(result.status);
    const codes = outcome.killed ? [outcome.exitCode] : [statusExit[result.status], 1];
    expect(codes, where).toContain(outcome.exitCode);
    const kept = result.status === "success" ? readFileSync(bench.file(id, "diff.patch"), "utf8") : "no success";
    expect([diff, "no success"], where).toContain(kept);
    expect(
      everything(join(bench.home, "sessions", id)).filter((path) => /\.(zip|tmp)$|^tmp/.test(path)),
      where,
    ).toEqual([]);
  }
  const told = outcome.exitCode === 0 ? bench.session().result.status : "success";
  expect(told, where).toBe("success");
  bench.dispose();
}

export function faultSuite({ sample }: { sample?: number }): void {
  describe("a run with a fault at a write", () => {
    it.skipIf(!hasStrace)(
      "[T-8][Z-13] kill -9 leaves a truthful session and no temporary ZIP (needs strace)",
      async () => {
        const calls = ["rename", "fsync", "mkdir", "unlink"];
        const { met } = await walkBoundaries({
          calls,
          effect: "signal=SIGKILL",
          start,
          check: judge,
          sample,
        });
        expect(Object.values(met).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(sample ?? 30);
      },
    );

    for (const sticky of [false, true])
      it.skipIf(!hasStrace)(
        `[T-8][Z-13] a disk that is full ${sticky ? "from a write on" : "for one write"} leaves the truth behind (needs strace)`,
        async () => {
          const calls = ["rename", "fsync", "mkdir"];
          await walkBoundaries({ calls, effect: "error=ENOSPC", start, check: judge, sample, sticky });
        },
      );
  });

  const small = (size: string, folder: string) =>
    spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  const probe = new Bench();
  const mounts = small("16k", probe.dir).status === 0;
  if (mounts) spawnSync("umount", [probe.dir]);
  probe.dispose();

  describe("a run on a disk that fills up while it waits", () => {
    it.skipIf(!mounts)(
      "[T-8] keeps the answer that is paid for, and tells it later (needs mount)",
      { timeout: 60_000 },
      async () => {
        const bench = new Bench();
        bench.double([{ answer: "the answer that was paid for", until: bench.gate }]);
        mkdirSync(bench.home);
        expect(small("4m", bench.home).status).toBe(0);
        try {
          const started = await bench.ended(bench.start(["--prompt", "say it slowly", "--no-wait"]));
          await expect.poll(() => bench.sent.length).toBe(1);
          // Every byte of the disk, as another program would take it.
          spawnSync("dd", ["if=/dev/zero", `of=${join(bench.home, "other")}`, "bs=1k"]);
          bench.open();
          const told = await bench.ended(bench.start(["attach", started.stdout.trim()]));
          expect(told.stdout).toContain("the answer that was paid for");
          expect(bench.session()).toMatchObject({ result: { status: "success" } });
          expect(everything(bench.home).filter((path) => path.endsWith(".tmp"))).toEqual([]);
        } finally {
          spawnSync("umount", [bench.home]);
          bench.dispose();
        }
      },
    );
  });

  describe("a run on a small disk", () => {
    const sizes = ["4k", "8k", "12k", "16k", "24k", "32k", "48k", "64k"].filter(
      (_, index) => sample === undefined || index % 3 === 0,
    );
    it.skipIf(!mounts).each(sizes)(
      "[T-8][Z-13] %s of it: an answer is printed or the failure is (needs mount)",
      async (size) => {
        const bench = newBench();
        mkdirSync(bench.home);
        expect(small(size, bench.home).status).toBe(0);
        try {
          const ran = await bench.run(args);
          const told = ran.code === 0 ? bench.session().result.status : ran.stderr;
          expect(told).toMatch(ran.code === 0 ? /^success$/ : /full|ENOSPC|no space/i);
          expect(everything(bench.home).filter((path) => /\.(zip|tmp)$/.test(path))).toEqual([]);
          const looked = await bench.run(["status", "--json"]);
          for (const { status } of JSON.parse(looked.stdout) as { status: string }[])
            expect(["pending", "running"]).not.toContain(status);
        } finally {
          spawnSync("umount", [bench.home]);
          bench.dispose();
        }
      },
    );
  });
}
