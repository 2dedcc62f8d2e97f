// The engine: create, submit, advance, loop, watch, read. No other code writes run state.
import {
  type CreateRun,
  type RunEvent,
  type StoredEvent,
  type UserCommand,
  FailureError,
  createRun,
  fail,
  userCommand,
} from "../../core/contract/index.ts";
import { type Run, openGates } from "../../core/machine/index.ts";
import { type AdvanceOptions, type Advanced, type LiveWork, advance, stopNeedless } from "./advance.ts";
import { commit, commitNew } from "./commit.ts";
import { type WatchedEvent, readEvent, watch } from "./watch.ts";
import { createTurns } from "./turns.ts";
import type { EnginePorts } from "./ports.ts";

export interface Engine {
  /** Refused as a `FailureError` before anything is written. */
  create(command: Omit<CreateRun, "type">): Promise<Run>;
  /** One command, decided and durable when this resolves; a refusal is a `FailureError` and changes nothing. */
  submit(runId: string, command: UserCommand): Promise<Run>;
  /** Performs the effects that are due until a gate, the end or the step cap. */
  advance(runId: string, options?: AdvanceOptions): Promise<Advanced>;
  loop(runId: string, options?: LoopOptions): Promise<Looped>;
  watch(runId: string, fromSeq: number, signal?: AbortSignal): AsyncGenerator<WatchedEvent>;
  read(runId: string): Promise<Run>;
  events(runId: string, fromSeq?: number): Promise<StoredEvent<RunEvent>[]>;
}

/** A command may hold a text that a person typed: one that is too long is their mistake and no fault of ours. */
function parseCommand(command: UserCommand): UserCommand {
  const parsed = userCommand.safeParse(command);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return fail("invalid_input", `This cannot be asked: ${issue?.path.join(".")}: ${issue?.message}.`, {
    remedy: "Correct it; nothing was changed.",
  });
}

export function createEngine(ports: EnginePorts): Engine {
  const turns = createTurns(ports.log);
  const live: LiveWork = new Map();
  const go = (runId: string, options: AdvanceOptions = {}) => advance({ ports, turns, live, runId, options });
  return {
    async create(command) {
      const parsed = createRun.parse({ ...command, type: "create" });
      const done = await commitNew(ports, turns.first(ports.ids.next("run")), parsed);
      if (!done.ok) throw new FailureError(done.refusal);
      return done.run;
    },
    async submit(runId, command) {
      const parsed = parseCommand(command);
      return turns.take(runId, async (turn) => {
        const done = await commit(ports, turn, [parsed]);
        if (!done.ok) throw new FailureError(done.refusal);
        stopNeedless(live, done.run);
        return done.run;
      });
    },
    advance: go,
    loop: (runId, options = {}) => loop((step) => go(runId, step), options),
    watch: (runId, fromSeq, signal) => watch(ports, runId, fromSeq, signal),
    read: (runId) => turns.take(runId, (turn) => turn.current()),
    events: async (runId, fromSeq = 1) => (await ports.log.read(runId, fromSeq)).map(readEvent),
  };
}

export type LoopStop = "terminal" | "approval_required" | "no_progress" | "max_cycles" | "interrupted";

export interface LoopOptions extends AdvanceOptions {
  readonly maxCycles?: number | undefined;
}

export interface Looped {
  readonly run: Advanced["run"];
  readonly stop: LoopStop;
  readonly cycles: number;
  readonly steps: number;
}

const defaults = { maxCycles: 64, maxSteps: 25 } as const;

export async function loop(
  advance: (options: AdvanceOptions) => Promise<Advanced>,
  options: LoopOptions,
): Promise<Looped> {
  const { maxCycles = defaults.maxCycles, maxSteps = defaults.maxSteps } = options;
  let steps = 0;
  for (let cycles = 1; ; cycles += 1) {
    const done = await advance({ ...options, maxSteps });
    steps += done.steps;
    const { run } = done;
    if (done.stop === "interrupted") return { run, stop: "interrupted", cycles, steps };
    if (done.stop === "terminal") return { run, stop: "terminal", cycles, steps };
    if (openGates(run).length > 0 && done.stop === "approval_required")
      return { run, stop: "approval_required", cycles, steps };
    if (done.steps === 0) return { run, stop: "no_progress", cycles, steps };
    if (cycles >= maxCycles) return { run, stop: "max_cycles", cycles, steps };
  }
}
