// The gates of a call before it is sent: use of the provider, and transfer of the content. For the loop and the side lane.
import { roleTable, type GateKind, type GatePart, type TransferManifest } from "../../contract/index.ts";
import { unreportedMissing, useOf } from "../facts/index.ts";
import { confinementLines } from "../gate/lines.ts";
import { openGate, type GateRequest } from "../gate/open.ts";
import { autoApproval } from "../gate/auto.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import {
  boundsFor,
  invocationPhrase,
  mostBytes,
  mustBeAsked,
  transferDecision,
  transferPhrase,
} from "../policy/index.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { purposeOf } from "./sources.ts";
import { asksOnce, missingLines } from "./start-sheet.ts";

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

const unready = (run: Run, { record: { lane } }: AgentCall): boolean =>
  lane === "main" && unreportedMissing(run).length > 0;

/** `agreed` is the reason why no person is asked about this use. */
function invocationGate(run: Run, call: AgentCall, deps: MachineDeps, agreed: string | null = null): Decision {
  const { role, assignment, lane } = call.record;
  return openGate(run, deps, {
    kind: lane === "main" ? "provider_invocation" : "summon_provider_invocation",
    lane,
    phrase: invocationPhrase(assignment.provider),
    facts: { unready: unready(run, call), agreed },
    shown: [
      ...(lane === "main" ? missingLines(run) : []),
      `role: ${role} (${roleTable[role].label})`,
      `provider and model: ${assignment.assignment}, answering as ${assignment.identity}`,
      assignment.boundary === "external"
        ? "Its message leaves this machine; you are asked about that message by its manifest, unless your policy passes it."
        : "The provider runs on this machine.",
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

function readLines({ record: { assignment, workspace } }: AgentCall, { mayRead }: TransferManifest): string[] {
  if (mayRead)
    return [
      `it may also be shown up to ${mayRead.bytes} bytes of this checkout's files, in ${mayRead.calls} looks; none with a secret in it`,
    ];
  return assignment.edits === "worktree" && workspace !== "none"
    ? [
        "the agent program also reads files of its folder without asking, and sends what it needs of them to its service",
      ]
    : [];
}

/** The bounds that a person may set for the destination; undefined where they would not pass this transfer either. */
function offered(run: Run, { record }: AgentCall, manifest: TransferManifest): GateRequest["remembers"] {
  const { policy } = run.created;
  const bounds = boundsFor(policy, record.assignment);
  const covers =
    mostBytes(manifest) <= bounds.maxBytes && manifest.totalBytes <= policy.externalTransfers.maxAutoApproveBytes;
  const asksAnyway = manifest.risk === "secret_risk" || mustBeAsked(policy, manifest);
  return covers && !asksAnyway ? bounds : undefined;
}

/** The gate of one transfer, by its manifest. */
function transferRequest(run: Run, call: AgentCall): GateRequest {
  const { manifest, directive } = call;
  if (!manifest || !directive) throw new Error(`Call ${call.record.callId} has no manifest to approve.`);
  const { role, assignment, lane } = call.record;
  const remembers = offered(run, call, manifest);
  return {
    kind: transferGates[purposeOf(call)],
    lane,
    phrase: transferPhrase(purposeOf(call), assignment.provider),
    answers: ["approve", ...(remembers ? (["remember"] as const) : []), "reject", "abort"],
    shown: [
      `to: ${assignment.assignment} (${assignment.identity}), for the ${role}`,
      `purpose: ${manifest.purpose}; ${manifest.totalBytes} bytes; risk: ${manifest.risk}`,
      ...readLines(call, manifest),
      ...manifest.riskReasons.map((reason) => `- ${reason}`),
      `content sha256: ${manifest.contentSha256}`,
      ...(remembers
        ? [
            `remember: also lets later transfers to ${remembers.provider} (${remembers.place}) pass in all your repositories: up to ${remembers.maxBytes} bytes a call, never with a secret risk. Each is recorded with its manifest; you can list and revoke the permission (access).`,
          ]
        : []),
    ],
    refs: [manifest.manifest, directive.directive],
    about: aboutOf(call),
    facts: { manifest },
    ...(remembers ? { remembers } : {}),
  };
}

const transferGate = (run: Run, call: AgentCall, deps: MachineDeps): Decision =>
  openGate(run, deps, transferRequest(run, call));

/** The use of the provider and its transfer, asked together: the one question before there is a plan (B-3). */
function destinationGate(run: Run, call: AgentCall, deps: MachineDeps): Decision {
  const request = transferRequest(run, call);
  const { provider } = call.record.assignment;
  const parts: GatePart[] = [
    { kind: "provider_invocation", phrase: invocationPhrase(provider) },
    { kind: request.kind, phrase: request.phrase ?? null },
  ];
  return openGate(run, deps, {
    ...request,
    title: `Call ${provider} and send it this message`,
    parts,
    phrase: parts.map(({ phrase }) => phrase).join("; "),
    shown: [
      ...missingLines(run),
      ...request.shown,
      ...(run.startedPlan === null ? ["No work begins before you are shown the plan."] : []),
      ...confinementLines(run),
    ],
  });
}

/** In a run that changes something the plan is the first question; only a transfer that must be asked about comes before. */
function holdUse(run: Run, call: AgentCall, deps: MachineDeps): Decision | null {
  const { boundary } = call.record.assignment;
  const { policy } = run.created;
  const early = run.startedPlan === null;
  if (boundary === "local")
    return invocationGate(
      run,
      call,
      deps,
      early ? "It runs on this machine, and you are asked about its plan before any work begins." : null,
    );
  if (!call.manifest) return null;
  const passed = transferDecision(policy, call.manifest);
  if (passed !== null) return invocationGate(run, call, deps, early ? passed : null);
  const byPolicy = autoApproval(policy, "provider_invocation", { unready: unready(run, call) });
  return byPolicy === null ? destinationGate(run, call, deps) : invocationGate(run, call, deps);
}

/** A gate this call must pass before its next step, or null when it may go on. */
export function holdCall(run: Run, call: AgentCall, deps: MachineDeps): Decision | null {
  if (call.posted) return null;
  if (!allowed(run, call))
    return call.record.lane === "main" && asksOnce(run) ? holdUse(run, call, deps) : invocationGate(run, call, deps);
  if (call.manifest && !call.transferApproved) return transferGate(run, call, deps);
  return null;
}
