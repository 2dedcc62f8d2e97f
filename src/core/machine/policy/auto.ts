// The gates that the user's policy may pass by itself, and the gates that no policy ever passes.
import type { GateKind, PatchJudgement, Policy, TransferManifest } from "../../contract/index.ts";
import { transferDecision } from "./transfer.ts";

export interface GateFacts {
  readonly manifest?: TransferManifest;
  readonly judgement?: PatchJudgement;
  /** Why this lies inside what a person agreed to at the start of the run. */
  readonly agreed?: string | null;
  /** A check cannot run on this machine, and nobody was told of it yet. */
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
