// Asks a role of the loop: finds its agent, checks that the agent may take it, and that there is budget for one more
// call.
import {
  type AskedRole,
  type CallPhase,
  type CallRecord,
  type ContractName,
  type ResolvedAssignment,
  contractOfRole,
  roleTable,
} from "../../contract/index.ts";
import { answersLeft, counted, nameFor, currentPassNumber } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit, combine } from "../decision.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { failRun } from "../transition.ts";
import { blindTester } from "./tester.ts";

export interface AskRequest {
  readonly role: AskedRole;
  readonly phase: CallPhase;
  readonly why: string;
  readonly retryOf?: string | null;
}

/** The conflict between implementer and verifier when both are one agent, or null. */
export function roleConflict(roles: Run["roles"]): string | null {
  const { implementer, verifier } = roles;
  if (!implementer || !verifier || implementer.identity !== verifier.identity) return null;
  return `implementer (${implementer.assignment}) and verifier (${verifier.assignment}) are the same agent, ${implementer.identity}`;
}

/** An agent that was sent to work in this run, also before a role switch, cannot verify it. */
export const hasWorked = (run: Run, { identity }: ResolvedAssignment): boolean =>
  run.calls.some(
    ({ record, posted }) => record.role === "implementer" && posted !== null && record.assignment.identity === identity,
  );

/** The same, with the calls that the run has made so far. */
export function conflictIn(run: Run, roles: Run["roles"]): string | null {
  const { verifier } = roles;
  if (verifier && hasWorked(run, verifier))
    return `verifier (${verifier.assignment}) has worked on this run as its implementer`;
  return roleConflict(roles);
}

function workspaceFor(run: Run, role: AskedRole): CallRecord["workspace"] {
  if (!roleTable[role].edit) return run.created.baseCommit === null ? "none" : "read_only";
  return run.created.policy.directEdit ? "direct" : "worktree";
}

export function makeCallRecord(
  run: Run,
  question: Omit<AskRequest, "why">,
  assignment: ResolvedAssignment,
  lane: {
    lane: "main" | "side";
    purpose: CallRecord["purpose"];
    sideId: string | null;
    contract?: ContractName;
  },
): CallRecord {
  const { role, phase, retryOf = null } = question;
  const before = run.calls.filter((call) => call.record.role === role && call.record.purpose === lane.purpose);
  return {
    callId: nameFor(run, "call"),
    lane: lane.lane,
    role,
    phase,
    purpose: lane.purpose,
    ordinal: before.length + 1,
    pass: currentPassNumber(run),
    assignment,
    contract: lane.contract ?? contractOfRole[role],
    workspace: lane.lane === "side" && roleTable[role].edit ? "none" : workspaceFor(run, role),
    retryOf,
    sideId: lane.sideId,
  };
}

export function ask(run: Run, deps: MachineDeps, question: AskRequest): Decision {
  const { role, phase, why } = question;
  const isBlind = phase === "blind_tests";
  const assignment = isBlind ? blindTester(run) : run.roles[role];
  if (!assignment) return unassigned(run, role, deps);
  const conflict = conflictIn(run, run.roles);
  if (conflict && (role === "implementer" || role === "verifier"))
    return failRun(
      "role_conflict",
      "permission_denied",
      `${role} cannot be called: ${conflict}.`,
      "Assign another agent to one of them.",
    );
  if (answersLeft(run) === 0) return noAnswersLeft(run, question, deps);
  const lane = isBlind
    ? ({ lane: "main", purpose: "blind_tests", sideId: null, contract: "blind_tests_result" } as const)
    : ({ lane: "main", purpose: "loop", sideId: null } as const);
  const call = makeCallRecord(run, question, assignment, lane);
  return combine(shortOfAnswers(run, role), emit({ type: "agent_asked", call, why }));
}

/** Asks the same question once more; the call counts like any other. */
export function askAgain(run: Run, call: AgentCall, why: string, deps: MachineDeps): Decision {
  const { role, phase, callId } = call.record;
  return ask(run, deps, { role, phase, why, retryOf: callId });
}

function noAnswersLeft(run: Run, { role, retryOf = null }: AskRequest, deps: MachineDeps): Decision {
  const { responses } = run.limits;
  const shown = [
    `All ${counted(responses, "model call")} of this run are used; the ${role} is to be asked next.`,
    "Extend to go on from here. Reject or abort ends the run as failed, with max_iterations. Look at the revision trail first: more calls do not help where the same problem comes back.",
  ];
  const about = { role, cause: "max_iterations", ...(retryOf === null ? {} : { callId: retryOf }) };
  return openGate(run, deps, { kind: "answer_budget", shown, about });
}

/** The answers that one pass takes: the worker's, and one of each reviewer. */
const answersOfPass = ({ roles, blind, created }: Run): number =>
  (["implementer", "qa", "critic", "verifier"] as const).filter((role) => roles[role]).length +
  (created.policy.blindTests === "on" && blind === null ? 1 : 0);

/** The warning comes before the worker is paid, while a person can still add answers in time. */
function shortOfAnswers(run: Run, role: AskedRole): Decision {
  const left = answersLeft(run);
  const needed = answersOfPass(run);
  if (role !== "implementer" || left >= needed) return emit();
  const message = `${left} of ${counted(run.limits.responses, "model call")} are left, and this pass may need ${needed}: you will be asked for more before its last reviewer.`;
  return emit({
    type: "finding_recorded",
    pass: currentPassNumber(run),
    finding: { kind: "budget", severity: "risk", message, refs: [] },
  });
}

function unassigned(run: Run, role: AskedRole, deps: MachineDeps): Decision {
  return openGate(run, deps, {
    kind: role === "verifier" ? "verifier_unassigned" : "role_unassigned",
    shown: [
      `The run needs a ${role} (${roleTable[role].label}) and no agent is assigned.`,
      `Assign one for this run, then approve; or abort.`,
    ],
    about: { role, cause: "role_unassigned" },
  });
}
