// Effects that are nothing but data: they change the store in the same transaction as the call that asked for them.
import { canonicalJson, type Database } from "../../../store/index.ts";
import { decideCompletion, type ToolResult } from "../../rules/index.ts";
import type { Configuration, DirectEffect, NewCall, Run, Session } from "../port.ts";
import type { Documents } from "./documents.ts";

export interface Tables {
  readonly database: Database;
  readonly sessions: Documents<Session>;
  readonly configurations: Documents<Configuration>;
  readonly runs: Documents<Run>;
}

export interface Applied {
  readonly result: ToolResult;
  /** 0 when the store stands as it stood before. */
  readonly effects: number;
}

export function applyEffect(tables: Tables, call: NewCall, effect: DirectEffect): Applied {
  if (effect.kind === "refused") return { result: effect.result, effects: 0 };
  const session = tables.sessions.get(call.sessionId);
  if (!session) return { result: { success: false, result: "The session is gone." }, effects: 0 };
  if (effect.kind === "completion") return complete(tables, call, session, effect);
  const { configurationId: id, createdBy } = session;
  if (id === null || !tables.configurations.get(id))
    return { result: { success: false, result: "Session has no configuration to save to." }, effects: 0 };
  const more = { updatedBy: createdBy, updatedAt: call.now };
  if (effect.kind === "service_commands") {
    tables.configurations.change(id, { serviceCommands: effect.commands, ...more });
    const names = effect.commands.map(({ name }) => name).join(", ");
    const data = { configurationId: id, commandCount: effect.commands.length };
    return { result: { success: true, result: `Saved service commands: ${names}.`, data }, effects: 1 };
  }
  tables.configurations.change(id, { envFiles: effect.files, ...more });
  const paths = effect.files.map(({ path }) => path).join(", ");
  const data = { configurationId: id, fileCount: effect.files.length };
  return { result: { success: true, result: `Saved env files: ${paths}.`, data }, effects: 1 };
}

function complete(
  { database, sessions, runs }: Tables,
  call: NewCall,
  session: Session,
  { completion, hash, open }: Extract<DirectEffect, { kind: "completion" }>,
): Applied {
  const { run_id: runId, completion_id: completionId, outcome } = completion;
  if (session.runId !== null && session.runId !== runId)
    return { result: { success: false, result: "This session works on another run." }, effects: 0 };
  if (open && session.runId === null && !runs.get(runId)) {
    const made = { id: runId, sessionId: session.id, status: "running", createdAt: call.now } as const;
    const blank = { completionId: null, completionHash: null, completion: null, completedAt: null };
    runs.add({ ...made, ...blank }, call.now);
    sessions.change(session.id, { runId });
  }
  const { complete: now, result } = decideCompletion(runs.get(runId), {
    sessionId: session.id,
    completionId,
    hash,
  });
  if (!now) return { result, effects: 0 };
  runs.change(runId, {
    status: outcome,
    completionId,
    completionHash: hash,
    completion: JSON.parse(canonicalJson(completion)) as typeof completion,
    completedAt: call.now,
  });
  sessions.change(session.id, { outcome, summary: completion.summary_markdown ?? null });
  // The sandbox ends a moment later, so that the agent still gets its answer.
  database.run(
    "INSERT INTO outbox (kind, session_id, attempts, due_at) VALUES ('stop_session', ?, 0, ?)",
    session.id,
    call.now + graceMs,
  );
  return { result: { ...result, data: { runId, outcome } }, effects: 1 };
}

const graceMs = 3_000;
