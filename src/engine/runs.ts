// The engine's door for everyone: create, submit, advance, loop, watch, read. The only writer of run state anywhere.
import {
  type AbortSignalLike,
  type CreateRun,
  FailureError,
  type RunEvent,
  type StoredEvent,
  type UserCommand,
  createRun,
  fail,
  userCommand,
} from "../contract/index.ts";
import type { Run } from "../machine/index.ts";
import { type AdvanceOptions, type Advanced, type Live, advance, stopNeedless } from "./advance.ts";
import { commit, commitNew } from "./commit.ts";
import { type LoopOptions, type Looped, loop } from "./loop.ts";
import { readEvent } from "./read-event.ts";
import { createTurns } from "./turns.ts";
import { type Watched, watch } from "./watch.ts";
import type { RunsWorld } from "./world.ts";

export interface Runs {
  /** Refused as a `FailureError` before anything is written. */
  create(command: Omit<CreateRun, "type">): Promise<Run>;
  /** One command, decided and durable when this resolves; a refusal is a `FailureError` and changes nothing. */
  submit(runId: string, command: UserCommand): Promise<Run>;
  /** Performs what is due until a gate, the end or the step cap. */
  advance(runId: string, options?: AdvanceOptions): Promise<Advanced>;
  loop(runId: string, options?: LoopOptions): Promise<Looped>;
  watch(runId: string, fromSeq: number, signal?: AbortSignalLike): AsyncGenerator<Watched>;
  read(runId: string): Promise<Run>;
  events(runId: string, fromSeq?: number): Promise<StoredEvent<RunEvent>[]>;
}

/** What people type comes in here too: a text that is too long is their mistake and no fault. */
function parseCommand(command: UserCommand): UserCommand {
  const parsed = userCommand.safeParse(command);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return fail("invalid_input", `This cannot be asked: ${issue?.path.join(".")}: ${issue?.message}.`, {
    remedy: "Correct it; nothing was changed.",
  });
}

export function createRuns(world: RunsWorld): Runs {
  const turns = createTurns(world.log);
  const live: Live = new Map();
  const go = (runId: string, options: AdvanceOptions = {}) => advance({ world, turns, live, runId, options });
  return {
    async create(command) {
      const parsed = createRun.parse({ ...command, type: "create" });
      const done = await turns.take(world.ids.next("run"), (turn) => commitNew(world, turn, parsed));
      if (!done.ok) throw new FailureError(done.refusal);
      return done.run;
    },
    async submit(runId, command) {
      const parsed = parseCommand(command);
      return turns.take(runId, async (turn) => {
        const done = await commit(world, turn, [parsed]);
        if (!done.ok) throw new FailureError(done.refusal);
        stopNeedless(live, done.run);
        return done.run;
      });
    },
    advance: go,
    loop: (runId, options = {}) => loop((given) => go(runId, given), options),
    watch: (runId, fromSeq, signal) => watch(world, runId, fromSeq, signal),
    read: (runId) => turns.take(runId, (turn) => turn.current()),
    events: async (runId, fromSeq = 1) => (await world.log.read(runId, fromSeq)).map(readEvent),
  };
}
