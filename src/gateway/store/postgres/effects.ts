// Performs an effect that is only data, inside the transaction of its call.
import { decideEffect, type EffectChange } from "../effects.ts";
import type { Configuration, DirectEffect, NewCall, SandboxRun, SandboxSession } from "../port.ts";
import type { All, Documents } from "./documents.ts";

export interface Tables {
  readonly schema: string;
  readonly sessions: Documents<SandboxSession>;
  readonly configurations: Documents<Configuration>;
  readonly runs: Documents<SandboxRun>;
}

/** Locks come in one order: the session, the name of the run, the configuration. */
export async function applyEffect(
  all: All,
  { schema, sessions, configurations, runs }: Tables,
  call: NewCall,
  effect: DirectEffect,
): Promise<Pick<EffectChange, "result" | "effects">> {
  const session = await sessions.lock(all, call.sessionId);
  const runId = effect.kind === "completion" ? effect.completion.run_id : undefined;
  // A run that is not there yet has no row to lock.
  if (runId !== undefined)
    await all("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${schema} gateway run ${runId}`]);
  const configurationId = session?.configurationId ?? null;
  const facts = {
    session,
    configuration: configurationId === null ? undefined : await configurations.lock(all, configurationId),
    run: runId === undefined ? undefined : await runs.get(all, runId),
  };
  const change = decideEffect(facts, call, effect);
  if (change.session) await sessions.change(all, call.sessionId, change.session);
  if (change.configuration && configurationId !== null)
    await configurations.change(all, configurationId, change.configuration);
  if (change.run) await runs.put(all, change.run, change.run.createdAt);
  if (change.stopAt !== undefined)
    await all(`INSERT INTO ${schema}.gateway_outbox (session_id, attempts, due_at) VALUES ($1, 0, $2)`, [
      call.sessionId,
      change.stopAt,
    ]);
  return change;
}
