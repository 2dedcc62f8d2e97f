// How much a person can lose by a careless yes at a gate. It orders what waits; it decides nothing.
import type { GateKind } from "../../contract/index.ts";

export type GateRisk = "low" | "medium" | "high";

const low: readonly string[] = [
  "implementation_start",
  "provider_invocation",
  "summon_provider_invocation",
  "role_unassigned",
  "verifier_unassigned",
  "missing_read_only_delegate_assignment",
  "unsupported_read_only_delegate_role",
  "self_read_only_delegate",
  "repeated_repo_context_delegate",
  "token_budget",
  "time_budget",
  "role_switch",
];
const high: readonly string[] = [
  "protected_patch_changes",
  "critic_safety_review",
  "orchestrator_complete_without_evidence",
  "validation_waiver",
  "risky_command",
  "provider_in_doubt",
];

/** Everything between changes files, or sends something away. */
export const gateRisk = (kind: GateKind | (string & {})): GateRisk =>
  low.includes(kind) ? "low" : high.includes(kind) ? "high" : "medium";

/** A gate that asks several questions at once is as risky as the worst of them. */
export function worstRisk(kind: string, kinds: readonly string[] = []): GateRisk {
  const risks = [kind, ...kinds].map((one) => gateRisk(one));
  return (["high", "medium"] as const).find((risk) => risks.includes(risk)) ?? "low";
}
