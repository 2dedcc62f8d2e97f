// Gates opened and answered. An approval becomes one fact, that of its kind of gate, and is used up by it.
import type { ApprovalRecord, Gate, GateKind, Role, RunEventType } from "../../contract/index.ts";
import { currentPlan, isPassing, useOf } from "../facts/index.ts";
import { isTransferGate } from "../gate/table.ts";
import { type At, type Run, activePhase, isEnded } from "../state/index.ts";
import { type EvolveTable, impossible, withCall, withPass } from "./table.ts";

type Grant = (run: Run, gate: Gate) => Run;

const passOfGate = (run: Run): number => run.passes.length - 1;

const askAgain: Grant = (run, gate) => ({ ...run, again: gate.callId ?? null });
const allowTransfer: Grant = (run, gate) =>
  withCall(run, gate.callId ?? "", (call) => ({ ...call, transferApproved: true }));
const goOn: Grant = (run) => {
  const active = activePhase(run.phase);
  return active?.state === "planning" || active?.state === "delegating"
    ? { ...run, phase: { ...active, goOn: true } }
    : run;
};
const lookAgain: Grant = (run) => run;
/** A call that a used-up budget held back is asked now. */
const resume: Grant = (run, gate) => (gate.callId === undefined ? run : askAgain(run, gate));
/** A person had the role asked again: refused answers are counted anew. */
const askAnew: Grant = (run, gate) => forgiven(askAgain(run, gate), gate.role);

/**
 * The fact that passing each kind of gate makes true. A consequence beyond one fact has its own event beside the
 * approval.
 */
const grants: Readonly<Record<GateKind, Grant>> = {
  implementation_start: (run) => ({
    ...run,
    startedPlan: currentPlan(run)?.callId ?? null,
    authorised: [
      ...run.authorised,
      ...Object.entries(run.roles).map(([role, who]) => useOf(role as keyof typeof run.roles, who.assignment)),
    ],
  }),
  provider_invocation: (run, gate) =>
    gate.role && gate.assignment ? { ...run, authorised: [...run.authorised, useOf(gate.role, gate.assignment)] } : run,
  summon_provider_invocation: (run, gate) =>
    withCall(run, gate.callId ?? "", (call) => ({ ...call, invocationApproved: true })),
  isolated_patch_application: (run) => withPass(run, passOfGate(run), { applyApproved: true }),
  repo_context_external_transfer: allowTransfer,
  progress_packet_external_transfer: allowTransfer,
  run_evidence_external_transfer: allowTransfer,
  protected_patch_changes: (run) => withPass(run, passOfGate(run), { protectedApproved: true }),
  dirty_checkout_before_patch: (run) => unblock(run),
  integration_failed: (run) => unblock(run),
  provider_blocked: askAnew,
  provider_in_doubt: askAgain,
  provider_requested_approval: askAgain,
  task_contradiction: (run) => withPass(run, passOfGate(run), { contradictionSeen: true }),
  self_read_only_delegate: askAgain,
  unsupported_read_only_delegate_role: askAgain,
  repeated_repo_context_delegate: askAgain,
  repeated_remote_repo_context_delegate: askAgain,
  orchestrator_complete_without_evidence: goOn,
  critic_safety_review: (run) => withPass(run, passOfGate(run), { criticCleared: true }),
  verifier_verdict: lookAgain,
  verifier_unassigned: lookAgain,
  role_unassigned: lookAgain,
  missing_read_only_delegate_assignment: lookAgain,
  validation_waiver: lookAgain,
  repeated_failure: lookAgain,
  token_budget: resume,
  time_budget: resume,
  answer_budget: resume,
  money_budget: resume,
  role_switch: lookAgain,
  scope_change: widen,
  risky_command: (run, gate) => ({
    ...run,
    side: {
      ...run.side,
      tasks: run.side.tasks.map((task) => (task.job.id === gate.sideId ? { ...task, allowed: true } : task)),
    },
  }),
};

/** The message that waits has its wider scope from now on. A list of allowed paths that is empty allows all already. */
function widen(run: Run): Run {
  const message = run.messages.find(({ seq }) => seq === run.widening?.seq);
  const { allowedPaths = [], acceptanceCriteria = [] } = message?.widens ?? {};
  const { scope } = run;
  return {
    ...run,
    messages: run.messages.map((one) => (one === message ? { ...one, widenedAt: run.seq + 1 } : one)),
    scope: {
      ...scope,
      acceptanceCriteria: [...scope.acceptanceCriteria, ...acceptanceCriteria],
      allowedPaths: scope.allowedPaths.length > 0 ? [...scope.allowedPaths, ...allowedPaths] : [],
      widened: [...scope.widened, ...allowedPaths],
    },
  };
}

/** Refused answers count for the agent that gave them, until a person decides. */
function forgiven(run: Run, role: Role | undefined): Run {
  return role === undefined ? run : { ...run, refusals: { ...run.refusals, [role]: 0 } };
}

/** Another agent need not wait for the limit of the one before. */
function unlimited(run: Run, role: Role): Run {
  const call = run.limited ? run.calls.find(({ record }) => record.callId === run.limited?.callId) : undefined;
  return call?.record.role === role ? { ...run, limited: null, again: call.record.callId } : run;
}

function unblock(run: Run): Run {
  return run.phase.state === "integrating" ? { ...run, phase: { ...run.phase, blocked: null } } : run;
}

function close(run: Run, gate: Gate): Run {
  if (gate.lane === "side") {
    if (run.widening?.gate?.id === gate.id) return { ...run, widening: { ...run.widening, gate: null } };
    if (run.switching?.gate?.id === gate.id) return { ...run, switching: { ...run.switching, gate: null } };
    return { ...run, side: { ...run.side, gate: null } };
  }
  return run.phase.state === "awaiting_approval" ? { ...run, phase: run.phase.back } : run;
}

/** An agreement bounds the transfers of the whole run; it does not pass a transfer that no person has seen. */
const granting = ({ agreement }: Gate, kinds: readonly GateKind[]): readonly GateKind[] =>
  agreement ? kinds.filter((kind) => !isTransferGate(kind)) : kinds;

/** Only a person agrees. A policy passes each gate by its own rules. */
function agreed(run: Run, { agreement }: Gate, auto: string | null): Run {
  if (!agreement || auto !== null) return run;
  return { ...run, agreement, authorised: [...run.authorised, ...agreement.uses] };
}

/** Goal and criteria as the person has them at the start. */
const restated = (run: Run, { goal, acceptanceCriteria }: ApprovalRecord): Run => ({
  ...run,
  ...(goal === undefined ? {} : { created: { ...run.created, goal } }),
  ...(acceptanceCriteria === undefined ? {} : { scope: { ...run.scope, acceptanceCriteria } }),
});

function answered(run: Run, gate: Gate, approval: ApprovalRecord, at: At, auto: string | null): Run {
  // The questions of one sheet are answered together, and each is on record under its own kind.
  const kinds = gate.parts ? [...new Set(gate.parts.map(({ kind }) => kind))] : [gate.kind];
  const records = kinds.map((kind) => ({ ...approval, kind, ...at, gate, auto }));
  const kept: Run = restated({ ...run, approvals: [...run.approvals, ...records] }, approval);
  const passed = isPassing(approval.answer)
    ? agreed(
        granting(gate, kinds).reduce((next, kind) => grants[kind](next, gate), kept),
        gate,
        auto,
      )
    : kept;
  if (gate.kind === "scope_change") return { ...passed, widening: null };
  return gate.kind === "role_switch" && passed === kept ? { ...kept, switching: null } : passed;
}

export const approvals = {
  approval_required(run, { gate }) {
    const next: Run = { ...run, counters: { ...run.counters, gate: run.counters.gate + 1 } };
    if (gate.kind === "role_switch")
      return next.switching
        ? { ...next, switching: { ...next.switching, gate } }
        : impossible(run, "a switch that was not requested");
    if (gate.kind === "scope_change")
      return next.widening
        ? { ...next, widening: { ...next.widening, gate } }
        : impossible(run, "a wider scope that nobody asked for");
    if (gate.lane === "side") return { ...next, side: { ...next.side, gate } };
    const phase = run.phase;
    if (phase.state === "awaiting_approval" || isEnded(phase))
      impossible(run, `a gate opens while the run is ${phase.state}`);
    return { ...next, phase: { state: "awaiting_approval", gate, back: phase }, trouble: null };
  },
  approval_recorded(run, { approval }, at) {
    const gate = [
      run.phase.state === "awaiting_approval" ? run.phase.gate : null,
      run.side.gate,
      run.switching?.gate ?? null,
      run.widening?.gate ?? null,
    ].find((open) => open?.id === approval.gateId);
    if (!gate) impossible(run, `gate ${approval.gateId} is answered and is not open`);
    return answered(close(run, gate), gate, approval, at, null);
  },
  approval_auto_approved(run, { gate, approval, policyReason }, at) {
    const next: Run = { ...run, trouble: null, counters: { ...run.counters, gate: run.counters.gate + 1 } };
    return answered(next, gate, approval, at, policyReason);
  },
  budget_extended: (run, { addTokens, addMs, addAnswers = 0, addUsd = 0 }) => ({
    ...run,
    limits: {
      responses: run.limits.responses + addAnswers,
      usd: run.limits.usd === null ? null : run.limits.usd + addUsd,
      tokens: run.limits.tokens === null ? null : run.limits.tokens + addTokens,
      ms: run.limits.ms === null ? null : run.limits.ms + addMs,
    },
  }),
  message_received: (run, { message, by, callId = null }, at) => ({
    ...run,
    messages: [...run.messages, { ...message, by, callId, widenedAt: null, ...at }],
    widening: message.widens ? { seq: at.seq, gate: null } : run.widening,
    scope: {
      ...run.scope,
      disallowedPaths: [...run.scope.disallowedPaths, ...(message.disallowedPaths ?? [])],
    },
  }),
  role_switch_requested: (run, { role, assignment, by }) => ({
    ...run,
    switching: { role, assignment, by, gate: null },
  }),
  role_assigned: (run, { role, assignment }) => ({
    ...unlimited(forgiven(run, role), role),
    roles: { ...run.roles, [role]: assignment },
    switching: null,
  }),
} satisfies Partial<EvolveTable<RunEventType>>;
