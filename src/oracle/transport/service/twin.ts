// A request that runs already is not sent a second time by mistake: a client that lost its answer often starts it anew.
import { readdirSync, statSync } from "node:fs";
import { fail, systemCode } from "../../../core/contract/index.ts";
import type { SessionRecord } from "../../../core/contract/transport/index.ts";
import { sessionFolder, sessionsRoot, slugPattern } from "../sessions/folder.ts";
import { isSessionOpen, readSession } from "../sessions/read.ts";
import { loadRecord, type LiveRecord } from "../sessions/record.ts";

/** A running session writes its heartbeat every few seconds; a record that is older belongs to an ended one. */
const recentMs = 60 * 60_000;

/** What is asked, of what, and what becomes of the answer; not the name of the session, its outputs and its times. */
function asked({ options, mode, model, cwd }: SessionRecord): string {
  const { prompt, next, followup, files, browser, api, diff, git } = options;
  const at = browser?.url ?? [api?.provider, api?.baseUrl];
  return JSON.stringify([mode, model, cwd, at, prompt, next ?? [], followup, files, diff, git]);
}

/** Of two equal requests the one that was recorded first goes on. */
const isOlder = (one: SessionRecord, other: SessionRecord) =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id);

function openSince(home: string, since: number): string[] {
  try {
    return readdirSync(sessionsRoot(home)).filter((name) => {
      if (!slugPattern.test(name)) return false;
      const written = statSync(sessionFolder(home, name).session, { throwIfNoEntry: false });
      return written !== undefined && written.mtimeMs > since;
    });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The older session that asks the same and runs now. Looked for after the own session is recorded: two never miss each other. */
export function runningTwin(home: string, live: LiveRecord, now: number): string | undefined {
  const own = live.current;
  const key = asked(own);
  return openSince(home, now - recentMs).find((id) => {
    if (id === own.id) return false;
    const folder = sessionFolder(home, id);
    const loaded = loadRecord(folder);
    if (loaded.kind !== "ok" || !isSessionOpen(loaded.record)) return false;
    if (asked(loaded.record) !== key || !isOlder(loaded.record, own)) return false;
    return isSessionOpen(readSession(folder, now).record);
  });
}

export const refuseTwin = (id: string): never =>
  fail("conflict", `The same request runs already as session "${id}". It was not sent again.`, {
    remedy: `Follow it with: oracle attach ${id}; to send it a second time: --force`,
  });
