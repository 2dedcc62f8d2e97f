// One effect, performed: the engine's own one here, all others by the port; a failure comes back as data.
import {
  type EffectContext,
  type EffectOutcome,
  type OutsideEffect,
  type RuntimeCommand,
  FailureError,
  diskFailure,
} from "../contract/index.ts";
import type { Run } from "../machine/index.ts";
import { type Command, type Committed, commit } from "./commit.ts";
import type { Memory } from "./memory.ts";
import type { Stop } from "./stop.ts";
import type { Listener, RunsWorld } from "./world.ts";

export interface Performing {
  readonly world: RunsWorld;
  readonly memory: Memory;
  readonly run: Run;
  readonly lease: number;
  readonly stop: Stop;
  readonly listener: Listener;
  /** What is to be written with the first thing that this effect writes. */
  readonly before: Command[];
  /** Told when the call is on record as sent. */
  readonly sent: () => void;
}

/** Decided and durable when it returns. */
export function write(given: Performing, command: Command): Committed {
  const { world, memory, run, lease, before, listener } = given;
  const done = commit(world, memory, run.runId, [...before.splice(0), command], lease);
  if (done.ok) for (const stored of done.stored) listener.event?.(stored);
  return done;
}

function contextFor(effect: OutsideEffect, given: Performing): EffectContext {
  const { run, stop, listener, sent } = given;
  const insist = (command: RuntimeCommand): void => {
    const done = write(given, command);
    if (!done.ok) throw new FailureError(done.refusal);
  };
  /* oxlint-disable require-await -- a refusal must reject, not throw */
  return {
    runId: run.runId,
    created: run.created,
    signal: stop,
    async posted(record) {
      insist({ type: "call_posted", key: effect.key, record });
      // At once: whoever looks at the run now looks for the work under its new key.
      sent();
    },
    began: async () => insist({ type: "command_begun", key: effect.key }),
    progress: (line) => listener.progress?.(line),
  };
}

/** A failure is data and decided upon; anything else that is thrown is our bug and goes up. */
export async function performOutside(effect: OutsideEffect, given: Performing): Promise<EffectOutcome> {
  try {
    return await given.world.effects.perform(effect, contextFor(effect, given));
  } catch (error) {
    const failed = diskFailure(error);
    if (!failed) throw error;
    const { code, message, remedy } = failed.failure;
    // The disk cannot be written: nothing can be recorded about it either, and the effect is tried anew later.
    if (code.startsWith("store_")) throw failed;
    return { kind: "effect_failed", code, message, remedy: remedy ?? null };
  }
}
