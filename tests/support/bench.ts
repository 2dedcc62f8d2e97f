// The engine on a real store in a temporary folder, with a scripted cast instead of the world.
import { expect } from "vitest";
import { tempFolder } from "./temp-folder.ts";
import type { OutsideEffect, PerformEffect, RunEvent, Store, Timers } from "../../src/core/contract/index.ts";
import { type Engine, type EnginePorts, createEngine } from "../../src/runtime/engine/index.ts";
import { type Run, openGates } from "../../src/core/machine/index.ts";
import { createIds, openStore, sha256, thisProcess } from "../../src/platform/store/index.ts";
import { autopilot, creation } from "./parts.ts";
import { type Cast, Players } from "./players.ts";
import { createTextPort } from "../../src/runtime/effects/redaction.ts";

const timers: Timers = {
  every(ms, callback) {
    const timer = setInterval(callback, ms);
    return () => clearInterval(timer);
  },
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()));
    }),
};
export const clock = { now: () => Date.now() };
export const text = createTextPort();

export interface Bench {
  readonly runs: Engine;
  readonly store: Store<RunEvent>;
  readonly performed: OutsideEffect[];
  readonly deps: EnginePorts;
}

export type Around = (
  effect: OutsideEffect,
  go: () => ReturnType<PerformEffect>,
  context: Parameters<PerformEffect>[1],
) => ReturnType<PerformEffect>;

/** The engine on a real store, with a scripted cast instead of the world. */
export function bench(
  cast: Cast = {},
  around: Around = (_, go) => go(),
  folder = tempFolder("engine-"),
  through: (store: Store<RunEvent>) => Store<RunEvent> = (same) => same,
): Bench & { folder: string } {
  const store = through(openStore<RunEvent>(folder, { clock }));
  const performed: OutsideEffect[] = [];
  const puts: Promise<unknown>[] = [];
  const players = new Players(
    cast,
    (kind, name) => {
      const body = `${kind} ${name}\n`;
      const about = { kind, mediaType: "text/plain", summary: name };
      puts.push(store.artifacts.put(body, about));
      return { ref: `sha256:${sha256(body)}`, bytes: Buffer.byteLength(body), ...about };
    },
    true,
  );
  const perform: PerformEffect = (effect, context) => {
    performed.push(effect);
    return around(
      effect,
      async () => {
        if (effect.kind === "call_provider")
          await context.posted({
            handle: null,
            promptSha256: sha256(effect.key),
            target: effect.call.assignment.assignment,
          });
        const outcome = players.outcome(effect);
        await Promise.all(puts.splice(0));
        return outcome;
      },
      context,
    );
  };
  const deps: EnginePorts = {
    log: store.log,
    artifacts: store.artifacts,
    leases: store.leases,
    perform,
    clock,
    ids: createIds(clock),
    sha256,
    timers,
    text,
    owner: thisProcess(),
  };
  return { runs: createEngine(deps), store, performed, deps, folder };
}

export const created = async (runs: Engine, more = {}): Promise<Run> => {
  const { type: _, ...command } = creation({ policy: autopilot, ...more });
  return await runs.create(command);
};
export const approve = async (runs: Engine, runId: string) => {
  const gate = openGates(await runs.read(runId))[0];
  if (!gate) throw new Error("no gate");
  return await runs.submit(runId, {
    type: "answer",
    gateId: gate.id,
    subjectSha256: gate.subject.sha256,
    answer: "approve",
    message: gate.phrase ?? "",
    by: { kind: "person", surface: "cli" },
  });
};

const died = new Error("killed");

/** Dies in the middle of the n-th effect, before or after it was done, then another process goes on. */
export async function crashAt(
  n: number,
  moment: "before" | "after",
  cast: Cast,
  more = {},
): Promise<{ run: Run; calls: string[]; effects: number }> {
  let count = 0;
  const calls: string[] = [];
  const first = bench(cast, async (effect, go) => {
    count += 1;
    if (count === n && moment === "before") throw died;
    const outcome = await go();
    if (effect.kind === "call_provider") calls.push(effect.key);
    if (count === n) throw died;
    return outcome;
  });
  const { runId } = await created(first.runs, more);
  const ended = await first.runs.advance(runId).then(
    () => "ended",
    (error: unknown) => (error === died ? "died" : Promise.reject(error)),
  );
  await first.store.close();
  const second = bench(
    cast,
    async (effect, go) => {
      if (effect.kind === "call_provider") calls.push(effect.key);
      if (effect.kind === "reattach_call")
        return {
          kind: "reattach_call",
          outcome: { result: "in_doubt", why: "gone" },
          usage: { inputTokens: 0, outputTokens: 0, estimated: true },
          artifacts: [],
        };
      return go();
    },
    first.folder,
  );
  for (;;) {
    const { run } = await second.runs.advance(runId);
    const gate = openGates(run)[0];
    if (!gate) {
      expect((await second.store.log.verify()).problems).toEqual([]);
      await second.store.close();
      return { run, calls, effects: ended === "died" ? count : -1 };
    }
    expect(gate.kind).toBe("provider_in_doubt");
    await second.runs.submit(runId, {
      type: "answer",
      gateId: gate.id,
      subjectSha256: gate.subject.sha256,
      answer: "retry",
      message: "",
      by: { kind: "person", surface: "cli" },
    });
  }
}

/** Crashes there and goes on; false when the run ends before that. */
export async function survives(
  n: number,
  moment: "before" | "after",
  cast: Cast = {},
  passes: readonly number[] = [2],
  more = {},
): Promise<boolean> {
  const { run, calls, effects } = await crashAt(n, moment, cast, more);
  expect(run.phase.state).toBe("completed");
  expect(new Set(calls).size).toBe(calls.length);
  expect(passes).toContain(run.passes.length);
  return effects !== -1;
}
