// The one way into the log: decide on the run as it is, store the artifacts that the events name, append. When another
// process was faster, decide anew.
import {
  type CreateRun,
  type Failure,
  FailureError,
  type RunCommand,
  type RunEvent,
  type StoredEvent,
  runEvent,
} from "../../core/contract/index.ts";
import { type DecideResult, type NewArtifact, type Run, decide, decideCreate } from "../../core/machine/index.ts";
import { rowOf, snapshotOf } from "../../core/machine/view/index.ts";
import type { Turn } from "./turns.ts";
import type { EnginePorts } from "./ports.ts";

export type Committed =
  | { readonly ok: true; readonly run: Run; readonly stored: readonly StoredEvent<RunEvent>[] }
  | { readonly ok: false; readonly refusal: Failure };

/** Another process has taken this run over; this one must stop at once. */
export class LeaseLost extends Error {
  constructor(runId: string) {
    super(`Another process has taken over run ${runId}.`);
    this.name = "LeaseLost";
  }
}

const mostTries = 50;

/** Artifacts are stored first: an event never names an artifact that is not there. */
async function store(ports: EnginePorts, artifacts: readonly NewArtifact[]): Promise<void> {
  for (const { ref, text } of artifacts) {
    const { kind, mediaType, summary } = ref;
    const put = await ports.artifacts.put(text, { kind, mediaType, summary });
    if (put.ref !== ref.ref) throw new Error(`Artifact ${ref.ref} was stored as ${put.ref}.`);
  }
}

type Accepted = Extract<DecideResult, { ok: true }>;

async function append(
  ports: EnginePorts,
  decision: Accepted,
  expectedSeq: number,
  at: number,
  lease: number | undefined,
) {
  await store(ports, decision.artifacts);
  const { run } = decision;
  const snapshot = ports.version === undefined ? undefined : snapshotOf(run, ports.version);
  const result = await ports.log.append({
    runId: run.runId,
    expectedSeq,
    at,
    // Parsed, so that each event is exactly one that a later reader accepts.
    events: decision.events.map((event) => runEvent.parse(event)),
    row: rowOf(run),
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(lease === undefined ? {} : { lease }),
  });
  if (result.ok) ports.appended?.(result.stored);
  return result;
}

export type LaterCommand = Exclude<RunCommand, CreateRun>;

/** Decides on commands one after the other, as if each were written before the next is decided. */
export function decideAll(run: Run, commands: readonly LaterCommand[], at: number, ports: EnginePorts): DecideResult {
  let all: Accepted = { ok: true, events: [], artifacts: [], run };
  for (const command of commands) {
    const more = decide(all.run, command, at, ports);
    if (!more.ok) return more;
    const events = [...all.events, ...more.events];
    all = { ok: true, events, artifacts: [...all.artifacts, ...more.artifacts], run: more.run };
  }
  return all;
}

/** All of the commands or none, in one append. A conflict comes from another process: in this one the run has one turn. */
export async function commit(
  ports: EnginePorts,
  turn: Turn,
  commands: readonly LaterCommand[],
  lease?: number,
): Promise<Committed> {
  const { runId } = turn;
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const run = await turn.known();
    // Time does not go back in a log, whatever the clock does.
    const at = Math.max(ports.clock.now(), run.updatedAt);
    const decision = decideAll(run, commands, at, ports);
    if (!decision.ok || decision.events.length === 0) {
      // Nothing is appended, so no conflict shows that another process has moved the run.
      if ((await turn.current()) !== run) continue;
      return decision.ok ? { ok: true, run, stored: [] } : decision;
    }
    const result = await append(ports, decision, run.seq, at, lease);
    if (result.ok) return { ok: true, run: turn.learn(decision.run), stored: result.stored };
    if (result.conflict === "lease_lost") throw new LeaseLost(runId);
    turn.forget();
  }
  throw new FailureError({
    code: "conflict",
    message: `Run ${runId} changes faster than this command can be decided.`,
    remedy: "Try again.",
  });
}

export async function commitNew(ports: EnginePorts, turn: Turn, command: CreateRun): Promise<Committed> {
  const { runId } = turn;
  const at = ports.clock.now();
  const decision = decideCreate(command, runId, at, ports);
  if (!decision.ok) return decision;
  const result = await append(ports, decision, 0, at, undefined);
  if (!result.ok) throw new Error(`The new run ${runId} exists already.`);
  return { ok: true, run: turn.learn(decision.run), stored: result.stored };
}
