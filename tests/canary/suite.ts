// A stranger's repositories driven through every door of the workspace: nothing of theirs runs.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { inspectRepository } from "../../src/workspace/inspect/index.ts";
import { drive } from "./driver.ts";
import { canaries, plant, watchProcesses, type Canary } from "./index.ts";

const hasStrace = spawnSync("strace", ["-e", "trace=none", "true"]).status === 0;

/** Known by their effect only: no file gives them away, or what they are is ordinary. */
const silent = new Set([
  "replaced objects",
  "an index that lies",
  "git",
  "node",
  "scripts/committer",
  "node_modules/zod/index.js",
]);

export interface Parts {
  /** Driven one by one, in this process. */
  readonly driven: readonly Canary[];
  /** Shown to be armed: plain git falls for them. */
  readonly armed: readonly Canary[];
  /** Driven by a program under strace. */
  readonly watched: readonly Canary[];
}

export function canarySuite({ driven, armed, watched: traced }: Parts): void {
  describe("[S-6] a stranger's repository", () => {
    it("there are more than forty sinks, each with a name of its own", () => {
      expect(canaries.length).toBeGreaterThanOrEqual(40);
      expect(new Set(canaries.map(({ name }) => name)).size).toBe(canaries.length);
    });

    it.each((hasStrace ? driven : [...driven, ...traced]).map((canary) => [canary.name, canary] as const))(
      "%s: nothing runs, and the look at it says so",
      async (_name, canary) => {
        const planted = plant(canary);
        try {
          const { findings } = inspectRepository(planted.dir);
          expect(findings.length > 0 || silent.has(canary.name)).toBe(true);
          await drive(planted.dir);
          expect(planted.fired()).toBe(false);
        } finally {
          planted.remove();
        }
      },
    );

    it.each(armed.filter((canary) => canary.careless).map((canary) => [canary.name, canary] as const))(
      "%s: plain git falls for it, so the sink is armed",
      (_name, canary) => {
        const planted = plant(canary);
        try {
          canary.careless?.(planted.repository);
          expect(planted.fired()).toBe(true);
        } finally {
          planted.remove();
        }
      },
    );

    it.skipIf(!hasStrace)(
      "no program but git and our own is started, and no address is reached (needs strace)",
      () => {
        const planted = traced.map(plant);
        const loud = planted.filter(({ name }) => !silent.has(name));
        for (const { dir, name } of loud) expect(inspectRepository(dir).findings, name).not.toEqual([]);
        const program = join(import.meta.dirname, "driver.ts");
        const watched = watchProcesses([process.execPath, program, ...planted.map(({ dir }) => dir)], {
          timeoutMs: 1_800_000,
        });
        expect(watched.stdout + watched.stderr).toContain("driven\n");
        const ours = (path: string) =>
          path === process.execPath || path === "/usr/bin/sync" || /\/(git|git-core\/git[a-z-]*)$/.test(path);
        expect(watched.programs.filter((path) => !ours(path))).toEqual([]);
        expect(watched.connections).toEqual([]);
        expect(planted.filter((one) => one.fired()).map(({ name }) => name)).toEqual([]);
        for (const one of planted) one.remove();
      },
      1_800_000,
    );
  });
}
