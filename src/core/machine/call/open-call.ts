// The gates of a call before it is sent: use of the provider, and transfer of the content. For the loop and the side lane.
import { roleTable, type GateKind } from "../../contract/index.ts";
import { unreportedMissing, useOf } from "../facts/index.ts";
import { confinementLines } from "../gate/lines.ts";
import { openGate } from "../gate/open.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { purposeOf, transferPhrase } from "./sources.ts";
import { agreedTransfer, asksOnce, missingLines, startSheet } from "./start-sheet.ts";

function allowed(run: Run, call: AgentCall): boolean {
  const { assignment, role, lane } = call.record;
  if (!assignment.modelBacked) return true;
  if (lane === "side") return call.invocationApproved;
  return run.authorised.includes(useOf(role, assignment.assignment));
}

const aboutOf = ({ record: { role, assignment, callId, sideId } }: AgentCall) => ({
  callId,
  role,
  assignment: assignment.assignment,
  ...(sideId === null ? {} : { sideId }),
});

function invocationGate(run: Run, call: AgentCall, deps: MachineDeps): Decision {
  const { role, assignment, lane } = call.record;
  return openGate(run, deps, {
    kind: lane === "main" ? "provider_invocation" : "summon_provider_invocation",
    lane,
    phrase: `invoke ${assignment.provider}`,
    facts: { unready: lane === "main" && unreportedMissing(run).length > 0 },
    shown: [
      ...(lane === "main" ? missingLines(run) : []),
      `role: ${role} (${roleTable[role].label})`,
      `provider and model: ${assignment.assignment}, answering as ${assignment.identity}`,
      assignment.boundary === "external" ? "The directive leaves this machine." : "The provider runs on this machine.",
      ...confinementLines(run),
      lane === "main" ? "This covers this role with this model for the rest of the run." : "This covers this one call.",
    ],
    about: aboutOf(call),
  });
}

const transferGates = {
  repo_context: "repo_context_external_transfer",
  progress_packet: "progress_packet_external_transfer",
  reconciliation: "progress_packet_external_transfer",
  memory_packet: "run_evidence_external_transfer",
  run_evidence: "run_evidence_external_transfer",
} as const satisfies Record<ReturnType<typeof purposeOf>, GateKind>;

function transferGate(run: Run, call: AgentCall, deps: MachineDeps): Decision {
  const { manifest } = call;
  if (!manifest) throw new Error(`Call ${call.record.callId} has no manifest to approve.`);
  const { role, assignment, lane } = call.record;
  return openGate(run, deps, {
    kind: transferGates[purposeOf(call)],
    lane,
    phrase: transferPhrase(call),
    shown: [
      `to: ${assignment.assignment}, for the ${role}`,
      `purpose: ${manifest.purpose}; ${manifest.totalBytes} bytes; risk: ${manifest.risk}`,
      ...(manifest.mayRead
        ? [
            `it may also be shown up to ${manifest.mayRead.bytes} bytes of this checkout's files, in ${manifest.mayRead.calls} looks; none with a secret in it`,
          ]
        : []),
      ...manifest.riskReasons.map((reason) => `- ${reason}`),
      `content sha256: ${manifest.contentSha256}`,
    ],
    refs: [manifest.manifest],
    about: aboutOf(call),
    facts: { manifest, agreed: agreedTransfer(run, call) },
  });
}

/** A gate this call must pass before its next step, or null when it may go on. */
export function holdCall(run: Run, call: AgentCall, deps: MachineDeps): Decision | null {
  if (call.posted) return null;
  if (!allowed(run, call))
    return call.record.lane === "main" && run.agreement === null && asksOnce(run)
      ? openGate(run, deps, { ...startSheet(run, []), about: aboutOf(call) })
      : invocationGate(run, call, deps);
  if (call.manifest && !call.transferApproved) return transferGate(run, call, deps);
  return null;
}
