// One effect, performed: the engine's own one here, all others by the port; a failure comes back as data.
import {
  type EffectContext,
  type EffectOutcome,
  type OutsideEffect,
  type RuntimeCommand,
  FailureError,
  diskFailure,
  isTrouble,
} from "../../core/contract/index.ts";
import { type Run, awaited } from "../../core/machine/index.ts";
import { type LaterCommand, type Committed, LeaseLost, commit } from "./commit.ts";
import type { Turns } from "./turns.ts";
import type { RunListener, EnginePorts } from "./ports.ts";

interface Performing {
  readonly ports: EnginePorts;
  readonly turns: Turns;
  readonly run: Run;
  readonly lease: number;
  readonly signal: AbortSignal;
  readonly listener: RunListener;
  /** Commands that are written with the first command of this effect. */
  readonly before: LaterCommand[];
  /** Called when the call is on record as sent. */
  readonly sent: () => void;
}

/** Tells a listener what was written. */
export function notifyListener(listener: RunListener, done: Committed): void {
  if (done.ok) for (const stored of done.stored) listener.event?.(stored, done.run);
}

/** Decided and durable when it resolves. `written` is called before the run's next turn. */
export function write(performing: Performing, command: LaterCommand, written?: () => void): Promise<Committed> {
  const { ports, turns, run, lease, before, listener } = performing;
  return turns.take(run.runId, async (turn) => {
    const done = await commit(ports, turn, [...before, command], lease);
    if (!done.ok) return done;
    // Only now: an append that fails must not lose them.
    before.length = 0;
    written?.();
    notifyListener(listener, done);
    return done;
  });
}

function contextFor(effect: OutsideEffect, performing: Performing): EffectContext {
  const { run, signal, listener, sent } = performing;
  const insist = async (command: RuntimeCommand, written?: () => void): Promise<void> => {
    const done = await write(performing, command, written);
    if (!done.ok) throw new FailureError(done.refusal);
  };
  return {
    runId: run.runId,
    created: run.created,
    signal,
    // `sent` is called in the same turn: the next turn finds the work under its new key.
    posted: (record) => insist({ type: "call_posted", key: effect.key, record }, sent),
    began: () => insist({ type: "command_begun", key: effect.key }),
    fence: (commit = () => undefined) => fence(effect, performing, commit),
    progress: (line) => listener.progress?.(line),
    activity: (news) => listener.activity?.(news),
  };
}

/** The run is read and fenced in its turn: nothing of this process is appended between the two. */
function fence(effect: OutsideEffect, { ports, turns, run, lease }: Performing, commit: () => void) {
  return turns.take(run.runId, async (turn) => {
    for (;;) {
      const now = await turn.current();
      if (!awaited(now).some(({ key }) => key === effect.key))
        throw new FailureError({ code: "conflict", message: `Nothing waits for ${effect.key} any more.` });
      const answer = await ports.leases.fence(run.runId, lease, now.seq, commit);
      if (answer === "done") return;
      if (answer === "lease_lost") throw new LeaseLost(run.runId);
      turn.forget();
    }
  });
}

/** A failure is data and decided upon; anything else that is thrown is our bug and goes up. */
export async function performOutside(effect: OutsideEffect, performing: Performing): Promise<EffectOutcome> {
  try {
    return await performing.ports.perform(effect, contextFor(effect, performing));
  } catch (error) {
    const failed = diskFailure(error);
    if (!failed) throw error;
    const { code, message, remedy } = failed.failure;
    // An unavailable disk or store says nothing about the work: the run does not move, and the effect is retried later.
    if (isTrouble(code) && !performing.signal.aborted) throw failed;
    return { kind: "effect_failed", code, message, remedy: remedy ?? null };
  } finally {
    performing.listener.activity?.({ id: effect.key, over: true });
  }
}
