// The rows of a run: one for each responsibility of the loop, with its owner, status and references (R-45, R-47). Review
// lanes, responsibilities, crew lanes and the board are projections of rows. They show; they schedule nothing.
import { roleTable, type ArtifactRef, type Role } from "../../contract/index.ts";
import { acceptedOf, callOf, currentPass, currentPlan, firstRole, latestPass, openGates } from "../facts/index.ts";
import { openChecks, regressions } from "../review/index.ts";
import { activePhase, isEnded, type Pass, type Run } from "../state/index.ts";
import type { Authority, Owner, Refs, Responsibility, ResponsibilityId, ReviewLane, Row } from "./shapes.ts";

export const runtimeOwner: Owner = { kind: "runtime", label: "Runtime", role: null, assignment: null };
export const operatorOwner: Owner = { kind: "operator", label: "Operator", role: null, assignment: null };

function ownerOf(run: Run, role: Role): Owner {
  if (roleTable[role].runtime) return { ...runtimeOwner, label: roleTable[role].label, role };
  const assigned = role === "integrator" ? undefined : run.roles[role];
  return {
    kind: assigned ? "agent" : "nobody",
    label: roleTable[role].label,
    role,
    assignment: assigned?.assignment ?? null,
  };
}

const authorityOf = (role: Role): Authority =>
  roleTable[role].runtime ? "runtime" : roleTable[role].edit ? "edit" : "read_only";

function refsOf(artifacts: readonly (ArtifactRef | null | undefined)[], events: readonly (number | undefined)[]): Refs {
  return {
    artifacts: artifacts.flatMap((ref) => (ref ? [ref.ref] : [])),
    events: events.filter((seq) => seq !== undefined),
  };
}

interface RowFacts {
  readonly required: boolean;
  readonly canSatisfyGate: boolean;
  readonly artifacts?: readonly (ArtifactRef | null | undefined)[];
  readonly events?: readonly (number | undefined)[];
}

/** A row of a role, of the runtime itself, or of the person. */
export function rowOf(
  run: Run,
  who: Role | "runtime" | "operator",
  { required, canSatisfyGate, artifacts = [], events = [] }: RowFacts,
): Row {
  const fixed = who === "runtime" ? runtimeOwner : who === "operator" ? operatorOwner : null;
  return {
    owner: fixed ?? ownerOf(run, who as Role),
    authority: who === "runtime" || who === "operator" ? who : authorityOf(who),
    required,
    canSatisfyGate,
    refs: refsOf(artifacts, events),
  };
}

type Status = Responsibility["status"];
type Review = Omit<ReviewLane, keyof Row>;

export interface WorkRow extends Row {
  readonly id: ResponsibilityId;
  readonly status: Status;
  readonly blockers: readonly string[];
  /** Null where the responsibility is not a review. */
  readonly review: Review | null;
}

/** Blocked while a gate is open before it, in progress while its phase is the current one. */
function phaseStatus(run: Run, states: readonly string[], otherwise: Status): Status {
  const active = activePhase(run.phase)?.state;
  if (active === undefined || !states.includes(active)) return otherwise;
  return run.phase.state === "awaiting_approval" ? "blocked" : "in_progress";
}

function work(id: ResponsibilityId, row: Row, status: Status, blockers: readonly string[] = []): WorkRow {
  return { ...row, id, status, blockers, review: null };
}

function loopRows(run: Run): WorkRow[] {
  const plan = currentPlan(run);
  const pass = latestPass(run);
  const { captured, integration } = pass;
  const edits = run.created.mode === "implement";
  const unchanged = captured !== null && captured.patch === null;
  const planned = plan !== undefined || run.phase.state === "completed" ? "satisfied" : "pending";
  const applied = integration ? "satisfied" : unchanged ? "skipped" : "pending";
  const of = (who: Role, required: boolean, refs: Pick<RowFacts, "artifacts" | "events">) =>
    rowOf(run, who, { required, canSatisfyGate: who === "integrator", ...refs });
  return [
    work(
      "plan",
      of(firstRole(run), true, { artifacts: [plan?.ref], events: [plan?.seq] }),
      phaseStatus(run, ["created", "planning", "delegating"], planned),
    ),
    work(
      "implement",
      of("implementer", edits, {
        artifacts: [acceptedOf(run, pass.callId)?.response, captured?.patch?.patch],
        events: [captured?.seq],
      }),
      edits ? phaseStatus(run, ["implementing"], captured ? "satisfied" : "pending") : "skipped",
    ),
    work(
      "integrate",
      of("integrator", edits && !unchanged, { artifacts: [integration?.report], events: [integration?.seq] }),
      edits ? phaseStatus(run, ["integrating"], applied) : "skipped",
    ),
  ];
}

type Judged = Pick<ReviewLane, "state" | "satisfied" | "why">;

const pending = (why: string): Judged => ({ state: "pending", satisfied: false, why });

function judgeValidation(run: Run, pass: Pass): Judged {
  if (!pass.validation)
    return pending(
      pass.checks.length > 0 ? `${pass.checks.length} check runs so far` : "No check has run on this work",
    );
  const lost = regressions(run, pass);
  if (lost.length > 0)
    return {
      state: "needs_revision",
      satisfied: false,
      why: `Passed before, fails now: ${lost.map(({ command }) => command).join(", ")}`,
    };
  const open = openChecks(run, pass);
  if (open.length > 0)
    return {
      state: "blocked",
      satisfied: false,
      why: `Needs the user's word: ${open.map(({ command }) => command).join(", ")}`,
    };
  const waived = pass.waivers.length > 0 ? `, ${pass.waivers.length} waived by the user` : "";
  const { length } = pass.validation.checks;
  return {
    state: "satisfied",
    satisfied: true,
    why: `${length === 1 ? "1 check" : `${length} checks`}${waived}`,
  };
}

const reviewers = {
  qa: { id: "qa", title: "QA", required: (pass: Pass) => pass.routing?.required.qa ?? false },
  verifier: { id: "verify", title: "Verifier", required: () => true },
  critic: {
    id: "critique",
    title: "Critic",
    required: (pass: Pass) => pass.routing?.required.critic ?? pass.trigger !== null,
  },
} as const;

function judgeRole(run: Run, pass: Pass, role: keyof typeof reviewers, canSatisfy: boolean): Judged {
  const skipped = pass.routing?.skipped.find((entry) => entry.role === role);
  const accepted = acceptedOf(run, pass[role]);
  if (!accepted) {
    if (pass.accepted && role === "verifier")
      return { state: "satisfied", satisfied: true, why: "The user took the work as it is" };
    return skipped
      ? { state: "skipped", satisfied: false, why: skipped.reason }
      : pending("Not asked about this work yet");
  }
  const verdict = accepted.brief && "verdict" in accepted.brief ? accepted.brief.verdict : accepted.status;
  const why = `${verdict}: “${accepted.summary}”`;
  if (verdict === "approve" || verdict === "pass" || verdict === "acceptable")
    return { state: "satisfied", satisfied: canSatisfy, why };
  // A person may overrule whatever the verifier said; the run then ends by that person's word.
  if (role === "verifier" && pass.accepted)
    return { state: "satisfied", satisfied: true, why: `The user took the work as it is, after ${why}` };
  if (verdict === "revise" || verdict === "needs_revision") return { state: "needs_revision", satisfied: false, why };
  if (verdict === "failed" || verdict === "abort") return { state: "failed", satisfied: false, why };
  return { state: "blocked", satisfied: false, why };
}

/** Summons of the same role: evidence that never satisfies the review. */
const summonsOf = (run: Run, role: Role): string[] =>
  run.side.tasks.flatMap(({ job, end }) =>
    job.job === "summon" && job.request.role === role && end?.artifact ? [end.artifact.ref] : [],
  );

function reviewStatus(run: Run, { state }: Judged, canSatisfyGate: boolean): Status {
  if (run.created.mode !== "implement") return "skipped";
  switch (state) {
    case "satisfied":
      return canSatisfyGate ? "satisfied" : "advisory";
    case "skipped":
      return "skipped";
    case "pending":
      return phaseStatus(run, ["verifying", "critiquing"], "pending") === "pending" ? "pending" : "ready";
    default:
      return canSatisfyGate ? "blocked" : "advisory";
  }
}

function reviewed(run: Run, id: ResponsibilityId, row: Row, review: Review): WorkRow {
  const status = reviewStatus(run, review, row.canSatisfyGate);
  return { ...row, id, status, blockers: status === "blocked" ? [review.why] : [], review };
}

function reviewRows(run: Run): WorkRow[] {
  const pass = currentPass(run);
  const edits = run.created.mode === "implement";
  const validation = rowOf(run, "runtime", {
    required: edits,
    canSatisfyGate: true,
    artifacts: [pass.validation?.artifact, ...pass.checks.map(({ stdout }) => stdout)],
    events: [pass.validation?.seq],
  });
  const head = { id: "validation", title: "Runtime validation" } as const;
  const roles = (["qa", "verifier", "critic"] as const).map((role) => {
    const { id, title, required } = reviewers[role];
    const call = callOf(run, pass[role]);
    const row = rowOf(run, role, {
      required: edits && required(pass),
      canSatisfyGate: roleTable[role].satisfies !== null,
      artifacts: [acceptedOf(run, pass[role])?.response, call?.directive?.directive],
      events: [call?.result?.seq],
    });
    const judged = judgeRole(run, pass, role, row.canSatisfyGate);
    return reviewed(run, id, row, { id: role, title, ...judged, beside: summonsOf(run, role) });
  });
  return [reviewed(run, "test", validation, { ...head, ...judgeValidation(run, pass), beside: [] }), ...roles];
}

function closingRows(run: Run): WorkRow[] {
  const gates = openGates(run);
  const open = gates.length > 0;
  const completed = run.phase.state === "completed";
  const done = run.side.reconciled;
  const artifacts = gates.flatMap(({ subject }) => subject.refs).slice(0, 8);
  return [
    work(
      "operator_approval",
      rowOf(run, "operator", { required: open, canSatisfyGate: true, artifacts }),
      open ? "blocked" : "satisfied",
      gates.map(({ kind, id }) => `${kind} (${id})`),
    ),
    work(
      "complete",
      rowOf(run, "runtime", { required: true, canSatisfyGate: true, artifacts: [run.report?.report] }),
      completed ? "satisfied" : isEnded(run.phase) ? "skipped" : "pending",
    ),
    work(
      "reconcile",
      rowOf(run, run.roles.planner ? "planner" : "orchestrator", {
        required: false,
        canSatisfyGate: false,
        artifacts: [done?.artifact],
        events: [done?.seq],
      }),
      done ? "advisory" : completed ? "ready" : "pending",
    ),
  ];
}

/** A run value never changes, so its rows are derived once. */
const known = new WeakMap<Run, readonly WorkRow[]>();

export function workRows(run: Run): readonly WorkRow[] {
  const rows = known.get(run) ?? [...loopRows(run), ...reviewRows(run), ...closingRows(run)];
  known.set(run, rows);
  return rows;
}

export const responsibilities = (run: Run): Responsibility[] =>
  workRows(run).map(({ id, owner, authority, status, required, canSatisfyGate, blockers, refs }) => ({
    id,
    owner,
    authority,
    status,
    required,
    canSatisfyGate,
    blockers,
    refs,
  }));

export const reviewLanes = (run: Run): ReviewLane[] =>
  workRows(run).flatMap(({ review, owner, authority, required, canSatisfyGate, refs }) => {
    if (!review) return [];
    const { id, title, state, satisfied, why, beside } = review;
    return [{ id, title, owner, authority, required, canSatisfyGate, state, satisfied, why, refs, beside }];
  });
