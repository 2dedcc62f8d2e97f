// The engine: create, submit, advance, loop, watch, read. No other code writes run state.
import {
  type CreateRun,
  FailureError,
  type RunEvent,
  type StoredEvent,
  type UserCommand,
  createRun,
  fail,
  userCommand,
} from "../../core/contract/index.ts";
import type { Run } from "../../core/machine/index.ts";
import { type AdvanceOptions, type Advanced, type LiveWork, advance, stopNeedless } from "./advance.ts";
import { commit, commitNew } from "./commit.ts";
import { type LoopOptions, type Looped, loop } from "./loop.ts";
import { readEvent } from "./read-event.ts";
import { createTurns } from "./turns.ts";
import { type WatchedEvent, watch } from "./watch.ts";
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
