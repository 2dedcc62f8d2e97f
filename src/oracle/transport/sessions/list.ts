// All sessions of a home folder: listed newest first, and removed on request.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { fail } from "../../../core/contract/index.ts";
import { homeFault, sessionFolder, sessionsRoot, slugPattern, type SessionFolder } from "./folder.ts";
import { noSession } from "./missing.ts";
import { type SessionState, isSessionOpen, readSession, ownSessions } from "./read.ts";
import { loadRecord } from "./record.ts";
import { readUpstream, refuseUpstream, type UpstreamSession } from "./upstream.ts";

type ListedFolder =
  | { readonly kind: "session"; readonly folder: SessionFolder; readonly seen: SessionState }
  /** A session of steipete/oracle, which keeps its sessions in the same folder. */
  | { readonly kind: "upstream"; readonly folder: SessionFolder; readonly seen: UpstreamSession }
  | { readonly kind: "unreadable"; readonly folder: SessionFolder; readonly why: string };

function names(home: string): string[] {
  try {
    return readdirSync(sessionsRoot(home), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && slugPattern.test(entry.name))
      .map((entry) => entry.name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    return homeFault(home, error);
  }
}

const createdAt = (listed: ListedFolder) =>
  listed.kind === "session"
    ? listed.seen.record.createdAt
    : listed.kind === "upstream"
      ? (listed.seen.createdAt ?? "")
      : "";

export function listSessions(home: string, now: number, silentMs = ownSessions): ListedFolder[] {
  return names(home)
    .map((name): ListedFolder => {
      const folder = sessionFolder(home, name);
      const loaded = loadRecord(folder);
      if (loaded.kind === "ok") return { kind: "session", folder, seen: readSession(folder, now, silentMs) };
      const upstream = readUpstream(folder);
      if (upstream) return { kind: "upstream", folder, seen: upstream };
      const why = loaded.kind === "absent" ? "session.json is missing" : loaded.why;
      return { kind: "unreadable", folder, why };
    })
    .sort((a, b) => createdAt(b).localeCompare(createdAt(a)) || a.folder.id.localeCompare(b.folder.id));
}

/** Removes an ended session. An open session is refused: it must be cancelled first. */
export function removeSession(home: string, id: string, now: number, silentMs = ownSessions): void {
  const folder = sessionFolder(home, id);
  const loaded = loadRecord(folder);
  if (loaded.kind === "absent" && !names(home).includes(id)) return noSession(folder);
  if (loaded.kind !== "ok") refuseUpstream(folder);
  if (loaded.kind === "ok" && isSessionOpen(readSession(folder, now, silentMs).record))
    return fail("conflict", `Session "${id}" is still running.`, {
      remedy: `Cancel it first with: oracle cancel ${id}`,
    });
  rmSync(folder.dir, { recursive: true, force: true });
}

interface PruneRule {
  /** Sessions that ended before this moment. */
  readonly before: number;
  /** Broken ones too, whose end is not known. */
  readonly broken: boolean;
}

/** A folder without session.json may be one that another process makes at this moment. */
export const bornMs = 2_000;

const newborn = (folder: SessionFolder, now: number): boolean =>
  !existsSync(folder.session) && now - statSync(folder.dir).mtimeMs < bornMs;

/** Whether a session may be in the making, so that nobody can tell yet whether it is broken. */
export const isOneNewborn = (home: string, now: number): boolean =>
  names(home).some((name) => newborn(sessionFolder(home, name), now));

export function prunable(home: string, rule: PruneRule, now: number, silentMs = ownSessions): string[] {
  return listSessions(home, now, silentMs)
    .filter(
      (listed) =>
        (listed.kind === "unreadable" && rule.broken && !newborn(listed.folder, now)) ||
        (listed.kind === "session" &&
          !isSessionOpen(listed.seen.record) &&
          Date.parse(listed.seen.record.endedAt ?? listed.seen.record.updatedAt) < rule.before),
    )
    .map((listed) => listed.folder.id);
}
