// The transfers that the user's policy passes without a person. A transfer with a secret risk always waits for a person, even
// if a rule allows it.
import type { Policy, TransferManifest, TransferRule } from "../../contract/index.ts";

/** Everything that could leave: the bytes that are sent, and the bytes that may be read. */
export const mostBytes = ({ totalBytes, mayRead }: TransferManifest): number => totalBytes + (mayRead?.bytes ?? 0);

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
  if (rule) return rule.decision === "auto_approve" ? "A transfer rule of the user allows this manifest." : null;
  if (mostBytes(manifest) > maxAutoApproveBytes) return null;
  if (mode === "auto_low_risk")
    return `The transfer policy allows up to ${maxAutoApproveBytes} bytes without secret risk.`;
  return policy.approvals === "manual"
    ? null
    : `Policy ${policy.approvals} allows up to ${maxAutoApproveBytes} bytes without secret risk.`;
}
