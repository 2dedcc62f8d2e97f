// The progress packet: a bounded account of a run for a planner without its history. Every section says how
// many items it left out.
import { clip, plainLine } from "../../contract/index.ts";
import { acceptedOf } from "../facts/index.ts";
import type { Run } from "../state/index.ts";
import { crewLanes } from "./crew-lanes.ts";
import { buildFinalReport, type FinalReport } from "./final-report.ts";
import { nextActions } from "./next-actions.ts";
import { responsibilities, reviewLanes } from "./rows.ts";
import { revisionTrails } from "./handoffs.ts";

const limits = {
  artifacts: 40,
  responses: 20,
  approvals: 20,
  commands: 40,
  findings: 20,
  lanes: 16,
  actions: 8,
  trail: 8,
  text: 1_000,
} as const;

interface Section<T> {
  readonly items: readonly T[];
  readonly included: number;
  readonly omitted: number;
}

/** The newest items, cut until they fit. */
function section<T>(all: readonly T[], limit: number): Section<unknown> {
  const items = all.slice(-limit).map((item) => shorten(item));
  return { items, included: items.length, omitted: all.length - items.length };
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") return clip(value, limits.text);
  if (Array.isArray(value)) return value.slice(0, 50).map(shorten);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item)]));
  return value;
}

export type ProgressPacket = ReturnType<typeof buildProgressPacket>;

export function buildProgressPacket(run: Run, report: FinalReport = buildFinalReport(run).report) {
  const answers = run.calls.flatMap((call) => {
    const accepted = acceptedOf(run, call.record.callId);
    return accepted
      ? [
          {
            callId: call.record.callId,
            role: call.record.role,
            lane: call.record.lane,
            pass: call.record.pass,
            status: accepted.status,
            summary: plainLine(accepted.summary, limits.text),
            ref: accepted.response.ref,
            seq: call.result?.seq,
          },
        ]
      : [];
  });
  const questions = run.findings
    .filter(({ kind }) => kind === "open_question")
    .map(({ severity, message, refs, seq }) => ({ severity, question: message, sourceRefs: refs, seq }));
  return {
    schemaVersion: 1 as const,
    kind: "progress_packet" as const,
    run: {
      runId: run.runId,
      goal: clip(run.created.goal, limits.text),
      mode: run.created.mode,
      state: report.finalState,
      stopReason: report.stopReason,
      failureClass: report.failureClass,
      base: report.base,
      tree: report.tree,
    },
    plan: run.plans
      .map(({ ref, summary, superseded }) => ({
        ref: ref.ref,
        summary: clip(summary, limits.text),
        superseded,
      }))
      .slice(-3),
    acceptanceCriteria: section(run.scope.acceptanceCriteria, 20),
    claims: section(report.claims, 40),
    changedPaths: section(report.changedPaths, 200),
    commands: section(report.commands, limits.commands),
    responses: section(answers, limits.responses),
    approvals: section(report.approvals, limits.approvals),
    findings: section(report.findings, limits.findings),
    openQuestions: section(questions, limits.findings),
    reviewLanes: section(reviewLanes(run), limits.lanes),
    crewLanes: section(crewLanes(run), limits.lanes),
    responsibilities: section(responsibilities(run), limits.lanes),
    revisionTrail: section(revisionTrails(run), limits.trail),
    nextActions: section(nextActions(run), limits.actions),
    artifacts: section(report.artifacts, limits.artifacts),
    provenance: {
      canonicalSources: [`run ${run.runId}, events 1 to ${run.seq}`],
      method: "a fold of the event log; no model wrote any field",
      at: run.updatedAt,
      repository: run.created.baseCommit,
    },
  };
}
