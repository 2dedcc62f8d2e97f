// Memory of earlier runs of the same repository: references to their reports, packets, reconciliations, context and
// manifests, each with where it comes from; and, where the user's policy asks for it, a packet with their text
// (S-10).
import {
  type ArtifactRef,
  type CallRecord,
  type EvidenceAttachment,
  FailureError,
  readVersioned,
} from "../../core/contract/index.ts";
import { type Run, fold } from "../../core/machine/index.ts";
import { type RecentRun, type Snapshot, rememberedOf } from "../../core/machine/view/index.ts";
import type { Removed } from "./clean.ts";
import { excerptsOf } from "./excerpt.ts";
import type { EnginePorts } from "./ports.ts";
import { readEvent } from "./watch.ts";

/** The own run may be among them. */
const mostEarlier = 6;
const packetBytes = { each: 12_000, all: 40_000 };

/** The calls that plan. A reviewer judges only the work, without earlier runs. */
const planning: readonly CallRecord["phase"][] = ["plan", "delegate", "consult"];

export async function earlierRuns(ports: EnginePorts, run: Run, { phase }: CallRecord): Promise<readonly RecentRun[]> {
  const rows = (await ports.log.list({ limit: mostEarlier })).filter(({ runId }) => runId !== run.runId);
  const known = rows.map(({ runId, goal, state, updatedAt, brief }) => {
    const report = typeof brief === "object" && brief !== null && "report" in brief ? brief.report : null;
    return { runId, goal, state, updatedAt, report: typeof report === "string" ? report : null };
  });
  if (!planning.includes(phase)) return known;
  return Promise.all(known.map(async (row) => ({ ...row, ...(await remembered(ports, row.runId)) })));
}

/** A log that this version cannot read is remembered by its row alone. */
async function remembered(ports: EnginePorts, runId: string): Promise<Partial<RecentRun>> {
  try {
    const snapshot = readVersioned<Snapshot>(ports.version, await ports.log.snapshot(runId));
    if (snapshot) return snapshot.remembered;
    const earlier = fold((await ports.log.read(runId)).map(readEvent));
    return earlier ? rememberedOf(earlier) : {};
  } catch (error) {
    if (error instanceof FailureError) return {};
    throw error;
  }
}

interface Packed {
  readonly packet: ArtifactRef;
  readonly removed: Removed;
}

/** The progress packets and reconciliations of earlier runs, bounded and without secrets; null when there are none. */
export async function memoryPacket(
  ports: EnginePorts,
  run: Run,
  call: CallRecord,
  recent: readonly RecentRun[],
): Promise<Packed | null> {
  if (run.created.policy.memory !== "packets" || !planning.includes(call.phase)) return null;
  let left = packetBytes.all;
  const wanted = recent.flatMap(({ runId, artifacts = {}, provenance }) =>
    (["progress", "reconciliation"] as const).flatMap((kind) => {
      const source = artifacts[kind];
      const maxBytes = Math.min(packetBytes.each, left);
      if (!source || maxBytes <= 0) return [];
      left -= Math.min(maxBytes, source.bytes);
      const attachment: EvidenceAttachment = { name: `${kind} of ${runId}`, ref: source, maxBytes };
      return [{ runId, kind, provenance, attachment }];
    }),
  );
  if (wanted.length === 0) return null;
  const { excerpts, removed } = await excerptsOf(
    ports.artifacts,
    ports.text,
    wanted.map(({ attachment }) => attachment),
  );
  const value = {
    schemaVersion: 1,
    kind: "memory_packet",
    runId: run.runId,
    memories: wanted.map(({ runId, kind, provenance }, index) => ({
      runId,
      kind,
      provenance,
      ...excerpts[index],
    })),
    bounds: packetBytes,
  };
  const packet = await ports.artifacts.put(`${JSON.stringify(value, null, 2)}\n`.toWellFormed(), {
    kind: "memory_packet",
    mediaType: "application/json",
    summary: `memory packet for ${call.role}: ${wanted.length} records of earlier runs`,
  });
  return { packet, removed };
}
