// Starting runs: here, in a process of their own, and again from a session that ended.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { diskFailure, fail } from "../../../core/contract/index.ts";
import type {
  ConversationRef,
  ResolvedRequest,
  RunOutcome,
  RunRequest,
  RunResult,
  SessionView,
  SessionWatch,
} from "../../../core/contract/transport/index.ts";
import { payloadSchema, startDetachedSession, type SpawnRunner } from "../background/start.ts";
import { durationMs } from "../options/time-span.ts";
import type { OracleRunDeps } from "../ports.ts";
import { refuseApprovals } from "../run/approvals.ts";
import { executeRun } from "../run/execute.ts";
import { sessionFolder, type SessionFolder } from "../sessions/folder.ts";
import { openLog } from "../sessions/log.ts";
import { isSessionOpen, readSession, type SessionState } from "../sessions/read.ts";
import { LiveRecord, createSession, mustLoad } from "../sessions/record.ts";
import { shareRun, type Exchange } from "../shared-sessions/exchange.ts";
import { refuseTwin, runningTwin } from "./twin.ts";

export const viewOf = (folder: SessionFolder, seen: SessionState): SessionView => ({
  ...seen,
  folder: folder.dir,
});

const textAt = (path: string | null) => (path !== null && existsSync(path) ? readFileSync(path, "utf8") : null);

export function outcomeOf(
  folder: SessionFolder,
  seen: SessionState,
  problems: RunOutcome["problems"] = [],
): RunOutcome {
  const { result } = seen;
  if (result === null)
    return fail("conflict", `Session "${folder.id}" has not ended.`, {
      remedy: `Follow it with: oracle attach ${folder.id}`,
    });
  return {
    ...seen,
    result,
    folder: folder.dir,
    answer: textAt(result.answerPath),
    diff: textAt(result.diffPath),
    problems,
  };
}

const currentView = (folder: SessionFolder, now: () => number) => viewOf(folder, readSession(folder, now()));

interface Start {
  readonly resume?: ConversationRef;
  readonly restartedFrom?: string;
}

/** The dependencies of a run whose session may be shared. */
export interface OracleServiceDeps extends OracleRunDeps {
  readonly exchange?: Exchange | undefined;
}

/** Claims a name that no other session has, here or in the shared store, before anything is sent. */
async function newSession(deps: OracleServiceDeps, { request }: ResolvedRequest, from?: string): Promise<LiveRecord> {
  refuseApprovals(deps, request);
  const taken: LiveRecord[] = [];
  try {
    for (;;) {
      const live = openSession(deps, request, from);
      const twin = request.force === true ? undefined : runningTwin(deps.home, live, deps.now());
      if (twin !== undefined) {
        taken.push(live);
        return refuseTwin(twin);
      }
      if (!deps.exchange || (await deps.exchange.add(live.folder))) return live;
      taken.push(live);
    }
  } catch (error) {
    throw diskFailure(error) ?? error;
  } finally {
    for (const { folder } of taken) rmSync(folder.dir, { recursive: true, force: true });
  }
}

function openSession(deps: OracleRunDeps, request: RunRequest, from?: string): LiveRecord {
  return createSession({
    home: deps.home,
    request,
    now: deps.now,
    owner: deps.owner(),
    redact: (text) => deps.redact(text).text,
    ...(from === undefined ? {} : { restartedFrom: from }),
  });
}

export async function runHere(
  deps: OracleServiceDeps,
  resolved: ResolvedRequest,
  watch: SessionWatch,
): Promise<RunOutcome> {
  const live = await newSession(deps, resolved);
  watch.onLine(`session ${live.folder.id}`);
  const log = openLog({
    path: live.folder.log,
    now: deps.now,
    redact: (text) => deps.redact(text).text,
    echo: watch.onLine,
  });
  const shared = shareRun(deps.exchange, live.folder, (line) => log.line(line));
  const { result, problems, answer } = await executeRun({
    live,
    share: shared.now,
    request: resolved.request,
    deps,
    log: (line) => log.line(line),
    signal: watch.signal,
    resume: null,
    warnings: resolved.warnings,
    ...(watch.onText ? { onText: watch.onText } : {}),
  });
  await tellDesktop(deps, resolved.request, result, (line) => log.line(line));
  // On a full disk the answer exists only in memory.
  const outcome = outcomeOf(live.folder, { record: live.current, result }, [...problems, ...(await shared.end())]);
  return outcome.answer === null && answer !== null ? { ...outcome, answer } : outcome;
}

export async function startDetached(
  deps: OracleServiceDeps,
  resolved: ResolvedRequest,
  spawn: SpawnRunner,
  start: Start = {},
): Promise<SessionView> {
  const live = await newSession(deps, resolved, start.restartedFrom);
  await startDetachedSession(
    live,
    { request: resolved.request, resume: start.resume ?? null, warnings: resolved.warnings },
    spawn,
  );
  return currentView(live.folder, deps.now);
}

/** The name of the session and how it ended; never a text of the request or the answer. */
async function tellDesktop(
  deps: OracleRunDeps,
  request: RunRequest,
  { sessionId, status }: RunResult,
  log: (line: string) => void,
): Promise<void> {
  if (request.notify !== true) return;
  const notice = { title: `oracle: ${status}`, text: `Session ${sessionId ?? ""} has ended.` };
  const why = deps.notify === undefined ? "there is no desktop here" : await deps.notify(notice);
  if (why !== undefined) log(`no notice was shown: ${why}`);
}

interface HandedOver {
  readonly sessionId: string;
  readonly payload: string;
  readonly ready: () => void;
  readonly signal: AbortSignal;
}

/** Runs only a pending session: one that was declared dead meanwhile stays so. */
export async function runHandedOver(deps: OracleServiceDeps, { sessionId, payload, ready, signal }: HandedOver) {
  const folder = sessionFolder(deps.home, sessionId);
  const record = mustLoad(folder);
  if (record.status !== "pending")
    return fail("conflict", `Session "${sessionId}" is ${record.status}; nothing to take over.`);
  const { request, resume, warnings } = payloadSchema.parse(JSON.parse(payload));
  refuseApprovals(deps, request);
  const live = new LiveRecord(folder, record, deps.now);
  live.update({ process: deps.owner() });
  ready();
  const log = openLog({ path: folder.log, now: deps.now, redact: (text) => deps.redact(text).text });
  const line = (text: string) => log.line(text);
  const shared = shareRun(deps.exchange, folder, line);
  const run = { live, request, deps, log: line, signal, resume: refOf(resume), warnings, share: shared.now };
  const { result } = await executeRun(run);
  for (const { message } of await shared.end()) line(message);
  await tellDesktop(deps, request, result, line);
  return result;
}

/** The schema reads optional keys as possibly undefined; the stored value has no such key. */
const refOf = (ref: object | null) => ref as ConversationRef | null;

export async function restartSession(
  deps: OracleServiceDeps,
  id: string,
  { fresh, timeout }: { readonly fresh: boolean; readonly timeout?: string },
  spawn: SpawnRunner,
): Promise<SessionView> {
  const folder = sessionFolder(deps.home, id);
  const { record } = readSession(folder, deps.now(), deps.exchange?.silentMs);
  if (isSessionOpen(record))
    return fail("conflict", `Session "${id}" is still running.`, {
      remedy: `Follow it with: oracle attach ${id}`,
    });
  const { promptRedacted, ...stored } = record.options;
  const request = timeout === undefined ? stored : { ...stored, timeoutMs: durationMs(timeout, "--timeout") };
  const ref = record.conversation;
  // An API stores the answer under its id; a page stores it in the conversation once the message was sent.
  const isStored = (ref?.background === true && ref.responseId !== undefined) || ref?.stage !== undefined;
  const isWaiting = !fresh && record.status !== "success" && isStored;
  if (promptRedacted && !isWaiting)
    return fail("invalid_input", `The prompt of "${id}" held secrets and was stored without them.`, {
      remedy: "Send it anew from its source with: oracle --prompt …",
    });
  const start = { restartedFrom: id, ...(isWaiting ? { resume: refOf(ref) as ConversationRef } : {}) };
  return await startDetached(deps, { request, warnings: [] }, spawn, start);
}
