// The gates that the user's policy passes without a person, and the gates that no policy passes. A transfer with a
// secret risk always waits for a person, even if a rule allows it.
import type {
  GateKind,
  PatchJudgement,
  Policy,
  TransferManifest,
  TransferRule,
} from "../../contract/index.ts";

export interface GateFacts {
  readonly manifest?: TransferManifest;
  readonly judgement?: PatchJudgement;
  /** Why the agreement at the start of the run covers this. */
  readonly agreed?: string | null;
  /** A check cannot run on this machine, and no person has seen that yet. */
  readonly unready?: boolean;
}

const byAutopilot: readonly GateKind[] = [
  "implementation_start",
  "provider_invocation",
  "summon_provider_invocation",
  "isolated_patch_application",
];

const transfers: readonly GateKind[] = [
  "repo_context_external_transfer",
  "progress_packet_external_transfer",
  "run_evidence_external_transfer",
];

/** The reason why the policy passes this gate, or null when a person must. */
export function autoApproval(policy: Policy, kind: GateKind, facts: GateFacts): string | null {
  const agreed = facts.agreed ?? null;
  if (transfers.includes(kind))
    return facts.manifest ? (agreed ?? transferDecision(policy, facts.manifest)) : null;
  if (kind === "implementation_start" && agreed !== null) return agreed;
  if (facts.unready) return null;
  if (kind === "implementation_start" && !policy.editRequiresApproval)
    return "The policy lets this mode edit in a worktree without asking.";
  if (policy.approvals !== "autopilot" || !byAutopilot.includes(kind)) return null;
  // A patch with a finding waits for a person in every mode.
  if (kind === "isolated_patch_application" && facts.judgement?.verdict !== "accept") return null;
  return `Autopilot passes ${kind}.`;
}

/** Everything that could leave: the bytes that are sent, and the bytes that may be read. */
export const mostBytes = ({ totalBytes, mayRead }: TransferManifest): number =>
  totalBytes + (mayRead?.bytes ?? 0);

function matches(rule: TransferRule, manifest: TransferManifest): boolean {
  return (
    (rule.provider === undefined || rule.provider === manifest.destination.provider) &&
    (rule.model === undefined || rule.model === manifest.destination.model) &&
    (rule.purposes === undefined || rule.purposes.includes(manifest.purpose)) &&
    (rule.riskClasses === undefined || rule.riskClasses.includes(manifest.risk)) &&
    (rule.maxBytes === undefined || mostBytes(manifest) <= rule.maxBytes)
  );
}

/** A rule of the user requires a person for this kind of transfer. */
export const mustBeAsked = ({ externalTransfers }: Policy, manifest: TransferManifest): boolean =>
  externalTransfers.rules.find((rule) => matches(rule, manifest))?.decision === "manual";

/** The reason to pass it, or null when a person must look. */
export function transferDecision(policy: Policy, manifest: TransferManifest): string | null {
  if (manifest.risk === "secret_risk") return null;
  const { mode, maxAutoApproveBytes, rules } = policy.externalTransfers;
  const rule = rules.find((candidate) => matches(candidate, manifest));
  if (rule)
    return rule.decision === "auto_approve" ? "A transfer rule of the user allows this manifest." : null;
  if (mostBytes(manifest) > maxAutoApproveBytes) return null;
  if (mode === "auto_low_risk")
    return `The transfer policy allows up to ${maxAutoApproveBytes} bytes without secret risk.`;
  return policy.approvals === "manual"
    ? null
    : `Policy ${policy.approvals} allows up to ${maxAutoApproveBytes} bytes without secret risk.`;
}
