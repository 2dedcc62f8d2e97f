// Where data would go if these agents were called. No agent is called for this. An alias counts as what it names (S-12).
import {
  roleTable,
  type AllowedDestination,
  type Policy,
  type ResolvedAssignment,
  type Role,
  type TransferPurpose,
} from "../contract/index.ts";
import type { AccessReport, Destination } from "../contract/setup/index.ts";
import { describeBudget, invocationPhrase, placeOf, transferPhrase } from "../machine/policy/index.ts";

export interface AccessRequest {
  readonly crew: Readonly<Partial<Record<Role, ResolvedAssignment>>>;
  readonly purpose: TransferPurpose;
  readonly policy: Policy;
  /** The destinations that the user allowed at a gate. */
  readonly allowed: readonly AllowedDestination[];
}

export function modelAccess({ crew, purpose, policy, allowed }: AccessRequest): AccessReport {
  const destinations = Object.entries(crew).flatMap(([role, assigned]) =>
    assigned ? [destination(role as Role, assigned, { crew, purpose, policy, allowed })] : [],
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
          : approvalText(leaving, policy),
    cost: `At most ${describeBudget(policy.budgets)}; your provider charges you for them.`,
    fallbacks: [
      {
        advice: "Assign a local agent to the role",
        suggestions: [{ suggest: "assign_role", role: null, runId: null }],
      },
      "Run without that role: a missing reader is skipped, a missing verifier stops for you",
      ...(leaving.length > 0 ? ["Reject the transfer gate: nothing is sent, and the run stops there"] : []),
    ],
    allowed,
  };
}

/** The words of the gates, in their order. */
function approvalText(leaving: readonly Destination[], { externalTransfers, approvals }: Policy): string {
  const unique = (list: readonly (string | null)[]) => [...new Set(list)].join(" / ");
  const asked = leaving.filter(({ allowed }) => !allowed);
  const gate = `stops at a gate that shows its manifest; approve with: ${unique(leaving.map(({ phrase }) => phrase))}`;
  if (approvals !== "manual" || externalTransfers.mode === "auto_low_risk")
    return `Transfers of up to ${externalTransfers.maxAutoApproveBytes} bytes without secret risk pass by your policy, with manifest and event on record; each other one ${gate}`;
  if (asked.length === 0)
    return `Transfers within the bounds that you allowed pass, with manifest and event on record; each other one ${gate}`;
  const first = unique(asked.map(({ assignment }) => invocationPhrase(providerOf(assignment))));
  return `Before anything is sent each transfer ${gate}. The first call of a provider also asks for: ${first}. Answer with remember to allow a destination within bounds.`;
}

const providerOf = (assignment: string): string => assignment.slice(0, assignment.indexOf(":"));

/** Roles that are called before there is work: they get text of the repository. The others get what the run made. */
const beforeWork: ReadonlySet<Role> = new Set<Role>(["orchestrator", "planner", "researcher"]);

function destination(
  role: Role,
  assigned: ResolvedAssignment,
  { purpose: asked, policy, allowed }: AccessRequest,
): Destination {
  const purpose = asked === "repo_context" && !beforeWork.has(role) ? "run_evidence" : asked;
  const external = assigned.boundary === "external";
  const { provider } = assigned;
  const place = placeOf(assigned);
  const known = allowed.find((one) => one.provider === provider && one.place === place);
  return {
    role,
    label: roleTable[role].label,
    assignment: assigned.assignment,
    identity: assigned.identity,
    boundary: assigned.boundary,
    crosses: external ? crossing(purpose, assigned) : staying(assigned),
    phrase: external ? transferPhrase(purpose, provider) : assigned.modelBacked ? invocationPhrase(provider) : null,
    passesByPolicy: !external && (policy.approvals === "autopilot" || !assigned.modelBacked),
    ...(external && known ? { allowed: known } : {}),
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
