// Decides effects that only change documents. A store reads the documents, decides and writes the change in the transaction of
// the call.
import { canonicalJson } from "../../platform/store/index.ts";
import { decideCompletion, type ToolResult } from "../rules/index.ts";
import type { Configuration, DirectEffect, NewCall, SandboxRun, SandboxSession } from "./port.ts";

/** The documents, read under the lock of the transaction. */
export interface EffectFacts {
  readonly session: SandboxSession | undefined;
  /** The configuration of the session. */
  readonly configuration: Configuration | undefined;
  /** The run that a completion names. */
  readonly run: SandboxRun | undefined;
}

export interface EffectChange {
  readonly result: ToolResult;
  /** 0 if the store does not change. */
  readonly effects: number;
  readonly session?: Partial<SandboxSession>;
  readonly configuration?: Partial<Configuration>;
  /** The new state of the run; the run may be new. */
  readonly run?: SandboxRun;
  /** When the outbox stops the sandbox of the session. */
  readonly stopAt?: number;
}

const graceMs = 3_000;
const refused = (result: string): EffectChange => ({ result: { success: false, result }, effects: 0 });

export function decideEffect(facts: EffectFacts, call: NewCall, effect: DirectEffect): EffectChange {
  if (effect.kind === "refused") return { result: effect.result, effects: 0 };
  const { session, configuration } = facts;
  if (!session) return refused("The session is gone.");
  if (effect.kind === "completion") return complete(session, facts.run, call, effect);
  if (!configuration) return refused("Session has no configuration to save to.");
  const { id } = configuration;
  const more = { updatedBy: session.createdBy, updatedAt: call.now };
  if (effect.kind === "service_commands") {
    const names = effect.commands.map(({ name }) => name).join(", ");
    const data = { configurationId: id, commandCount: effect.commands.length };
    const result = { success: true, result: `Saved service commands: ${names}.`, data };
    return { result, effects: 1, configuration: { serviceCommands: effect.commands, ...more } };
  }
  const paths = effect.files.map(({ path }) => path).join(", ");
  const data = { configurationId: id, fileCount: effect.files.length };
  const result = { success: true, result: `Saved env files: ${paths}.`, data };
  return { result, effects: 1, configuration: { envFiles: effect.files, ...more } };
}

function complete(
  session: SandboxSession,
  known: SandboxRun | undefined,
  { now }: NewCall,
  { completion, hash, open }: Extract<DirectEffect, { kind: "completion" }>,
): EffectChange {
  const { run_id: runId, completion_id: completionId, outcome } = completion;
  if (session.runId !== null && session.runId !== runId) return refused("This session works on another run.");
  const made = open && session.runId === null && !known;
  const blank = { completionId: null, completionHash: null, completion: null, completedAt: null };
  const run: SandboxRun | undefined = made
    ? { id: runId, sessionId: session.id, status: "running", createdAt: now, ...blank }
    : known;
  const decision = decideCompletion(run, { sessionId: session.id, completionId, hash });
  if (!decision.complete || !run) return { result: decision.result, effects: 0 };
  const parsed = JSON.parse(canonicalJson(completion)) as typeof completion;
  const end = { completionId, completionHash: hash, completion: parsed, completedAt: now };
  return {
    result: { ...decision.result, data: { runId, outcome } },
    effects: 1,
    run: { ...run, status: outcome, ...end },
    session: { runId, outcome, summary: completion.summary_markdown ?? null },
    // The sandbox stops after 3 s, so the agent still gets its answer.
    stopAt: now + graceMs,
  };
}
