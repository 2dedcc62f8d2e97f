// Promises of the engine about its record: nothing is named before it is stored, time does not go back, nothing is waited for
// without an end, and an outside effect begins only after the log says so.
import { describe, expect, it } from "vitest";
import type { CommandOutcome, EffectContext, OutsideEffect, RunEvent, Store } from "../../core/contract/index.ts";
import { refsIn } from "../../core/machine/index.ts";
import { bench, created } from "../../../tests/support/bench.ts";
import { autopilot } from "../../../tests/support/parts.ts";
import { createEffects } from "../effects/perform.ts";
import { runnerOf, sceneDeps } from "../../../tests/support/effect-scene.ts";
import { clock } from "../../platform/system/index.ts";
import { createEngine } from "./index.ts";
import { loop } from "./engine.ts";

describe("the log of a run", () => {
  it("never names an artifact that is not stored yet", async () => {
    const missing: string[] = [];
    let named = 0;
    const watched = (store: Store<RunEvent>): Store<RunEvent> => ({
      ...store,
      log: {
        ...store.log,
        append: async (request) => {
          for (const event of request.events)
            for (const { ref } of refsIn(event)) {
              named += 1;
              await store.artifacts.read(ref).catch(() => missing.push(`${event.type} ${ref}`));
            }
          return await store.log.append(request);
        },
      },
    });
    const { runs } = bench({}, undefined, undefined, watched);
    const { runId } = await created(runs);
    const { run } = await runs.advance(runId);
    expect(run.phase.state).toBe("completed");
    expect(named).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it("[R-71] goes on in time, also when the clock is set back", async () => {
    const { deps } = bench();
    let now = Date.now();
    const runs = createEngine({ ...deps, clock: { now: () => (now -= 60_000) } });
    const { runId } = await created(runs);
    await runs.advance(runId);
    const times = (await runs.events(runId)).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.length).toBeGreaterThan(20);
  });
});

describe("[R-14] the time budget of a run", () => {
  it("is not used up by a clock that is changed: a duration is not the difference of two times of day", async () => {
    const { deps } = bench();
    let now = Date.now();
    const moved = { ...clock, now: () => (now += 86_400_000) };
    const runs = createEngine({ ...deps, clock: moved });
    const budgets = { ...autopilot.budgets, maxMinutes: 60 };
    const { runId } = await created(runs, { policy: { ...autopilot, budgets } });
    const { run } = await runs.advance(runId);
    expect(run.phase.state).toBe("completed");
    expect(run.spent.ms).toBeLessThan(3_600_000);
  });
});

describe("[R-16] the headless runner", () => {
  it("ends as no_progress when an advance does nothing and nothing waits for a person", async () => {
    const { runs } = bench();
    const run = await created(runs);
    let asked = 0;
    const stuck = () => Promise.resolve({ run, stop: "max_steps" as const, steps: asked++ < 2 ? 1 : 0 });
    expect(await loop(stuck, { maxCycles: 1_000 })).toMatchObject({
      stop: "no_progress",
      cycles: 3,
      steps: 2,
    });
  });
});

describe("a command with an outside effect", () => {
  const ran: CommandOutcome = {
    stdout: new Uint8Array(),
    stderr: new Uint8Array(),
    exitCode: 0,
    signal: null,
    ended: "exited",
    truncated: false,
    durationMs: 1,
    sandbox: { kind: "bubblewrap", network: false },
  };
  const perform = async (effect: object, context: object, steps: string[]) => {
    const deps = sceneDeps({
      classify: () => Promise.resolve({ class: "destructive", gated: true, why: "w", parts: [] }),
      commands: runnerOf(() => (steps.push("ran"), Promise.resolve(ran))),
    });
    const asked = {
      kind: "run_command",
      key: "k",
      sideId: "s",
      argv: ["rm", "-r", "x"],
      cwd: "",
      allowed: true,
      policy: { budgets: { checkTimeoutMs: 9 } },
      ...effect,
    };
    return await createEffects(deps)(
      asked as unknown as OutsideEffect,
      {
        runId: "run_1",
        signal: new AbortController().signal,
        progress: () => undefined,
        ...context,
      } as unknown as EffectContext,
    );
  };
  const later = (steps: string[], word: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    steps.push(word);
  };

  it("runs only after its begin is on record and this process still holds the run", async () => {
    const steps: string[] = [];
    await perform({}, { began: later(steps, "begun"), fence: later(steps, "fenced") }, steps);
    expect(steps).toEqual(["begun", "fenced", "ran"]);
  });

  it("does not run when another process has taken the run over", async () => {
    const steps: string[] = [];
    const lost = () => Promise.reject(new Error("taken over"));
    await expect(perform({}, { began: later(steps, "begun"), fence: lost }, steps)).rejects.toThrow("taken over");
    expect(steps).toEqual(["begun"]);
  });

  it("that was begun by a process that is gone is not run again", async () => {
    const steps: string[] = [];
    const begun = perform({ begun: true }, { began: later(steps, "begun") }, steps);
    await expect(begun).rejects.toMatchObject({ failure: { code: "conflict" } });
    expect(steps).toEqual([]);
  });
});
