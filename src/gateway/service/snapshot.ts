// `save_snapshot`: the intent is stored before the provider is called, under a label made from the call. A recovery finds by
// the label whether the snapshot was taken.
import { sha256 } from "../../platform/store/index.ts";
import type { Sandbox, Scrub } from "../sandboxes/index.ts";
import type { FoundEffect, ToolResult } from "../rules/index.ts";
import type { SandboxSession, Snapshot } from "../store/index.ts";
import type { GatewayDeps } from "./deps.ts";

export interface SnapshotRequest {
  readonly session: SandboxSession;
  readonly callId: string;
  readonly message: string;
  /** Later sandboxes start from it. */
  readonly adopt: boolean;
}

const labelOf = (sessionId: string, callId: string): string => sha256(JSON.stringify([sessionId, callId])).slice(0, 40);

const rowOf = (deps: GatewayDeps, { session, callId, message }: SnapshotRequest): Snapshot => {
  const label = labelOf(session.id, callId);
  return {
    id: `snap_${label}`,
    label,
    sessionId: session.id,
    configurationId: session.configurationId,
    provider: deps.sandboxes.id,
    message,
    state: "intended",
    createdAt: deps.clock.now(),
  };
};

function savedResult({ session }: SnapshotRequest, { id }: Snapshot, scrubbed: number): ToolResult {
  const target = session.sessionType === "setup" && session.configurationId !== null ? "configuration" : "session";
  const data = { snapshotId: id, target, scrubbed };
  return { success: true, result: `Snapshot ${id} saved for this ${target}.`, data };
}

export async function takeSnapshot(
  deps: GatewayDeps,
  sandbox: Sandbox,
  request: SnapshotRequest,
  scrub: Scrub,
): Promise<{ result: ToolResult; effects: number }> {
  const row = rowOf(deps, request);
  if (!(await deps.store.snapshot(row.id))) await deps.store.addSnapshot(row);
  const { scrubbed } = await sandbox.snapshot(row.label, scrub);
  await deps.store.snapshotReady(row.id, request.adopt);
  return { result: savedResult(request, row, scrubbed), effects: 1 };
}

export async function findSnapshot(deps: GatewayDeps, request: SnapshotRequest): Promise<FoundEffect> {
  const row = rowOf(deps, request);
  if (!(await deps.store.snapshot(row.id))) return { kind: "not_begun" };
  const there = await deps.sandboxes.hasSnapshot(row.label);
  if (there === "unknown") return { kind: "unknown" };
  if (there === "no") return { kind: "not_begun" };
  await deps.store.snapshotReady(row.id, request.adopt);
  return { kind: "done", result: savedResult(request, row, 0) };
}
