// Transfers: their receiver, their phrase, and those that the user's policy passes without a person. A transfer with a secret
// risk always waits for a person, even if a rule allows it.
import {
  type DestinationBounds,
  type Policy,
  type ResolvedAssignment,
  type TransferManifest,
  type TransferPurpose,
  type TransferRule,
  agentProgramRows,
} from "../../contract/index.ts";

/** Everything that could leave: the bytes that are sent, and the bytes that may be read. */
export const mostBytes = ({ totalBytes, mayRead }: Pick<TransferManifest, "totalBytes" | "mayRead">): number =>
  totalBytes + (mayRead?.bytes ?? 0);

const madeBy = (provider: string): string | null | undefined =>
  agentProgramRows.find(({ id }) => id === provider)?.vendor;

const pages = ["chatgpt-web", "copilot-web", "gemini-web"];

/**
 * The place that receives the data: the server of an endpoint; the maker of an agent program, or the page. Where the user
 * chooses the maker, each model is a place of its own.
 */
export function placeOf({ provider, identity }: Pick<ResolvedAssignment, "provider" | "identity">): string {
  const [server, model] = identity.split(" ");
  if (server && model) return server;
  return pages.includes(provider) ? provider : (madeBy(provider) ?? identity);
}

const purposeNames = {
  repo_context: "repo context",
  progress_packet: "progress packet",
  memory_packet: "memory packet",
  reconciliation: "run evidence",
  run_evidence: "run evidence",
} as const satisfies Record<TransferPurpose, string>;

export const transferPhrase = (purpose: TransferPurpose, provider: string): string =>
  `send ${purposeNames[purpose]} to ${provider}`;

export const invocationPhrase = (provider: string): string => `invoke ${provider}`;

/** The bounds that a person sets by `remember`: what the policy lets pass, and what the agent may read in addition. */
export const boundsFor = (policy: Policy, assignment: ResolvedAssignment): DestinationBounds => ({
  provider: assignment.provider,
  place: placeOf(assignment),
  maxBytes: policy.externalTransfers.maxAutoApproveBytes + (assignment.reads?.bytes ?? 0),
});

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

/** The user allowed this destination, and the transfer is within its bounds and within those of the policy. */
function allowedBefore({ externalTransfers }: Policy, manifest: TransferManifest): string | null {
  const { allowed, totalBytes } = manifest;
  if (!allowed || mostBytes(manifest) > allowed.maxBytes || totalBytes > externalTransfers.maxAutoApproveBytes)
    return null;
  return `You allowed ${allowed.provider} (${allowed.place}) on ${allowed.since.slice(0, 10)}: up to ${allowed.maxBytes} bytes a call without secret risk.`;
}

/** The reason to pass it, or null when a person must look. */
export function transferDecision(policy: Policy, manifest: TransferManifest): string | null {
  if (manifest.risk === "secret_risk") return null;
  const { mode, maxAutoApproveBytes, rules } = policy.externalTransfers;
  const rule = rules.find((candidate) => matches(candidate, manifest));
  if (rule) return rule.decision === "auto_approve" ? "A transfer rule of the user allows this manifest." : null;
  const allowed = allowedBefore(policy, manifest);
  if (allowed !== null) return allowed;
  if (mostBytes(manifest) > maxAutoApproveBytes) return null;
  if (mode === "auto_low_risk")
    return `The transfer policy allows up to ${maxAutoApproveBytes} bytes without secret risk.`;
  return policy.approvals === "manual"
    ? null
    : `Policy ${policy.approvals} allows up to ${maxAutoApproveBytes} bytes without secret risk.`;
}
