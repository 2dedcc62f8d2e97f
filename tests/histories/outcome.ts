// What a replayed history must still mean, in terms that do not change with how state is held.
import { type Run, claims, openGates, reviewLanes, revisionTrails } from "../../src/core/machine/index.ts";

export function outcomeOf(run: Run) {
  const { responses, tokens, ms } = run.spent;
  return {
    state: run.phase.state,
    stopReason: "stopReason" in run.phase ? run.phase.stopReason : null,
    events: run.seq,
    spent: { responses, tokens, ms },
    passes: run.passes.length - 1,
    tree: run.passes.findLast((pass) => pass.integration)?.integration?.tree ?? null,
    approvals: run.approvals.map(({ kind, answer, auto }) => `${kind} ${answer}${auto === null ? "" : " by policy"}`),
    openGates: openGates(run).map(({ kind }) => kind),
    calls: run.calls.map(
      ({ record, result }) => `${record.lane} ${record.role} ${record.phase} ${result?.outcome.result ?? "open"}`,
    ),
    lanes: reviewLanes(run).map(({ id, state, satisfied }) => `${id} ${state} ${satisfied}`),
    revisions: revisionTrails(run).map(({ reasonCode, status }) => `${reasonCode} ${status}`),
    claims: claims(run).map(({ kind, standing }) => `${kind} ${standing}`),
    side: run.side.tasks.map(({ job, end }) => `${job.job} ${end?.outcome ?? "open"}`),
    artifacts: run.artifacts.length,
  };
}
