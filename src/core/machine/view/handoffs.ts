// Handoffs: a typed record at every boundary between roles, at gates and at completion; and the trail of each
// revision packet through them, from the request for a repair to its review.
import { type Role, roleTable } from "../../contract/index.ts";
import { acceptedOf, callOf, openGates } from "../facts/index.ts";
import { isEnded, type Pass, type Run } from "../state/index.ts";
import { operatorOwner, runtimeOwner } from "./rows.ts";
import type { Handoff, RevisionTrail } from "./shapes.ts";

const labelOf = (role: Role | undefined): string => (role ? roleTable[role].label : runtimeOwner.label);

function calls(run: Run): Handoff[] {
  const main = run.calls.filter(({ record }) => record.lane === "main");
  return main.map((call, index) => {
    const before = main[index - 1];
    const outcome = call.result?.outcome;
    const answer = outcome?.result === "accepted" ? [outcome.response.ref] : [];
    return {
      seq: call.seq,
      at: call.at,
      kind: "agent_handoff",
      from: before ? labelOf(before.record.role) : operatorOwner.label,
      to: labelOf(call.record.role),
      reason: call.why,
      gateId: null,
      artifacts: [...(call.directive ? [call.directive.directive.ref] : []), ...answer],
    };
  });
}

function integrations(run: Run): Handoff[] {
  return run.passes.flatMap((pass) =>
    pass.integration
      ? [
          {
            seq: pass.integration.seq,
            at: pass.integration.at,
            kind: "agent_handoff" as const,
            from: labelOf(callOf(run, pass.callId)?.record.role),
            to: labelOf("integrator"),
            reason: `pass ${pass.number} applied to the checkout`,
            gateId: null,
            artifacts: [pass.integration.report.ref],
          },
        ]
      : [],
  );
}

function gates(run: Run): Handoff[] {
  const answered = run.approvals.map((approval): Handoff => {
    const manual = approval.auto === null;
    return {
      seq: approval.seq,
      at: approval.at,
      kind: manual ? "approval_gate" : "approval_auto_approved",
      from: manual ? operatorOwner.label : runtimeOwner.label,
      to: labelOf(approval.gate.role),
      reason: `${approval.kind}: ${approval.answer}`,
      gateId: approval.gateId,
      artifacts: approval.gate.subject.refs.map(({ ref }) => ref),
    };
  });
  const open = openGates(run).map((gate): Handoff => ({
    seq: run.seq,
    at: run.updatedAt,
    kind: "approval_gate",
    from: labelOf(gate.role),
    to: operatorOwner.label,
    reason: `${gate.kind}: waiting`,
    gateId: gate.id,
    artifacts: gate.subject.refs.map(({ ref }) => ref),
  }));
  return [...answered, ...open];
}

function completion(run: Run): Handoff[] {
  if (run.phase.state !== "completed") return [];
  const { by, stopReason } = run.phase;
  const role = Object.hasOwn(roleTable, by) ? (by as Role) : undefined;
  return [
    {
      seq: run.seq,
      at: run.updatedAt,
      kind: "completion",
      from: role ? labelOf(role) : operatorOwner.label,
      to: operatorOwner.label,
      reason: stopReason,
      gateId: null,
      artifacts: run.report ? [run.report.report.ref] : [],
    },
  ];
}

export function handoffs(run: Run): Handoff[] {
  return [...calls(run), ...integrations(run), ...gates(run), ...completion(run)].sort((a, b) => a.seq - b.seq);
}

export function revisionTrails(run: Run): RevisionTrail[] {
  const all = handoffs(run);
  return run.passes.flatMap((asked) => {
    const packet = asked.outcome;
    if (!packet) return [];
    const repair = run.passes.find((pass) => pass.revision?.revisionId === packet.revisionId);
    const next = repair?.outcome?.seq ?? Infinity;
    return [
      {
        revisionId: packet.revisionId,
        status: statusOf(run, repair),
        sourceRole: packet.sourceRole,
        reasonCode: packet.reasonCode,
        reason: packet.reason,
        pass: packet.pass,
        packet: packet.artifact.ref,
        repair: repair?.captured?.patch?.patch.ref ?? acceptedOf(run, repair?.callId ?? null)?.response.ref ?? null,
        validation: repair?.validation?.artifact.ref ?? null,
        reviews: repair ? reviewsOf(run, repair) : [],
        handoffs: all.filter(({ seq }) => seq > packet.seq && seq <= next).map(({ seq }) => seq),
        completion: run.phase.state === "completed" && repair?.outcome === null ? run.seq : null,
      },
    ];
  });
}

function reviewsOf(run: Run, pass: Pass): string[] {
  return [pass.qa, pass.verifier, pass.critic].flatMap((callId) => {
    const accepted = acceptedOf(run, callId);
    return accepted ? [accepted.response.ref] : [];
  });
}

function statusOf(run: Run, repair: Pass | undefined): RevisionTrail["status"] {
  if (!repair) return "packet_written";
  if (repair.outcome) return "superseded";
  if (repair.verifier || repair.accepted || (isEnded(run.phase) && run.phase.state === "completed")) return "reviewed";
  if (repair.integration || repair.validation) return "awaiting_review";
  if (repair.captured) return "repair_reported";
  const working = run.calls.some(
    (call) =>
      call.record.pass === repair.number &&
      call.record.role === "implementer" &&
      callOf(run, call.record.callId)?.posted,
  );
  return working ? "repairing" : "delegated";
}
