// The status of a run: a brief for lists, a compact status under 4 kB, and everything.
import {
  clip,
  plainLine,
  writeVersioned,
  type ArtifactKind,
  type Doubt,
  type FailureClass,
  type Gate,
  type Suggestion,
} from "../../contract/index.ts";
import { openGates, commandLine, deliveryOf, latestPass, openCalls, callOf } from "../facts/index.ts";
import { isTransferGate, type GateRisk } from "../gate/table.ts";
import { utf8Length } from "../decision.ts";
import { next, nextInLoop } from "../next/due.ts";
import { isEnded, type Run } from "../state/index.ts";
import { rememberedOf } from "./canonical-memory.ts";
import { buildAgentBoard } from "./agent-board.ts";
import { crewLanes } from "./crew-lanes.ts";
import { currentFailure } from "./current-failure.ts";
import { doubtsOf } from "../review/doubts.ts";
import { linesAbove } from "./gate/lead.ts";
import { gateSummaries, riskOf } from "./gate/summary.ts";
import { resultSummary } from "./gate/result.ts";
import { workNumbers, type WorkNumbers } from "./gate/numbers.ts";
import { handoffs, revisionTrails } from "./handoffs.ts";
import { momentText } from "./moment.ts";
import { nextActions } from "./next-actions.ts";
import { runCost, costText, tokensOf } from "./role-lanes.ts";
import { responsibilities, reviewLanes } from "./rows.ts";

/** The part of a run that a list shows; it is stored in the run's row and has at most 2 kB. */
export interface RunBrief {
  readonly doing: string;
  readonly gate: {
    readonly id: string;
    readonly kind: string;
    readonly title: string;
    /** By what the work does, as its question says it. */
    readonly risk?: GateRisk;
    /** The kinds of the questions that it asks at once. */
    readonly kinds?: readonly string[];
  } | null;
  readonly stopReason: string | null;
  /** Its work was taken out of the checkout again. */
  readonly undone?: true;
  /** What stands in the way, as a class. */
  readonly failureClass: FailureClass | null;
  readonly pass: number;
  readonly responses: number;
  readonly tokens: number;
  /** The cost as text, and in US dollars as providers report it. */
  readonly cost: string;
  readonly usd: number;
  /** One of several attempts at a goal. */
  readonly attempt?: { readonly number: number; readonly of: number; readonly group: string };
  /** A part of `usd` is estimated from tokens. */
  readonly usdEstimated?: true;
  /** The size and the evidence of the present work, once its checks ran. */
  readonly work?: WorkNumbers;
  readonly report: string | null;
  readonly next: Suggestion | null;
}

const attemptText = ({ created: { attempt } }: Run): string =>
  attempt ? `attempt ${attempt.number} of ${attempt.of}: ` : "";

export function runBrief(run: Run): RunBrief {
  const gate = openGates(run)[0];
  return {
    doing: plainLine(`${attemptText(run)}${monitor(run).doing}`, 200),
    gate: gate
      ? {
          id: gate.id,
          kind: gate.kind,
          title: plainLine(gate.title, 160),
          risk: riskOf(run, gate),
          ...(gate.parts ? { kinds: gate.parts.map(({ kind }) => kind) } : {}),
        }
      : null,
    stopReason: isEnded(run.phase) ? run.phase.stopReason : null,
    ...(run.undo?.state === "done" ? { undone: true as const } : {}),
    failureClass: currentFailure(run),
    pass: Math.max(0, run.passes.length - 1),
    responses: run.spent.responses,
    tokens: tokensOf(run.calls),
    cost: costText(runCost(run)),
    usd: runCost(run).usd,
    ...((runCost(run).estimatedUsd ?? 0) > 0 ? { usdEstimated: true as const } : {}),
    ...(run.created.attempt
      ? { attempt: { ...run.created.attempt, group: run.created.attempt.group ?? run.runId } }
      : {}),
    ...workNumbers(run),
    report: run.report?.markdown.ref ?? null,
    next: nextActions(run).find(({ command }) => command !== null)?.command ?? null,
  };
}

/** The row that lists the run, as it follows from the log. */
export function rowOf(run: Run) {
  return {
    runId: run.runId,
    createdAt: run.createdAt,
    goal: plainLine(run.created.goal, 500),
    mode: run.created.mode,
    state: run.phase.state,
    brief: runBrief(run),
  };
}

const hidden: readonly ArtifactKind[] = ["log", "directive", "provider_wait"];

/** The newest artifact of each kind. */
function latestRefs(run: Run): Record<string, string> {
  return Object.fromEntries(
    run.artifacts.filter(({ kind }) => !hidden.includes(kind)).map(({ kind, ref }) => [kind, ref]),
  );
}

export type CompactStatus = ReturnType<typeof compactStatus>;

/** Texts are cut shorter and shorter until the whole fits in bytes, in every alphabet. */
const lengths = [1, 0.5, 0.25, 0.1] as const;
const mostBytes = 3_900;

export function compactStatus(run: Run) {
  for (const part of lengths) {
    const status = statusCut(run, part);
    if (utf8Length(JSON.stringify(status)) <= mostBytes) return status;
  }
  return statusCut(run, 0.05);
}

/** What readers need of a run in which no effect is due: it stays true until the next event. */
export interface Snapshot {
  readonly status: CompactStatus;
  /** What later runs of the repository remember of it. */
  readonly remembered: ReturnType<typeof rememberedOf>;
}

/** The snapshot for the store, readable by this version; undefined while an effect is due. */
export function snapshotOf(run: Run, version: string): string | undefined {
  if (next(run) !== undefined) return undefined;
  const snapshot: Snapshot = { status: compactStatus(run), remembered: rememberedOf(run) };
  return writeVersioned(version, snapshot);
}

function statusCut(run: Run, part: number) {
  const gate = openGates(run)[0];
  const most = (characters: number) => Math.max(20, Math.floor(characters * part));
  return {
    schemaVersion: 1 as const,
    runId: run.runId,
    goal: plainLine(run.created.goal, most(300)),
    mode: run.created.mode,
    state: run.phase.state,
    monitor: { ...monitor(run), doing: plainLine(monitor(run).doing, most(300)) },
    stopReason: isEnded(run.phase) ? run.phase.stopReason : null,
    ...doubtsIn(run, most),
    failureClass: currentFailure(run),
    gate: gate
      ? {
          id: gate.id,
          kind: gate.kind,
          ...(gate.cause === undefined ? {} : { cause: gate.cause }),
          title: plainLine(gate.title, 200),
          phrase: gate.phrase,
          answers: gate.answers,
          sha256: gate.subject.sha256,
          preview: clip(previewOf(run, gate), most(500)),
        }
      : null,
    counts: {
      events: run.seq,
      responses: run.spent.responses,
      maxIterations: run.limits.responses,
      tokens: tokensOf(run.calls),
      cost: costText(runCost(run)),
      passes: Math.max(0, run.passes.length - 1),
      approvals: run.approvals.length,
      findings: run.findings.length,
      artifacts: run.artifacts.length,
    },
    crew: Object.entries(run.roles).map(([role, { assignment, source }]) => ({ role, assignment, source })),
    lanes: reviewLanes(run).map(({ id, state, required }) => ({ id, state, required })),
    latest: Object.fromEntries(Object.entries(latestRefs(run)).slice(-8)),
    recent: run.recent.slice(-5).map(({ seq, type }) => ({ seq, type })),
    said: lastSaid(run, most),
    next: nextActions(run)
      .slice(0, 4)
      .map(({ kind, reason, command }) => ({ kind, reason: plainLine(reason, most(160)), command })),
  };
}

/** A program that shows only the start of a gate shows what the decision is about. */
function previewOf(run: Run, gate: Gate): string {
  const pass = run.passes.at(-1);
  const result = gate.continuation === "apply_patch" && pass ? resultSummary(run, pass) : null;
  return [...(result ? [...linesAbove(result), ""] : []), gate.subject.text].join("\n");
}

/** The doubts of the runtime about the present work; the report and the gate have their whole measures. */
function doubtsIn(run: Run, most: (characters: number) => number): { doubts?: readonly Doubt[] } {
  const pass = run.passes.at(-1);
  const doubts = pass?.validation ? doubtsOf(run, pass) : [];
  if (doubts.length === 0) return {};
  const shown = doubts.slice(0, mostDoubts).map(({ kind, place, measure }) => ({
    kind,
    place: plainLine(place, most(160)),
    measure: plainLine(measure, most(200)),
  }));
  return { doubts: shown };
}

const mostDoubts = 6;

/** The start of the last long text, with the reference of the whole. */
function lastSaid(run: Run, most: (characters: number) => number) {
  const call = run.calls.findLast((entry) => entry.result?.outcome.result === "accepted");
  const outcome = call?.result?.outcome;
  if (!call || outcome?.result !== "accepted") return null;
  return {
    role: call.record.role,
    summary: plainLine(outcome.summary, most(200)),
    preview: outcome.markdown ? clip(outcome.markdown.preview, most(300)) : null,
    truncated: (outcome.markdown?.truncated ?? false) || (outcome.markdown?.preview.length ?? 0) > most(300),
    ref: outcome.response.ref,
  };
}

export type FullView = ReturnType<typeof fullView>;

export function fullView(run: Run) {
  return {
    ...compactStatus(run),
    goal: run.created.goal,
    createdAt: run.createdAt,
    updatedAt: run.updatedAt,
    base: { commit: run.created.baseCommit, branch: run.created.branch },
    policy: run.created.policy,
    /** Paths and criteria as they are now: a person may have changed them at a gate. */
    scope: run.scope,
    roles: run.roles,
    plans: run.plans.map(({ ref, summary, superseded, seq }) => ({ ref: ref.ref, summary, superseded, seq })),
    reviewLanes: reviewLanes(run),
    crewLanes: crewLanes(run),
    responsibilities: responsibilities(run),
    revisionTrail: revisionTrails(run),
    handoffs: handoffs(run),
    board: buildAgentBoard(run),
    approvals: run.approvals.map(({ gate: asked, ...entry }) => ({ ...entry, title: asked.title })),
    gates: openGates(run),
    /** The open gates as rows, the same on every surface. */
    decisions: gateSummaries(run),
    /** The last work that was checked, as rows. */
    result: run.passes.at(-1)?.validation ? resultSummary(run, latestPass(run)) : null,
    doubts: run.passes.at(-1)?.validation ? doubtsOf(run, latestPass(run)) : [],
    ...workNumbers(run),
    /** Where the work goes beside the checkout: a new branch, or a commit on the present one. */
    deliver: { branch: deliveryOf(run).branch ?? null, commit: run.created.commit === true },
    ...(run.messages.length > 0 ? { messages: run.messages } : {}),
    findings: run.findings,
    calls: run.calls.map((call) => ({
      callId: call.record.callId,
      role: call.record.role,
      phase: call.record.phase,
      assignment: call.record.assignment.assignment,
      pass: call.record.pass,
      result: call.result?.outcome.result ?? (call.posted ? "waiting" : "open"),
      usage: call.result?.usage ?? null,
      directive: call.directive?.directive.ref ?? null,
    })),
    artifacts: run.artifacts,
    actions: nextActions(run),
    undo: run.undo,
    request: run.request,
    ci: run.ci,
    sideTasks: run.side.tasks.map((task) => ({
      id: task.job.id,
      job: task.job.job,
      end: task.end,
      command: task.command,
    })),
  };
}

export interface Monitor {
  readonly phase:
    | "provider_wait"
    | "waiting_provider"
    | "approval_gate"
    | "transfer_gate"
    | "running"
    | "completed"
    | "failed"
    | "aborted";
  /** What the run does or waits for, as text for people. */
  readonly doing: string;
  /** Since when, in milliseconds since 1970. */
  readonly since: number;
  /** The end of the limit of a provider. */
  readonly until?: number;
  /** The longest that it may take, where there is a limit. */
  readonly limitMs?: number;
}

const doing: Readonly<Record<string, string>> = {
  created: "looking at the repository",
  planning: "planning",
  delegating: "deciding the next step",
  implementing: "implementing in an isolated worktree",
  integrating: "applying the approved patch",
  verifying: "gathering evidence and reviews",
  critiquing: "asking the critic",
};

export function monitor(run: Run): Monitor {
  if (isEnded(run.phase))
    return {
      phase: run.phase.state,
      doing: `${run.phase.state === "completed" ? run.phase.summary : run.phase.message}${run.undo?.state === "done" ? " (its work was taken out of the checkout again)" : ""}`,
      since: run.updatedAt,
    };
  const [gate, ...more] = openGates(run);
  if (gate) {
    const phase = isTransferGate(gate.kind) ? "transfer_gate" : "approval_gate";
    return {
      phase,
      doing: `waiting for you: ${[gate, ...more].map(({ title }) => title).join("; ")}`,
      since: run.updatedAt,
    };
  }
  if (run.limited) {
    const who = callOf(run, run.limited.callId)?.record.assignment.assignment ?? "its agent";
    const { until, at } = run.limited;
    return {
      phase: "waiting_provider",
      doing: `waiting until ${momentText(until)}: ${who} is at its limit, and is asked again then`,
      since: at,
      until,
    };
  }
  const waiting = openCalls(run).filter((call) => call.posted);
  if (waiting[0]?.posted) {
    const works = waiting.map(({ record }) => `${record.assignment.assignment} works as ${record.role}`);
    const limitMs = run.created.policy.budgets.callTimeoutMs;
    return { phase: "provider_wait", doing: works.join(", "), since: waiting[0].posted.at, limitMs };
  }
  const effect = nextInLoop(run);
  if (effect?.kind === "run_check")
    return {
      phase: "running",
      doing: `running ${commandLine(effect.check.argv)} on the ${effect.variant === "base" ? "base" : "changed"} tree`,
      since: run.updatedAt,
      limitMs: effect.timeoutMs,
    };
  return { phase: "running", doing: doing[run.phase.state] ?? run.phase.state, since: run.updatedAt };
}
