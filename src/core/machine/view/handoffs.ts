// Handoffs: a typed record at every boundary between roles, at gates and at completion, with one table of labels.
import { type Role, roleTable } from "../../contract/index.ts";
import { callOf, openGates } from "../facts/index.ts";
import type { Run } from "../state/index.ts";
import { operatorOwner, runtimeOwner } from "./owners.ts";
import type { Handoff } from "./shapes.ts";

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
  return [...calls(run), ...integrations(run), ...gates(run), ...completion(run)].sort(
    (a, b) => a.seq - b.seq,
  );
}
