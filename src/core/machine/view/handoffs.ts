// Handoffs: a typed record at every boundary between roles, at summons, at gates and at completion; and the trail
// of each revision packet through them, from the request for a repair to its review.
import { type Actor, type Gate, type Role, type SideJob, plainLine, roleTable } from "../../contract/index.ts";
import { acceptedOf, callOf, openGates } from "../facts/index.ts";
import { isEnded, type AgentCall, type Pass, type Run } from "../state/index.ts";
import { operatorOwner, runtimeOwner } from "./rows.ts";
import type { Handoff, RevisionTrail } from "./shapes.ts";

const labelOf = (role: Role | undefined): string => (role ? roleTable[role].label : runtimeOwner.label);

const inLoop = { lane: "main", sideId: null, groupId: null } as const;

/** The directive and, once there is one, the accepted response. */
function artifactsOf(call: AgentCall | undefined): string[] {
  const outcome = call?.result?.outcome;
  return [
    ...(call?.directive ? [call.directive.directive.ref] : []),
    ...(outcome?.result === "accepted" ? [outcome.response.ref] : []),
  ];
}

function calls(run: Run): Handoff[] {
  const main = run.calls.filter(({ record }) => record.lane === "main");
  return main.map((call, index) => {
    const before = main[index - 1];
    return {
      ...inLoop,
      seq: call.seq,
      at: call.at,
      kind: "agent_handoff",
      from: before ? labelOf(before.record.role) : operatorOwner.label,
      to: labelOf(call.record.role),
      reason: call.why,
      gateId: null,
      artifacts: artifactsOf(call),
    };
  });
}

const askerOf = ({ kind }: Actor): string =>
  kind === "person" ? operatorOwner.label : kind === "host" ? "Host" : runtimeOwner.label;

/** The role and the reason of a side task that calls an agent; commands and evidence call none. */
function calledBy(job: SideJob): { role: Role; reason: string; groupId: string | null } | null {
  if (job.job === "reconcile") return { role: job.role, reason: "reconcile the plan", groupId: null };
  if (job.job !== "summon") return null;
  const { role, kind, brief } = job.request;
  const how = job.group ? `fan-out ${job.group.id}, item ${job.group.index + 1}` : "summon";
  return { role, reason: `${how} (${kind}): ${plainLine(brief, 160)}`, groupId: job.group?.id ?? null };
}

/** A summon is handed over when it is asked for, also when its gate is refused later. */
function sideTasks(run: Run): Handoff[] {
  return run.side.tasks.flatMap(({ seq, at, job, by, callId }): Handoff[] => {
    const called = calledBy(job);
    if (!called) return [];
    const { role, reason, groupId } = called;
    return [
      {
        seq,
        at,
        kind: "agent_handoff",
        lane: "side",
        sideId: job.id,
        groupId,
        from: askerOf(by),
        to: labelOf(role),
        reason,
        gateId: null,
        artifacts: artifactsOf(callOf(run, callId)),
      },
    ];
  });
}

function integrations(run: Run): Handoff[] {
  return run.passes.flatMap((pass) =>
    pass.integration
      ? [
          {
            ...inLoop,
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

const beside = ({ lane, sideId }: Gate): Pick<Handoff, "lane" | "sideId" | "groupId"> => ({
  lane,
  sideId: sideId ?? null,
  groupId: null,
});

function gates(run: Run): Handoff[] {
  const answered = run.approvals.map((approval): Handoff => {
    const manual = approval.auto === null;
    return {
      ...beside(approval.gate),
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
    ...beside(gate),
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
      ...inLoop,
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
  const all = [...calls(run), ...sideTasks(run), ...integrations(run), ...gates(run), ...completion(run)];
  return all.sort((a, b) => a.seq - b.seq);
}

export function revisionTrails(run: Run): RevisionTrail[] {
  const all = handoffs(run).filter(({ lane }) => lane === "main");
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
        failureClass: packet.failureClass,
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
