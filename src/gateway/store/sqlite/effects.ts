// Performs an effect that is only data, inside the transaction of its call.
import type { Database } from "../../../platform/store/index.ts";
import { decideEffect, type EffectChange } from "../effects.ts";
import type { Configuration, DirectEffect, NewCall, SandboxRun, SandboxSession } from "../port.ts";
import type { Documents } from "./documents.ts";

export interface Tables {
  readonly database: Database;
  readonly sessions: Documents<SandboxSession>;
  readonly configurations: Documents<Configuration>;
  readonly runs: Documents<SandboxRun>;
}

export function applyEffect(
  { database, sessions, configurations, runs }: Tables,
  call: NewCall,
  effect: DirectEffect,
): Pick<EffectChange, "result" | "effects"> {
  const session = sessions.get(call.sessionId);
  const configurationId = session?.configurationId ?? null;
  const change = decideEffect(
    {
      session,
      configuration: configurationId === null ? undefined : configurations.get(configurationId),
      run: effect.kind === "completion" ? runs.get(effect.completion.run_id) : undefined,
    },
    call,
    effect,
  );
  if (change.session) sessions.change(call.sessionId, change.session);
  if (change.configuration && configurationId !== null)
    configurations.change(configurationId, change.configuration);
  if (change.run) runs.put(change.run, change.run.createdAt);
  if (change.stopAt !== undefined)
    database.run(
      "INSERT INTO outbox (kind, session_id, attempts, due_at) VALUES ('stop_session', ?, 0, ?)",
      call.sessionId,
      change.stopAt,
    );
  return change;
}
