// A call of the loop without a usable response: refused, blocked, failed, not sent, or in doubt. A role
// whose agent fails goes to the next agent of the user's list (B-11).
import {
  type AskedRole,
  type CallResult,
  type FailureClass,
  type ResolvedAssignment,
  plainLine,
} from "../../contract/index.ts";
import { contradictionLines } from "../gate/lines.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit, combine } from "../decision.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { failRun } from "../transition.ts";
import { askAgain, conflictIn } from "./ask.ts";
import { currentPassNumber, exhaustedBudget } from "../facts/index.ts";

interface Trouble {
  readonly title?: string;
  readonly why: string;
  readonly shown: readonly string[];
  readonly cause?: string;
  readonly failureClass?: FailureClass;
}

const goesOn = [
  "Nothing is lost: plan, work and evidence of the run are kept, and another agent can take the role up from them.",
  "Approve to ask again; revise to ask again with your words; or give the role to another agent first, then approve.",
];

function blocked(run: Run, call: AgentCall, trouble: Trouble, deps: MachineDeps): Decision {
  const { title, why, shown, cause, failureClass } = trouble;
  const { role, assignment, callId } = call.record;
  const outcome = call.result?.outcome;
  return openGate(run, deps, {
    kind: "provider_blocked",
    ...(title === undefined ? {} : { title }),
    ...(failureClass === undefined ? {} : { failureClass }),
    shown: [`The ${role} (${assignment.assignment}) ${why}`, ...shown, ...goesOn],
    refs: outcome?.result === "accepted" ? [outcome.response] : [],
    about: { callId, role, assignment: assignment.assignment, cause: cause ?? "provider_blocked" },
  });
}

function refused(run: Run, call: AgentCall, problems: readonly string[], reason: string, deps: MachineDeps): Decision {
  const { role } = call.record;
  const count = run.refusals[role] ?? 0;
  const { maxSchemaFailures } = run.created.policy.budgets;
  if (count >= maxSchemaFailures) {
    const why = `answered ${count} times in a row without keeping its contract; last: ${plainLine(problems.join("; "), 500)}`;
    const trouble = {
      title: "An agent keeps breaking its contract",
      why,
      shown: [],
      cause: "repeated_schema_failures",
      failureClass: "schema_failure",
    } as const;
    return failOver(run, call, why, deps) ?? blocked(run, call, trouble, deps);
  }
  const finding = emit({
    type: "finding_recorded",
    pass: currentPassNumber(run),
    finding: {
      kind: "schema",
      severity: "risk",
      message: plainLine(`An answer of the ${role} was refused (${reason}): ${problems.join("; ")}`, 500),
      refs: [],
    },
  });
  return combine(finding, askAgain(run, call, `its last answer was refused: ${reason}`, deps));
}

function noAnswer(
  run: Run,
  call: AgentCall,
  { why, timedOut }: Extract<CallResult, { result: "failed" }>,
  deps: MachineDeps,
): Decision {
  const failure = `${timedOut ? "did not answer in time" : "gave no answer"}: ${plainLine(why)}`;
  // The budget ended the call, not its agent: a person is asked about the budget, then the same agent is asked again.
  if (exhaustedBudget(run)) return askAgain(run, call, "the budget ended its last call", deps);
  const trouble = { title: "An agent gave no answer", why: failure, shown: [], cause: "provider_failed" };
  return failOver(run, call, failure, deps) ?? blocked(run, call, trouble, deps);
}

/** A limit further away than this, or one that comes back this often, is a person's business. */
const longestLimitMs = 8 * 86_400_000;
const mostLimits = 20;
const shortestLimitMs = 1_000;

const isLimited = ({ result }: AgentCall): boolean =>
  (result?.outcome.result === "failed" || result?.outcome.result === "not_sent") && result.outcome.until !== undefined;

/** The provider says until when it takes no calls: the next agent of the user's list is asked, or the run waits that long. */
function limited(
  run: Run,
  call: AgentCall,
  { why, until }: Extract<CallResult, { result: "failed" | "not_sent" }>,
  deps: MachineDeps,
): Decision | null {
  const at = call.result?.at ?? 0;
  if (until === undefined || until - at > longestLimitMs || exhaustedBudget(run)) return null;
  const { role, callId } = call.record;
  const other = failOver(run, call, `is at a limit: ${plainLine(why)}`, deps);
  if (other) return other;
  const last = run.calls.filter(({ record }) => record.role === role && record.lane === "main").slice(-mostLimits);
  if (last.length === mostLimits && last.every(isLimited)) return null;
  // A limit that is over already is asked about again only after a moment.
  const end = Math.max(until, at + shortestLimitMs);
  return emit({ type: "provider_limited", callId, until: end, why: plainLine(why, 1_000) });
}

/** A worker that is blocked because its task and the tests disagree names them (B-29). */
function blockedBy({ summary, brief }: Extract<CallResult, { result: "accepted" }>): Trouble {
  const plain = { why: "is blocked:", shown: [plainLine(summary, 1_000)] };
  const found = brief?.contract === "implementation_result" ? brief.contradiction : undefined;
  if (found === undefined) return plain;
  const shown = [...plain.shown, ...contradictionLines(found)];
  return { title: "Test or task? The worker says that they disagree", ...plain, shown, cause: "contradiction" };
}

export function onTrouble(run: Run, call: AgentCall, deps: MachineDeps): Decision {
  const { role, assignment, callId } = call.record;
  const outcome = call.result?.outcome;
  if (!outcome) throw new Error(`Call ${callId} is in trouble without a result.`);
  switch (outcome.result) {
    case "accepted":
      return outcome.status === "failed"
        ? failRun(
            "provider_failed",
            "provider_error",
            `The ${role} (${assignment.assignment}) failed: ${plainLine(outcome.summary)}`,
          )
        : blocked(run, call, blockedBy(outcome), deps);
    case "refused":
      return refused(run, call, outcome.problems, outcome.reason, deps);
    case "failed":
      if (outcome.violation)
        return failRun(
          "provider_failed",
          "unsafe_action",
          `The ${role} (${assignment.assignment}) did a thing that its role forbids: ${plainLine(outcome.why)}`,
          `Look at ${plainLine(outcome.violation.paths.slice(0, 5).join(", "))}; then use another agent, or install bubblewrap, which makes it impossible.`,
        );
      return limited(run, call, outcome, deps) ?? noAnswer(run, call, outcome, deps);
    case "not_sent":
      return (
        limited(run, call, outcome, deps) ??
        failOver(run, call, `did not take the call: ${plainLine(outcome.why)}`, deps) ??
        blocked(
          run,
          call,
          {
            why: "did not take the call, and no work was begun:",
            shown: [outcome.why, outcome.remedy ?? ""],
          },
          deps,
        )
      );
    case "in_doubt":
      return openGate(run, deps, {
        kind: "provider_in_doubt",
        shown: [
          `The call ${callId} to ${assignment.assignment} for the ${role} was interrupted: whether it was answered is not known.`,
          plainLine(outcome.why, 1_000),
          "It may have been worked on and may have cost something. Retry sends it again; abort ends the run.",
        ],
        about: { callId, role, assignment: assignment.assignment, cause: "in_doubt" },
      });
  }
}

function isFree(run: Run, role: AskedRole, agent: ResolvedAssignment): boolean {
  const tried = run.calls.some(({ record }) => record.role === role && record.assignment.identity === agent.identity);
  const canDoIt = role !== "implementer" || agent.edits !== "none";
  return !tried && canDoIt && conflictIn(run, { ...run.roles, [role]: agent }) === null;
}

/** The next agent takes the role and is asked the same; null when the list has none that may. */
export function failOver(run: Run, call: AgentCall, why: string, deps: MachineDeps): Decision | null {
  const { role, assignment } = call.record;
  const agent = run.created.fallbacks?.[role]?.find((one) => isFree(run, role, one));
  if (!agent) return null;
  const message = `The ${role} (${assignment.assignment}) ${plainLine(why, 300)}; ${agent.assignment} takes the role up, by your list of fallbacks.`;
  return combine(
    emit(
      {
        type: "finding_recorded",
        pass: currentPassNumber(run),
        finding: { kind: "agent_replaced", severity: "risk", message, refs: [] },
      },
      { type: "role_assigned", role, assignment: agent, by: { kind: "policy", surface: "runtime" } },
    ),
    askAgain(
      { ...run, roles: { ...run.roles, [role]: agent } },
      call,
      `${assignment.assignment} brought no answer`,
      deps,
    ),
  );
}
