// Where data would go if these agents were called. No agent is called for this. An alias counts as what it names (S-12).
import { roleTable, type Policy, type ResolvedAssignment, type Role, type TransferPurpose } from "../contract/index.ts";
import type { AccessReport, Destination } from "../contract/setup/index.ts";
import { describeBudget } from "../machine/policy/index.ts";

export interface AccessRequest {
  readonly crew: Readonly<Partial<Record<Role, ResolvedAssignment>>>;
  readonly purpose: TransferPurpose;
  readonly policy: Policy;
}

export function modelAccess({ crew, purpose, policy }: AccessRequest): AccessReport {
  const destinations = Object.entries(crew).flatMap(([role, assigned]) =>
    assigned ? [destination(role as Role, assigned, purpose, policy)] : [],
  );
  const leaving = destinations.filter(({ boundary }) => boundary === "external");
  return {
    localOnly: true,
    purpose,
    destinations,
    dataLeaves: leaving.length > 0,
    approval:
      destinations.length === 0
        ? "No agent is assigned to any role, and none was found: a run would not start."
        : leaving.length === 0
          ? "Nothing would leave this machine; no transfer needs approval."
          : `Before anything is sent a manifest is written and shown; approve with: ${[...new Set(leaving.map(({ phrase }) => phrase))].join(" / ")}`,
    cost: `At most ${describeBudget(policy.budgets)}; a provider takes its own price for them.`,
    fallbacks: [
      {
        advice: "Assign a local agent to the role",
        suggestions: [{ suggest: "assign_role", role: null, runId: null }],
      },
      "Run without that role: a missing reader is skipped, a missing verifier stops for you",
      ...(leaving.length > 0 ? ["Reject the transfer gate: nothing is sent, and the run stops there"] : []),
    ],
  };
}

function destination(role: Role, assigned: ResolvedAssignment, purpose: TransferPurpose, policy: Policy): Destination {
  const external = assigned.boundary === "external";
  return {
    role,
    label: roleTable[role].label,
    assignment: assigned.assignment,
    identity: assigned.identity,
    boundary: assigned.boundary,
    crosses: external ? crossing(purpose, assigned) : staying(assigned),
    phrase: external
      ? phraseOf(purpose, assigned.provider)
      : assigned.modelBacked
        ? `invoke ${assigned.provider}`
        : null,
    passesByPolicy: !external && (policy.approvals === "autopilot" || !assigned.modelBacked),
  };
}

function crossing(purpose: TransferPurpose, { reads, identity }: ResolvedAssignment): string {
  const sent = `${purpose.replaceAll("_", " ")} of this repository, redacted, as the manifest lists it, to ${identity}`;
  return reads === undefined
    ? sent
    : `${sent}; and in each call up to ${reads.bytes} bytes of files that it asks to see, none with a secret in it`;
}

/** An agent program is here; behind a server that is here there may be anything. */
const staying = ({ reads, identity }: ResolvedAssignment): string =>
  reads === undefined
    ? "nothing: the agent runs on this machine"
    : `nothing by us: ${identity} is a server on this machine; whether it hands on what it gets is its own affair`;

const phraseOf = (purpose: TransferPurpose, provider: string): string =>
  purpose === "repo_context"
    ? `send repo context to ${provider}`
    : purpose === "run_evidence"
      ? `send run evidence to ${provider}`
      : `send progress packet to ${provider}`;
