// Faults in a whole run: killed at a write, on a full or failing disk, or driven by four processes at once.
import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cli, dropPlace, expectSameEnd, expectTold, newPlace, startArguments, type Place } from "./whole-run.ts";
import { hasStrace, runProgram, walkBoundaries, writingCalls, type Fault, type Outcome } from "./harness/index.ts";

const failingCalls = ["pwrite64", "fsync", "rename", "mkdir"] as const;

async function judge(place: Place, outcome: Outcome, fault: Fault): Promise<void> {
  const where = `${fault.effect} at ${fault.call} ${fault.when}`;
  try {
    expect(outcome.stderr).not.toContain("internal error");
    await expectTold(place, outcome);
    await expectSameEnd(place);
  } catch (error) {
    throw new Error(`${where}\n${outcome.stderr.slice(-2_000)}`, { cause: error });
  }
  dropPlace(place);
}

async function start() {
  const place = await newPlace();
  return { deps: place, program: cli(place, ...startArguments(place), "--verbose") };
}

export interface RunSuite {
  /** How many boundaries are tried for kills, and for errors; all when left out. */
  readonly kills?: number;
  readonly errors?: number;
  /** Draws the boundaries that are tried. */
  readonly draw?: () => number;
  /** How many runs are killed at random, each several times. */
  readonly random: number;
  readonly timeoutMs: number;
}

export function runSuite({ kills, errors, draw, random, timeoutMs }: RunSuite): void {
  describe("a whole run", () => {
    it.skipIf(!hasStrace)(
      "killed at a write keeps every event it reported and resumes to the same end (needs strace)",
      async () => {
        const calls = writingCalls;
        const result = await walkBoundaries({
          calls,
          effect: "signal=SIGKILL",
          start,
          check: judge,
          sample: kills,
          draw,
        });
        expect(result.trials).toBeGreaterThanOrEqual(kills ?? 500);
      },
      timeoutMs,
    );

    for (const effect of ["error=ENOSPC", "error=EIO"] as const)
      it.skipIf(!hasStrace)(
        `${effect} at a write is told by name, and the run resumes to the same end (needs strace)`,
        async () => {
          const calls = failingCalls;
          await walkBoundaries({ calls, effect, start, check: judge, sample: errors, draw });
        },
        timeoutMs,
      );

    it(
      `killed at random again and again comes to the same end, ${random} of ${random} times`,
      async () => {
        for (let round = 0; round < random; round++) {
          const place = await newPlace();
          for (const args of [startArguments(place), ["continue"], ["continue"]]) {
            const outcome = await runProgram(cli(place, ...args, "--verbose"), 120_000, 150 + randomInt(4_000));
            if (outcome.killed) await expectTold(place, outcome);
          }
          await expectSameEnd(place);
          dropPlace(place);
        }
      },
      timeoutMs,
    );

    it(
      "continued by four processes at once is advanced by one; the others say who holds it",
      async () => {
        const place = await newPlace();
        const created = await runProgram(cli(place, ...startArguments(place), "--no-loop"));
        const runId = created.stdout.trim();
        const four = Array.from({ length: 4 }, () => runProgram(cli(place, "continue", runId, "--json")));
        const ended = await Promise.all(four);
        for (const { exitCode, stdout, stderr } of ended) {
          expect(stderr).not.toContain("internal error");
          const said = JSON.parse(stdout) as { ok: boolean; error?: { code: string } };
          expect(exitCode === 0 ? "advanced" : said.error?.code).toMatch(/^(advanced|run_busy)$/);
        }
        expect(ended.some(({ exitCode }) => exitCode === 0)).toBe(true);
        await expectSameEnd(place);
        dropPlace(place);
      },
      timeoutMs,
    );
  });
}
