// The answer `revise`: a person's message goes to the role concerned, and the earlier plan or work stays on record.
import { type Gate, type AnswerCommand, plainLine } from "../../contract/index.ts";
import { askAgain } from "../call/ask.ts";
import { callOf, currentPlan, latestPass } from "../facts/index.ts";
import { type Decision, type MachineDeps, emit, combine } from "../decision.ts";
import { gateTable } from "../gate/table.ts";
import { repair } from "../review/revision.ts";
import type { Delegating, Planning, Run } from "../state/index.ts";
import { enter } from "../transition.ts";
import { after, type Ruling, refuse } from "./ruling.ts";

function note(run: Run, message: string): Decision {
  const finding = {
    kind: "user_note" as const,
    severity: "info" as const,
    message: plainLine(message, 4_000),
    refs: [],
  };
  return emit({ type: "finding_recorded", pass: run.passes.length - 1, finding });
}

const cannot = ({ runId }: Run, message: string): Ruling =>
  refuse("illegal_transition", message, "See what it takes", { suggest: "status", runId });

/** `recorded` is the output that records the answer; the rest is decided on the run after it, with the gate closed. */
export function onRevise(
  run: Run,
  gate: Gate,
  command: AnswerCommand,
  recorded: Decision,
  at: number,
  deps: MachineDeps,
): Ruling {
  const open = after(run, recorded, at);
  const { phase } = open;
  const noted = note(open, command.message);
  if (phase.state === "planning" || phase.state === "delegating") {
    const old = currentPlan(open);
    const mark = old
      ? emit({
          type: "plan_superseded",
          plan: old.ref,
          why: `revised by the user: ${plainLine(command.message, 200)}`,
        })
      : emit();
    const aboutPlan = (gate.parts ?? [gate]).some(({ kind }) => kind === "implementation_start");
    if (aboutPlan || gate.kind === "repeated_failure")
      return combine(noted, mark, enter<Planning | Delegating>(open, phase, "planning", "the user wants another plan"));
  }
  if (gateTable[gate.kind].revises === "decider") {
    const call = callOf(open, gate.callId ?? null);
    if (!call) return cannot(open, `Gate ${gate.kind} has no role to send your words to.`);
    return combine(noted, askAgain(after(open, noted, at), call, "the user answered", deps));
  }
  if (phase.state === "planning" || phase.state === "delegating" || phase.state === "created")
    return cannot(open, `Gate ${gate.kind} cannot be answered with revise here.`);
  if (
    phase.state === "awaiting_approval" ||
    phase.state === "completed" ||
    phase.state === "failed" ||
    phase.state === "aborted"
  )
    return cannot(open, `The run is ${phase.state}.`);
  const pass = latestPass(open);
  return repair(open, phase, pass, deps, {
    sourceRole: "user",
    reasonCode: "user_revise",
    reason: command.message,
    objective: command.message,
    criteria: [command.message],
    evidence: [...gate.subject.refs],
  });
}
