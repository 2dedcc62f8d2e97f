// A call of the loop without a usable response: refused, blocked, failed, never sent, or in doubt.
import { type CallResult, plainLine } from "../../contract/index.ts";
import { follows } from "../flags.ts";
import { openGate } from "../gate/open.ts";
import { type Output, type World, emit, together } from "../output.ts";
import type { AgentCall, Run } from "../state/index.ts";
import { failRun } from "../transition.ts";
import { askAgain } from "./ask.ts";
import { handOver } from "./hand-over.ts";
import { currentPassNumber, usedUp } from "../facts/index.ts";

interface Trouble {
  readonly title?: string;
  readonly why: string;
  readonly shown: readonly string[];
  readonly cause?: string;
}

const goesOn = [
  "Nothing is lost: plan, work and evidence of the run are kept, and another agent can take the role up from them.",
  "Approve to ask again; revise to ask again with your words; or give the role to another agent first, then approve.",
];

function blocked(run: Run, call: AgentCall, { title, why, shown, cause }: Trouble, world: World): Output {
  const { role, assignment, callId } = call.record;
  const outcome = call.result?.outcome;
  return openGate(
    run,
    {
      kind: "provider_blocked",
      ...(title === undefined ? {} : { title }),
      shown: [
        `The ${role} (${assignment.assignment}) ${why}`,
        ...shown,
        ...(follows(run, "vendorTroubleWaits")
          ? goesOn
          : ["Approve to ask again; revise to ask again with your words."]),
      ],
      refs: outcome?.result === "accepted" ? [outcome.response] : [],
      about: { callId, role, assignment: assignment.assignment, cause: cause ?? "provider_blocked" },
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
  if (count >= maxSchemaFailures) {
    const why = `answered ${count} times in a row without keeping its contract; last: ${plainLine(problems.join("; "), 500)}`;
    if (!follows(run, "vendorTroubleWaits"))
      return failRun(
        "repeated_schema_failures",
        "schema_failure",
        `The ${role} ${why}`,
        "Look at the refused answers, or assign another model to the role.",
      );
    const title = "An agent keeps breaking its contract";
    return (
      handOver(run, call, why, world) ??
      blocked(run, call, { title, why, shown: [], cause: "repeated_schema_failures" }, world)
    );
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
  return together(finding, askAgain(run, call, `its last answer was refused: ${reason}`, world));
}

function noAnswer(
  run: Run,
  call: AgentCall,
  { why, timedOut }: Extract<CallResult, { result: "failed" }>,
  world: World,
): Output {
  const words = `${timedOut ? "did not answer in time" : "gave no answer"}: ${plainLine(why)}`;
  const { role, assignment } = call.record;
  if (!follows(run, "vendorTroubleWaits"))
    return failRun(
      "provider_failed",
      "provider_error",
      `The ${role} (${assignment.assignment}) ${words}`,
      "Let the doctor check the provider, then start again.",
    );
  // A call that ended with the budget is no fault of its agent: the budget is asked about, then the same agent is asked.
  if (usedUp(run)) return askAgain(run, call, "the budget ended its last call", world);
  const trouble = { title: "An agent gave no answer", why: words, shown: [], cause: "provider_failed" };
  return handOver(run, call, words, world) ?? blocked(run, call, trouble, world);
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
        : blocked(run, call, { why: "is blocked:", shown: [plainLine(outcome.summary, 1_000)] }, world);
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
      return noAnswer(run, call, outcome, world);
    case "not_sent":
      return (
        handOver(run, call, `did not take the call: ${plainLine(outcome.why)}`, world) ??
        blocked(
          run,
          call,
          {
            why: "did not take the call, and no work was begun:",
            shown: [outcome.why, outcome.remedy ?? ""],
          },
          world,
        )
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
