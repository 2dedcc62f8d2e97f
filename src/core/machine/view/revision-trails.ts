// The trail of each revision packet: from the request for a repair to its review.
import { acceptedOf, callOf } from "../facts/index.ts";
import { isEnded, type Pass, type Run } from "../state/index.ts";
import { handoffs } from "./handoffs.ts";
import type { RevisionTrail } from "./shapes.ts";

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
        repair:
          repair?.captured?.patch?.patch.ref ?? acceptedOf(run, repair?.callId ?? null)?.response.ref ?? null,
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
  if (repair.verifier || repair.accepted || (isEnded(run.phase) && run.phase.state === "completed"))
    return "reviewed";
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
