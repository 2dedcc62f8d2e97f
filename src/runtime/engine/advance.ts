// advance: read, decide, append, perform what is due, repeat, while the lease is held. Ends at a gate, at the end, or at
// the step cap, and never while anything it began is still under way.
import {
  type Effect,
  type EffectOf,
  type EffectOutcome,
  FailureError,
  type OutsideEffect,
  fail,
  passedOn,
} from "../../core/contract/index.ts";
import { type Run, awaited, due, dueOnSide, isEnded, openGates } from "../../core/machine/index.ts";
import { type LaterCommand, LeaseLost, commit, decideAll } from "./commit.ts";
import { writeDirective } from "./directive.ts";
import { type LeasedRun, hold } from "./hold.ts";
import { performOutside, notifyListener, write } from "./perform.ts";
import type { Turn, Turns } from "./turns.ts";
import { UnderWay } from "./under-way.ts";
import type { RunListener, EnginePorts } from "./ports.ts";

export type AdvanceStop = "terminal" | "approval_required" | "idle" | "max_steps" | "interrupted";

export interface Advanced {
  readonly run: Run;
  readonly stop: AdvanceStop;
  readonly steps: number;
}

export interface AdvanceOptions extends RunListener {
  readonly maxSteps?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for another process that advances this run. */
  readonly waitMs?: number | undefined;
  /** Only the tasks beside the loop are worked off; the loop itself stays where it is. */
  readonly besideOnly?: boolean | undefined;
}

/** The work under way in this process: a command that is submitted here can stop it at once. */
export type LiveWork = Map<string, UnderWay>;

/** One call of `advance`. */
interface AdvanceRequest {
  readonly ports: EnginePorts;
  readonly turns: Turns;
  readonly live: LiveWork;
  readonly runId: string;
  readonly options: AdvanceOptions;
}

function stopOf(run: Run): AdvanceStop {
  if (openGates(run).length > 0) return "approval_required";
  return isEnded(run.phase) ? "terminal" : "idle";
}

/** Other outcomes of a stopped effect are dropped: the effect is repeated, or, for a call, left in doubt. */
function worthKeeping(outcome: EffectOutcome): boolean {
  if (outcome.kind === "call_provider" || outcome.kind === "reattach_call")
    return outcome.outcome.result === "answered";
  return (
    outcome.kind === "apply_patch" ||
    outcome.kind === "capture_patch" ||
    outcome.kind === "retire_workspace" ||
    outcome.kind === "take_out_work"
  );
}

/** One advance that holds the run. */
interface Advancing extends AdvanceRequest {
  readonly held: LeasedRun;
  readonly under: UnderWay;
}

/** An effect to perform, its run, and the commands that are written with its first one. */
interface EffectTask {
  readonly effect: OutsideEffect;
  readonly run: Run;
  readonly key: string;
  readonly before: LaterCommand[];
}

async function perform(
  advancing: Advancing,
  { effect, run, key, before }: EffectTask,
  signal: AbortSignal,
): Promise<void> {
  const { ports, turns, options, held, under } = advancing;
  const began = passedOn(ports.clock);
  const sent = () => {
    under.rename(key, effect.key);
    under.changed();
  };
  const performing = { ports, turns, run, lease: held.token, signal, listener: options, before, sent };
  const spooled = isCall(effect) ? ports.spool?.find(run.runId, effect.key) : undefined;
  const outcome = (spooled as EffectOutcome | undefined) ?? (await performOutside(effect, performing));
  if (signal.aborted && !worthKeeping(outcome)) return;
  const tookMs = Math.max(0, Math.round(passedOn(ports.clock) - began));
  // A paid answer must not be lost because the store cannot be written just now.
  const kept = ports.spool && isCall(effect) && worthKeeping(outcome) ? ports.spool : undefined;
  if (!spooled && kept) {
    // The outcome names artifacts.
    await ports.artifacts.settle();
    kept.put(run.runId, effect.key, outcome);
  }
  // An outcome that the run does not await any more is refused and dropped.
  await write(performing, { type: "effect_done", key: effect.key, tookMs, outcome });
  kept?.drop(run.runId, effect.key);
}

const isCall = ({ kind }: OutsideEffect): boolean => kind === "call_provider" || kind === "reattach_call";

/**
 * The call that a directive is for, if it is due next: both are then recorded together, right before
 * it is sent. A worktree is made before that, and must not be there without a record.
 */
function callAfter(
  { ports, options }: Advancing,
  run: Run,
  { call }: EffectOf<"write_directive">,
  written: LaterCommand,
) {
  const decision = decideAll(run, [written], Math.max(ports.clock.now(), run.updatedAt), ports);
  if (!decision.ok || call.workspace === "worktree") return undefined;
  const effects = options.besideOnly ? dueOnSide(decision.run) : due(decision.run);
  const effect = effects.find((one) => one.kind === "call_provider" && one.call.callId === call.callId);
  return effect?.kind === "call_provider" ? { effect, run: decision.run } : undefined;
}

/** Begins an effect in the turn in which it was found due. A directive is written in it; other effects only begin. */
async function start(advancing: Advancing, turn: Turn, run: Run, effect: Effect): Promise<void> {
  const { ports, options, held, under } = advancing;
  const { key } = effect;
  const go = (task: EffectTask) => under.start(key, options.signal, (signal) => perform(advancing, task, signal));
  if (effect.kind !== "write_directive") return go({ effect, run, key, before: [] });
  const written = {
    type: "directive_written",
    key,
    record: await writeDirective(ports, run, effect),
  } as const;
  const call = callAfter(advancing, run, effect, written);
  if (call) return go({ ...call, key, before: [written] });
  notifyListener(options, await commit(ports, turn, [written], held.token));
}

/** The first effect that is due and not begun. Nothing begins while work is under way that is not due any more. */
function fresh(run: Run, under: UnderWay, besideOnly: boolean): Effect | undefined {
  const effects = besideOnly ? dueOnSide(run) : due(run);
  const { keys } = under;
  if (!keys.every((key) => effects.some((effect) => effect.key === key))) return undefined;
  return effects.find((effect) => !keys.includes(effect.key));
}

/** Reads the run in its turn: ends the advance, begins one effect, or waits. */
async function look(advancing: Advancing, turn: Turn, steps: number): Promise<Advanced | "began" | "wait"> {
  const { under, held, options } = advancing;
  const { maxSteps = 1_000, signal, besideOnly = false } = options;
  const now = await turn.current();
  // Asked after the last wait before an effect begins: nothing begins after a fault or a lost lease.
  under.throwFault();
  if (held.lost) throw new LeaseLost(turn.runId);
  const effect = fresh(now, under, besideOnly);
  const going = under.keys.length > 0;
  if (!effect && !going) return { run: now, stop: stopOf(now), steps };
  const pause = signal?.aborted ? "interrupted" : steps >= maxSteps ? "max_steps" : undefined;
  if (pause && !going) return { run: now, stop: pause, steps };
  if (effect && !pause) {
    await start(advancing, turn, now, effect);
    return "began";
  }
  under.keep(wantedBy(now));
  return "wait";
}

async function run(advancing: Advancing): Promise<Advanced> {
  const { turns, runId, under } = advancing;
  for (let steps = 0; ;) {
    // Counted before the look: a change that comes while it goes on is not waited for.
    const seen = under.changes;
    const found = await turns.take(runId, (turn) => look(advancing, turn, steps));
    if (typeof found === "object") return found;
    if (found === "began") steps += 1;
    else await under.wait(seen);
  }
}

const wantedBy = (run: Run) => {
  const keys = new Set(awaited(run).map(({ key }) => key));
  return (key: string): boolean => keys.has(key);
};

/** A command submitted in this process may have made work needless that is under way in it. */
export function stopNeedless(live: LiveWork, run: Run): void {
  live.get(run.runId)?.keep(wantedBy(run));
}

/** Reads the run at every beat, one read at a time, so that an abort by another process stops the work here. */
function lookAtBeats(turns: Turns, runId: string, held: LeasedRun, under: UnderWay): void {
  let looking = false;
  const lookOnce = async (): Promise<void> => {
    try {
      await turns.take(runId, async (turn) => under.keep(wantedBy(await turn.current())));
    } catch (error) {
      // If the store cannot be read now, the next append fails with the reason.
      if (!(error instanceof FailureError)) under.fault(error);
    }
  };
  held.onFault = (error) => under.fault(error);
  held.onBeat = () => {
    if (held.lost) return under.keep(() => false);
    if (looking) return;
    looking = true;
    void lookOnce().finally(() => (looking = false));
  };
}

export async function advance(request: AdvanceRequest): Promise<Advanced> {
  const { ports, turns, live, runId, options } = request;
  await turns.take(runId, (turn) => turn.current());
  const held = await hold(ports, runId, options.waitMs ?? 0, options.signal);
  const under = new UnderWay();
  live.set(runId, under);
  lookAtBeats(turns, runId, held, under);
  try {
    return await run({ ...request, held, under });
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
    return fail("run_busy", error.message, { remedy: "Watch it with `thehood watch`." });
  } finally {
    await under.end();
    live.delete(runId);
    await held.release();
  }
}
