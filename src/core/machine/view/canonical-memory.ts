// Memory as a model gets it: bounded, references only, each with where it comes from (R-20, R-71, S-10).
import { plainLine, type ArtifactKind, type ArtifactRef } from "../../contract/index.ts";
import type { Run } from "../state/index.ts";

const remembered: readonly ArtifactKind[] = [
  "plan",
  "agent",
  "progress",
  "reconciliation",
  "context",
  "remote_context",
  "report",
  "provider_invocation",
  "critic_trigger",
  "revision_packet",
  "review_routing",
  "fanout",
  "transfer_manifest",
];

/** Another run of the same repository, as the list of runs knows it. */
export interface RecentRun {
  readonly runId: string;
  readonly goal: string;
  readonly state: string;
  readonly updatedAt: number;
  readonly report: string | null;
  /** The newest artifact of each kind that is remembered. */
  readonly artifacts?: Readonly<Partial<Record<ArtifactKind, ArtifactRef>>>;
  readonly provenance?: Provenance;
}

/** Where a memory comes from. */
export interface Provenance {
  readonly source: string;
  readonly repository: string | null;
  readonly at: number;
  readonly method: string;
}

const provenanceOf = (run: Run): Provenance => ({
  source: `run ${run.runId}, events 1 to ${run.seq}`,
  repository: run.created.baseCommit,
  at: run.updatedAt,
  method: "fold of the event log",
});

/** The kinds of an earlier run that a later one remembers. */
const kept: readonly ArtifactKind[] = [
  "report",
  "progress",
  "reconciliation",
  "context",
  "remote_context",
  "transfer_manifest",
];

export function rememberedOf(run: Run): Required<Pick<RecentRun, "artifacts" | "provenance">> {
  const artifacts = run.artifacts.filter(({ kind }) => kept.includes(kind));
  return {
    artifacts: Object.fromEntries(
      artifacts.map(({ ref, kind, bytes, mediaType, summary }) => [kind, { ref, kind, bytes, mediaType, summary }]),
    ) as RecentRun["artifacts"] & object,
    provenance: provenanceOf(run),
  };
}

export type CanonicalMemory = ReturnType<typeof canonicalMemory>;

export function canonicalMemory(run: Run, recent: readonly RecentRun[] = []) {
  const latest = Object.fromEntries(
    run.artifacts
      .filter(({ kind }) => remembered.includes(kind))
      .map(({ kind, ref, seq, summary }) => [kind, { ref, seq, summary: plainLine(summary, 200) }]),
  );
  return {
    kind: "canonical_memory" as const,
    artifactBodyPolicy: "refs_only" as const,
    ignoreProviderSessionContext: true as const,
    currentRun: {
      runId: run.runId,
      goal: plainLine(run.created.goal, 500),
      state: run.phase.state,
      events: run.seq,
      latest,
    },
    plans: run.plans.slice(-3).map(({ ref, superseded, seq }) => ({ ref: ref.ref, superseded, seq })),
    recentRuns: recent
      .filter(({ runId }) => runId !== run.runId)
      .slice(0, 5)
      .map((other) => ({
        runId: other.runId,
        goal: plainLine(other.goal, 200),
        state: other.state,
        updatedAt: other.updatedAt,
        report: other.report,
        ...(other.artifacts
          ? {
              refs: Object.fromEntries(
                Object.entries(other.artifacts).map(([kind, { ref, bytes }]) => [kind, { ref, bytes }]),
              ),
            }
          : {}),
        ...(other.provenance ? { provenance: other.provenance } : {}),
      })),
    provenance: provenanceOf(run),
    bounds: { recentRuns: 5, textCharacters: 500 },
  };
}
