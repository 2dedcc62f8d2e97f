// The snapshots of a session for a person: list them, save one, and go back to one. The present state is saved before it is
// replaced, so going back loses nothing.
import { randomUUID } from "node:crypto";
import { fail } from "../../core/contract/index.ts";
import type { SandboxSession, Snapshot } from "../store/index.ts";
import type { SandboxSessions } from "./sessions.ts";
import { snapshotNow, type ToolDeps } from "./tools.ts";

export interface SavedState extends Snapshot {
  /** The next sandbox of the session starts from it. */
  readonly current: boolean;
}

export interface Restored {
  readonly session: SandboxSession;
  readonly snapshotId: string;
  /** The snapshot of the state before; null if the session had no sandbox. */
  readonly before: string | null;
}

export interface SavedStates {
  /** The snapshots of the session and of its configuration, the newest first. */
  of(sessionId: string): Promise<SavedState[]>;
  save(sessionId: string, message: string): Promise<{ readonly snapshotId: string; readonly target: string }>;
  restore(sessionId: string, snapshotId: string): Promise<Restored>;
}

export function savedStates(deps: ToolDeps, sessions: SandboxSessions): SavedStates {
  const take = async (session: SandboxSession, message: string, adopt: boolean) => {
    const request = { session, callId: `person:${randomUUID()}`, message, adopt };
    const { result } = await deps.alone(session.id, () => snapshotNow(deps, request));
    return result.data as { readonly snapshotId: string; readonly target: string };
  };
  return {
    async of(sessionId) {
      const { id, configurationId, snapshotId } = await sessions.find(sessionId);
      const configuration = configurationId === null ? undefined : await deps.store.configuration(configurationId);
      const current = snapshotId ?? configuration?.snapshotId;
      const own = ({ sessionId: of, configurationId: at }: Snapshot): boolean =>
        of === id || (at !== null && at === configurationId);
      return (await deps.store.snapshots()).filter(own).map((one) => ({ ...one, current: one.id === current }));
    },
    save: async (sessionId, message) => take(await sessions.find(sessionId), message, true),
    async restore(sessionId, snapshotId) {
      const found = (await this.of(sessionId)).find(({ id }) => id === snapshotId);
      if (!found) return fail("not_found", `The session ${sessionId} has no snapshot ${snapshotId}.`);
      if (found.state !== "ready" || (await deps.sandboxes.hasSnapshot(found.label)) === "no")
        fail("conflict", `The snapshot ${snapshotId} is not complete.`, { remedy: "Choose another one." });
      let before: string | null = null;
      const session = await sessions.restart(sessionId, async (now) => {
        if (now.status === "running")
          before = (await take(now, `before going back to ${snapshotId}`, false)).snapshotId;
        return { snapshotId };
      });
      return { session, snapshotId, before };
    },
  };
}
