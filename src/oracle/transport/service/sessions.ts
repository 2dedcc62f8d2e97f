// The stored sessions, local and shared: read, followed, cancelled, restarted and removed.
import { setTimeout as pause } from "node:timers/promises";
import type { Transport } from "../../../core/contract/transport/index.ts";
import { cancelSession, followSession } from "../background/follow.ts";
import type { SpawnRunner } from "../background/start.ts";
import { ageMs } from "../options/time-span.ts";
import { type SessionFolder, sessionFolder } from "../sessions/folder.ts";
import { bornMs, isOneNewborn, listSessions, prunable, removeSession } from "../sessions/list.ts";
import { isSessionOpen, readSession } from "../sessions/read.ts";
import { outcomeOf, restartSession, viewOf, type OracleServiceDeps } from "./run.ts";

type Sessions = Pick<Transport, "follow" | "list" | "view" | "outcome" | "cancel" | "restart" | "remove" | "prune">;

export function sessionsOf(deps: OracleServiceDeps & { readonly spawn: SpawnRunner }): Sessions {
  const { home, now, exchange } = deps;
  /** Uses a session; a state that the read corrected is stored for other machines too. */
  const seen = async <T>(id: string, use: (folder: SessionFolder) => T | Promise<T>): Promise<T> => {
    const folder = sessionFolder(home, id);
    await exchange?.fetch(id);
    const result = await use(folder);
    await exchange?.keepChanged();
    return result;
  };
  const lookAt = (folder: SessionFolder) => readSession(folder, now(), exchange?.silentMs);
  const remove = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      await exchange?.fetch(id);
      removeSession(home, id, now(), exchange?.silentMs);
      await exchange?.remove(id);
    }
  };
  return {
    follow: (id, watch) =>
      seen(id, async (folder) => {
        const refresh = exchange && (() => exchange.fetch(id));
        const end = await followSession({
          folder,
          now,
          ...watch,
          ...(refresh ? { refresh, silentMs: exchange.silentMs } : {}),
        });
        return isSessionOpen(end.record) ? viewOf(folder, end) : outcomeOf(folder, end);
      }),
    list: async () => {
      await exchange?.refresh();
      const found = listSessions(home, now(), exchange?.silentMs);
      await exchange?.keepChanged();
      return found.map((listed) =>
        listed.kind === "session"
          ? { id: listed.folder.id, view: viewOf(listed.folder, listed.seen), upstream: null, problem: null }
          : listed.kind === "upstream"
            ? { id: listed.folder.id, view: null, upstream: listed.seen, problem: null }
            : { id: listed.folder.id, view: null, upstream: null, problem: listed.why },
      );
    },
    view: (id) => seen(id, (folder) => viewOf(folder, lookAt(folder))),
    outcome: (id) => seen(id, (folder) => outcomeOf(folder, lookAt(folder))),
    cancel: (id) => seen(id, async (folder) => viewOf(folder, await cancelSession(folder, now, exchange?.silentMs))),
    restart: (id, how) => seen(id, () => restartSession(deps, id, how, deps.spawn)),
    remove,
    async prune(olderThan, dryRun) {
      await exchange?.refresh();
      if (olderThan === null && isOneNewborn(home, now())) await pause(bornMs);
      const ids = prunable(
        home,
        { before: now() - (olderThan === null ? 0 : ageMs(olderThan, "--older-than")) + 1, broken: olderThan === null },
        now(),
        exchange?.silentMs,
      );
      if (!dryRun) await remove(ids);
      return ids;
    },
  };
}
