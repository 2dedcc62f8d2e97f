// The gates that the user's policy passes without a person, and the gates that no policy passes.
import type { GateKind, PatchJudgement, Policy, TransferManifest } from "../../contract/index.ts";
import { transferDecision } from "../policy/index.ts";
import { gateTable } from "./table.ts";

export interface GateFacts {
  readonly manifest?: TransferManifest;
  readonly judgement?: PatchJudgement;
  /** Why no person is asked about this use of a provider. */
  readonly agreed?: string | null;
  /** How many doubts about the work must be answered by a person. */
  readonly doubts?: number;
  /** A person wrote something to the run that no agent has been given. */
  readonly undelivered?: boolean;
  /** A check cannot run on this machine, and no person has seen that yet. */
  readonly unready?: boolean;
}

/** The reason why the policy passes this gate, or null when a person must. */
export function autoApproval(policy: Policy, kind: GateKind, facts: GateFacts): string | null {
  const agreed = facts.agreed ?? null;
  const rules = gateTable[kind];
  if (rules.policy === "transfer") return facts.manifest ? transferDecision(policy, facts.manifest) : null;
  if (facts.unready) return null;
  if (kind === "provider_invocation" && policy.approvals !== "autopilot" && agreed !== null) return agreed;
  if (kind === "implementation_start" && !policy.editRequiresApproval)
    return "The policy lets this mode edit in a worktree without asking.";
  if (policy.approvals !== "autopilot" || rules.policy !== "autopilot") return null;
  // Work about which the runtime has a doubt is not integrated unasked (B-26).
  if ((facts.doubts ?? 0) > 0) return null;
  // Nobody worked by the last words of the person.
  if (facts.undelivered) return null;
  // A patch with a finding waits for a person in every mode.
  if (kind === "isolated_patch_application" && facts.judgement?.verdict !== "accept") return null;
  return `Autopilot passes ${kind}.`;
}
