// A call of the loop without a usable response: refused, blocked, failed, never sent, or in doubt.
import { plainLine } from "../../contract/index.ts";
import { openGate } from "../gate/open.ts";
import { type Output, type World, emit, together } from "../output.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { failRun } from "../transition.ts";
import { ask } from "./ask.ts";
import { currentPassNumber } from "../facts/index.ts";

function blocked(run: Run, call: AgentCall, why: string, shown: readonly string[], world: World): Output {
  const { role, assignment, callId } = call.record;
  const outcome = call.result?.outcome;
  return openGate(
    run,
    {
      kind: "provider_blocked",
      shown: [
        `The ${role} (${assignment.assignment}) ${why}`,
        ...shown,
        "Approve to ask again; revise to ask again with your words.",
      ],
      refs: outcome?.result === "accepted" ? [outcome.response] : [],
      about: { callId, role, assignment: assignment.assignment, cause: "provider_blocked" },
    },
    world,
  );
}

function refused(
  run: Run,
  call: AgentCall,
  problems: readonly string[],
  reason: string,
  world: World,
): Output {
  const { role } = call.record;
  const count = run.refusals[role] ?? 0;
  const { maxSchemaFailures } = run.created.policy.budgets;
  if (count >= maxSchemaFailures)
    return failRun(
      "repeated_schema_failures",
      "schema_failure",
      `The ${role} answered ${count} times in a row without keeping its contract; last: ${plainLine(problems.join("; "), 500)}`,
      "Look at the refused answers, or assign another model to the role.",
    );
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
  return together(finding, askAgain(run, call, `its last answer was refused: ${reason}`, world));
}

/** Asks the same question once more; the call counts like any other. */
export function askAgain(run: Run, call: AgentCall, why: string, world: World): Output {
  const { role, phase, callId } = call.record;
  return ask(run, { role, phase, why, retryOf: callId }, world);
}

export function onTrouble(run: Run, call: AgentCall, world: World): Output {
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
        : blocked(run, call, "is blocked:", [plainLine(outcome.summary, 1_000)], world);
    case "refused":
      return refused(run, call, outcome.problems, outcome.reason, world);
    case "failed":
      if (outcome.violation)
        return failRun(
          "provider_failed",
          "unsafe_action",
          `The ${role} (${assignment.assignment}) did a thing that its role forbids: ${plainLine(outcome.why)}`,
          `Look at ${plainLine(outcome.violation.paths.slice(0, 5).join(", "))}; then use another agent, or install bubblewrap, which makes it impossible.`,
        );
      return failRun(
        "provider_failed",
        "provider_error",
        `The ${role} (${assignment.assignment}) ${outcome.timedOut ? "did not answer in time" : "gave no answer"}: ${plainLine(outcome.why)}`,
        "Let the doctor check the provider, then start again.",
      );
    case "not_sent":
      return blocked(
        run,
        call,
        "did not take the call, and no work was begun:",
        [outcome.why, outcome.remedy ?? ""],
        world,
      );
    case "in_doubt":
      return openGate(
        run,
        {
          kind: "provider_in_doubt",
          shown: [
            `The call ${callId} to ${assignment.assignment} for the ${role} was sent, and its outcome is unknown:`,
            plainLine(outcome.why, 1_000),
            "It may have been worked on and may have cost something. Retry sends it again; abort ends the run.",
          ],
          about: { callId, role, assignment: assignment.assignment, cause: "in_doubt" },
        },
        world,
      );
  }
}
