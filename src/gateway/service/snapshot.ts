// `save_snapshot`: the intent is written down before the provider is asked, under a label that is made of the call. A
// recovery finds by the label whether the snapshot was taken.
import { sha256 } from "../../store/index.ts";
import type { Box, Scrub } from "../boxes/index.ts";
import type { FoundEffect, ToolResult } from "../rules/index.ts";
import type { SandboxSession, Snapshot } from "../store/index.ts";
import type { GatewayWorld } from "./world.ts";

export interface SnapshotAsk {
  readonly session: SandboxSession;
  readonly callId: string;
  readonly message: string;
}

const labelOf = (sessionId: string, callId: string): string =>
  sha256(JSON.stringify([sessionId, callId])).slice(0, 40);

const rowOf = (world: GatewayWorld, { session, callId, message }: SnapshotAsk): Snapshot => {
  const label = labelOf(session.id, callId);
  return {
    id: `snap_${label}`,
    label,
    sessionId: session.id,
    configurationId: session.configurationId,
    provider: world.boxes.id,
    message,
    state: "intended",
    createdAt: world.clock.now(),
  };
};

function told({ session }: SnapshotAsk, { id }: Snapshot, scrubbed: number): ToolResult {
  const target =
    session.sessionType === "setup" && session.configurationId !== null ? "configuration" : "session";
  const data = { snapshotId: id, target, scrubbed };
  return { success: true, result: `Snapshot ${id} saved for this ${target}.`, data };
}

export async function takeSnapshot(
  world: GatewayWorld,
  box: Box,
  ask: SnapshotAsk,
  scrub: Scrub,
): Promise<{ result: ToolResult; effects: number }> {
  const row = rowOf(world, ask);
  if (!(await world.store.snapshot(row.id))) await world.store.addSnapshot(row);
  const { scrubbed } = await box.snapshot(row.label, scrub);
  await world.store.snapshotReady(row.id);
  return { result: told(ask, row, scrubbed), effects: 1 };
}

export async function findSnapshot(world: GatewayWorld, ask: SnapshotAsk): Promise<FoundEffect> {
  const row = rowOf(world, ask);
  if (!(await world.store.snapshot(row.id))) return { kind: "not_begun" };
  const there = await world.boxes.hasSnapshot(row.label);
  if (there === "unknown") return { kind: "unknown" };
  if (there === "no") return { kind: "not_begun" };
  await world.store.snapshotReady(row.id);
  return { kind: "done", result: told(ask, row, 0) };
}
