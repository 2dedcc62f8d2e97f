// Faults at every write of a real program: kill -9, a full disk, a failing disk.
import { describe, expect, it } from "vitest";
import { acksIn, checkAndResume, dropWorld, newWorld, type World } from "./checker.ts";
import { hasStrace, walkBoundaries, writingCalls, type Fault, type Outcome } from "./harness/index.ts";

/** Calls of the store alone: `write` is left out because Node itself uses it and would fall over. */
const failingCalls = ["pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "mkdir", "unlink"] as const;

async function judge(deps: World, outcome: Outcome, fault: Fault): Promise<void> {
  const where = `${fault.effect} at ${fault.call} ${fault.when}`;
  // 3 is how the writer tells a failure by its name; anything else would be a crash of ours.
  const end = outcome.killed ? "killed" : outcome.exitCode;
  expect(["killed", 0, 3], `${where}\n${outcome.stderr}`).toContain(end);
  expect(await checkAndResume(deps.dir, acksIn(outcome.stdout)), where).toEqual([]);
  dropWorld(deps);
}

export interface FaultSuite {
  /** How many boundaries are tried for kills, and for errors; all when left out. */
  readonly kills?: number;
  readonly errors?: number;
}

export function faultSuite({ kills, errors }: FaultSuite): void {
  const start = newWorld;
  describe("a fault at a write", () => {
    it.skipIf(!hasStrace)(
      "kill -9 loses no acknowledged event, and the work resumes to the same end (needs strace)",
      async () => {
        const calls = writingCalls;
        const result = await walkBoundaries({
          calls,
          effect: "signal=SIGKILL",
          start,
          check: judge,
          sample: kills,
        });
        expect(result.met["pwrite64"]).toBeGreaterThan(kills === undefined ? 150 : kills / 3);
        expect(result.met["fsync"]).toBeGreaterThan(kills === undefined ? 60 : kills / 8);
      },
    );

    for (const effect of ["error=ENOSPC", "error=EIO"] as const)
      for (const sticky of [false, true])
        it.skipIf(!hasStrace)(
          `${effect} ${sticky ? "from a call on" : "at one call"} is told by name and leaves every acknowledged event readable (needs strace)`,
          async () => {
            const told = new Map<string, Set<string>>(failingCalls.map((call) => [call, new Set()]));
            const check = async (deps: World, outcome: Outcome, fault: Fault) => {
              for (const line of outcome.stderr.matchAll(/^failed (\w+)$/gm)) told.get(fault.call)?.add(line[1] ?? "");
              await judge(deps, outcome, fault);
            };
            await walkBoundaries({ calls: failingCalls, effect, sticky, start, check, sample: errors });
            // A shared index that cannot grow looks like a full disk to SQLite, whatever the reason.
            const words = effect === "error=EIO" ? ["store_io", "store_full"] : ["store_full"];
            expect([...(told.get("pwrite64") ?? [])]).toContain(words[0]);
            expect([...(told.get("pwrite64") ?? [])].filter((word) => !words.includes(word))).toEqual([]);
            // A failed fsync is an I/O error whatever the reason: nobody knows what of the file is on the disk.
            expect([...(told.get("fsync") ?? [])]).toContain("store_io");
          },
        );
  });
}
