// advance: read, decide, append, perform, repeat, while the lease is held. Ends at a gate, at the end, or at the step cap.
import { type AbortSignalLike, type EffectOutcome, type OutsideEffect, fail } from "../contract/index.ts";
import { type Run, isEnded, next, openGates } from "../machine/run/index.ts";
import { type Committed, LeaseLost, commit } from "./commit.ts";
import { writeDirective } from "./directive.ts";
import { type Held, hold } from "./hold.ts";
import type { Memory } from "./memory.ts";
import { performOutside } from "./perform.ts";
import { Stop } from "./stop.ts";
import type { Listener, RunsWorld } from "./world.ts";

export type AdvanceStop = "terminal" | "approval_required" | "idle" | "max_steps" | "interrupted";

export interface Advanced {
  readonly run: Run;
  readonly stop: AdvanceStop;
  readonly steps: number;
}

export interface AdvanceOptions extends Listener {
  readonly maxSteps?: number | undefined;
  readonly signal?: AbortSignalLike | undefined;
  /** How long to wait for another process that advances this run. */
  readonly waitMs?: number | undefined;
}

/** The work under way in this process, so that an abort submitted here stops it at once. */
export type Live = Map<string, Stop>;

interface Given {
  readonly world: RunsWorld;
  readonly memory: Memory;
  readonly live: Live;
  readonly runId: string;
  readonly options: AdvanceOptions;
}

function stopOf(run: Run): AdvanceStop {
  if (openGates(run).length > 0) return "approval_required";
  return isEnded(run.phase) ? "terminal" : "idle";
}

/** An outcome that nobody awaits any more is dropped: the run has moved on. */
function tell({ options }: Given, done: Committed): void {
  if (done.ok) for (const stored of done.stored) options.event?.(stored);
}

/** What was cut short says nothing about the world. It is found out anew, or, for a call, left in doubt. */
function worthKeeping(outcome: EffectOutcome): boolean {
  if (outcome.kind === "call_provider" || outcome.kind === "reattach_call")
    return outcome.outcome.result === "answered";
  return (
    outcome.kind === "apply_patch" || outcome.kind === "capture_patch" || outcome.kind === "retire_workspace"
  );
}

async function perform(given: Given, held: Held, run: Run, effect: OutsideEffect): Promise<void> {
  const { world, memory, live, runId, options } = given;
  const stop = new Stop();
  const letGo = stop.follow(options.signal);
  live.set(runId, stop);
  held.onBeat = (ours) => {
    const ended = isEnded(memory.current(runId).phase) && !isEnded(run.phase);
    if (!ours || ended) stop.fire();
  };
  const began = world.clock.now();
  try {
    const outcome = await performOutside(effect, {
      world,
      memory,
      run,
      lease: held.token,
      stop,
      listener: options,
    });
    if (stop.aborted && !worthKeeping(outcome)) return;
    const tookMs = Math.max(0, world.clock.now() - began);
    tell(
      given,
      commit(world, memory, runId, { type: "effect_done", key: effect.key, tookMs, outcome }, held.token),
    );
  } finally {
    held.onBeat = () => undefined;
    live.delete(runId);
    letGo();
  }
}

async function step(given: Given, held: Held, run: Run): Promise<void> {
  const { world, memory, runId } = given;
  const effect = next(run);
  if (!effect) return;
  if (effect.kind !== "write_directive") return perform(given, held, run, effect);
  const record = writeDirective(world, run, effect);
  tell(
    given,
    commit(world, memory, runId, { type: "directive_written", key: effect.key, record }, held.token),
  );
}

async function run(given: Given, held: Held): Promise<Advanced> {
  const { maxSteps = 1_000, signal } = given.options;
  for (let steps = 0; ; steps += 1) {
    const now = given.memory.current(given.runId);
    if (!next(now)) return { run: now, stop: stopOf(now), steps };
    if (signal?.aborted) return { run: now, stop: "interrupted", steps };
    if (steps >= maxSteps) return { run: now, stop: "max_steps", steps };
    await step(given, held, now);
  }
}

export async function advance(given: Given): Promise<Advanced> {
  const { world, memory, runId, options } = given;
  const waiting = new Stop();
  const letGo = waiting.follow(options.signal);
  memory.current(runId);
  const held = await hold(world, runId, options.waitMs ?? 0, waiting).finally(letGo);
  try {
    return await run(given, held);
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    return fail("run_busy", error.message, { remedy: "Watch it with `thehood watch`." });
  } finally {
    held.release();
  }
}
