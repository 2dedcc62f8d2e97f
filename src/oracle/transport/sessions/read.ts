// The state of a session: its record, corrected when its process has died (T-30).
import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join, sep } from "node:path";
import type { RunError, RunResult, SessionRecord } from "../../../core/contract/transport/index.ts";
import { resultSchema } from "../../../core/contract/transport/schema/index.ts";
import { isAlive } from "../../../platform/system/index.ts";
import { errorResult } from "../../../core/contract/transport/index.ts";
import { mayReplace } from "../outputs.ts";
import { writeJson } from "./atomic-file.ts";
import type { SessionFolder } from "./folder.ts";
import { mustLoad } from "./record.ts";

/** A process on another machine cannot be probed: it counts as dead when its last heartbeat is older than this. */
const silenceMs = 10 * 60_000;

/** A shared session has a heartbeat every 5 s. */
const sharedSilenceMs = 60_000;

/** For a session of another machine: the time since its last heartbeat, by the clock of the shared store. */
export type SilentMs = (id: string) => number | undefined;
export const ownSessions: SilentMs = () => undefined;

export interface SessionState {
  readonly record: SessionRecord;
  readonly result: RunResult | null;
  /** Set when the corrected state could not be written, e.g. on a full disk. */
  readonly unsaved?: string;
}

export const isSessionOpen = (record: SessionRecord) => record.status === "pending" || record.status === "running";

export function readResult(path: string): RunResult | null {
  if (!existsSync(path)) return null;
  try {
    const parsed = resultSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not JSON, so it is not a result.
    return null;
  }
}

function hasDied(record: SessionRecord, now: number, silentMs: number | undefined): boolean {
  if (!isSessionOpen(record)) return false;
  // The local files are a copy: the process may have ended well since the copy was made.
  if (silentMs !== undefined) return silentMs > sharedSilenceMs;
  if (record.process === null) return true;
  const alive = isAlive(record.process);
  if (alive !== undefined) return !alive;
  return now - Date.parse(record.heartbeatAt ?? record.updatedAt) > silenceMs;
}

function remedyFor(record: SessionRecord): string {
  // A patch that is in the tree must not be requested again.
  if (record.made?.commitSha != null)
    return `The commit ${record.made.commitSha} is there; look at it: git show ${record.made.commitSha}`;
  if (record.made?.treeHoldsPatch === true || record.stage in inTheMiddle)
    return `Look at the tree first: git status, git log. The diff is in ${record.made?.diffPath ?? "the session's folder"}.`;
  return record.conversation?.background === true && record.conversation.responseId !== undefined
    ? `The server may have gone on: oracle restart ${record.id} fetches that answer without sending again.`
    : `Start it again with: oracle restart ${record.id}`;
}

/** Steps that may have finished without a record of it. */
const inTheMiddle: Readonly<Record<string, string>> = {
  applying: "It ended while the patch was applied; see git status for whether the tree holds it.",
  committing: "It ended while the commit was made; see git log for whether there is one.",
  pushing: "It ended while the commit was pushed; see git status -sb for whether it arrived.",
};

function resultFrom(record: SessionRecord, error: RunError): RunResult {
  const last = record.heartbeatAt ?? record.updatedAt;
  const unknown = inTheMiddle[record.stage];
  return errorResult(error, {
    ...record.made,
    warnings: unknown === undefined ? [] : [unknown],
    sessionId: record.id,
    engine: record.mode,
    model: record.model,
    applyMode: record.options.git.applyMode,
    promptChars: record.options.prompt.length,
    elapsedMs: Math.max(0, Date.parse(last) - Date.parse(record.createdAt)),
  });
}

/** The record and result of a run whose process died, or could not write its result. */
function closeDead(
  folder: SessionFolder,
  record: SessionRecord,
  result: RunResult | null,
  now: number,
): [SessionRecord, RunResult] {
  const at = new Date(now).toISOString();
  const last = record.heartbeatAt ?? record.updatedAt;
  const died: RunError = {
    code: "interrupted",
    message: `The process of this run (pid ${record.process?.pid ?? "unknown"}) ended without finishing it; last seen ${last} while: ${record.stage}.`,
    remedy: remedyFor(record),
  };
  const derived = resultFrom(record, (isSessionOpen(record) ? null : record.error) ?? died);
  const answerPath = derived.answerPath ?? [folder.answer, folder.partial].find((path) => existsSync(path)) ?? null;
  const final = result ?? { ...derived, answerPath };
  const endedAt = record.endedAt ?? at;
  return [{ ...record, status: final.status, error: final.error, endedAt, updatedAt: at, temporary: [] }, final];
}

/** Only files under the session's own folder are removed: the list is read from disk, so it is not trusted. */
export function removeTemporary(folder: SessionFolder, listed: readonly string[]): void {
  for (const path of listed)
    if (path.startsWith(folder.dir + sep) && !path.includes("..")) rmSync(path, { recursive: true, force: true });
  rmSync(folder.temporary, { recursive: true, force: true });
}

/** Removes temporary files of a process that died during a write. */
function removeDrafts(folder: SessionFolder): void {
  for (const name of readdirSync(folder.dir))
    if (name.endsWith(".tmp")) rmSync(join(folder.dir, name), { force: true });
}

export function readSession(folder: SessionFolder, now: number, silentMs = ownSessions): SessionState {
  const record = mustLoad(folder);
  const result = readResult(folder.result);
  const settled = isSessionOpen(record) ? !hasDied(record, now, silentMs(folder.id)) : result !== null;
  if (settled) return { record, result: isSessionOpen(record) ? null : result };
  const [corrected, final] = closeDead(folder, record, result, now);
  try {
    if (!record.options.files.keepBundle) removeTemporary(folder, record.temporary);
    removeDrafts(folder);
    if (result === null) {
      writeJson(folder.result, final);
      // The process may have died before it checked the file at this path.
      const { json } = record.options.outputs;
      if (json !== null && mayReplace("json", json)) writeJson(json, final);
    }
    writeJson(folder.session, corrected);
    return { record: corrected, result: final };
  } catch (error) {
    const unsaved = error instanceof Error ? error.message : String(error);
    return { record: corrected, result: final, unsaved };
  }
}
