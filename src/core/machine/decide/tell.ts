// A message of a person to a run that is under way. It reaches every later call, may stop the one in progress, narrows the scope
// at once, and widens it only through a gate.
import { plainLine, type RunEvent, type UserCommand, type Widening } from "../../contract/index.ts";
import { askAgain } from "../call/ask.ts";
import { callOf, counted } from "../facts/index.ts";
import { type Decision, type MachineDeps, combine, emit } from "../decision.ts";
import { makeGate } from "../gate/open.ts";
import { type AgentCall, type Run, isEnded } from "../state/index.ts";
import { type Refusal, type Ruling, after, refuse } from "./ruling.ts";

type Tell = Extract<UserCommand, { type: "tell" }>;

/** After these gates no agent may be asked again, so the message would reach none. */
const last = ["apply_patch", "conclude", "retry_integration"];

/** The call whose prompt is written already: a message can only reach it by asking again. */
function inProgress(run: Run): AgentCall | undefined {
  const call = callOf(run, run.asking);
  return call?.directive && !call.result ? call : undefined;
}

function objection(run: Run, { message, by }: Tell): Refusal | null {
  const { runId, phase } = run;
  if (by.kind !== "person")
    return refuse("permission_denied", "Only a person writes to a run.", "Type it yourself in a terminal.");
  if (isEnded(phase))
    return refuse(
      "illegal_transition",
      `Run ${runId} is ${phase.state}; no agent is asked any more.`,
      "Start a run after it that follows it up. See what came of this one",
      { suggest: "show", runId },
    );
  if (phase.state === "awaiting_approval" && last.includes(phase.gate.continuation)) {
    const revises = phase.gate.answers.includes("revise");
    return refuse(
      "conflict",
      `Run ${runId} waits for you: ${phase.gate.title}. A message that no agent would get is not recorded.`,
      revises ? "Send the work back with your words" : "Answer it first",
      revises ? { suggest: "answer", answer: "revise", runId, gateId: phase.gate.id } : { suggest: "status", runId },
    );
  }
  if (message.how === "cancel" && !inProgress(run))
    return refuse(
      "illegal_transition",
      `No agent of run ${runId} is at work right now, so there is no call to cancel.`,
      "Leave the option out: the next call gets your words. Or end the run",
      { suggest: "abort", runId },
    );
  if (message.widens && run.widening)
    return refuse("conflict", "A wider scope waits for your answer already.", "Answer it first", {
      suggest: "status",
      runId,
    });
  return null;
}

/** The call is over for the run; the process that made it sees that at its next look and ends it. What it wrote stays. */
function stop(run: Run, { record, posted }: AgentCall, why: string, at: number): RunEvent {
  const { callId, role, lane } = record;
  const outcome = posted
    ? ({ result: "in_doubt", why } as const)
    : ({ result: "not_sent", why, remedy: null } as const);
  const tookMs = Math.min(Math.max(0, at - (posted?.at ?? at)), run.created.policy.budgets.callTimeoutMs);
  const usage = { inputTokens: 0, outputTokens: 0, estimated: posted !== null };
  return { type: "agent_response", callId, role, lane, outcome, usage, tookMs, artifacts: [] };
}

function stopped(run: Run, { message }: Tell, recorded: Decision, at: number, deps: MachineDeps): Decision | null {
  const call = message.how === "next" ? undefined : inProgress(run);
  if (!call) return null;
  const ended = emit(stop(run, call, `stopped by you: ${plainLine(message.text, 200)}`, at));
  if (message.how === "cancel") return ended;
  const again = askAgain(after(run, combine(recorded, ended), at), call, "you wrote to the run", deps);
  return combine(ended, again);
}

const amounts = ({ addTokens, addMinutes, addAnswers, addUsd }: Widening): string[] => [
  ...(addTokens === undefined ? [] : [`${addTokens} tokens`]),
  ...(addMinutes === undefined ? [] : [`${addMinutes} minutes`]),
  ...(addAnswers === undefined ? [] : [counted(addAnswers, "model call")]),
  ...(addUsd === undefined ? [] : [`$${addUsd}`]),
];

function gateOf(run: Run, { message: { text, widens = {} } }: Tell, deps: MachineDeps): Decision {
  const { allowedPaths = [], acceptanceCriteria = [] } = widens;
  const { scope } = run;
  const more = amounts(widens);
  const gate = makeGate(run, deps, {
    kind: "scope_change",
    lane: "side",
    whole: true,
    shown: [
      `Your message to the run: “${plainLine(text, 4_000)}”`,
      "This is more than what you agreed to at its start. Until you approve it, the run goes on within its present scope.",
      ...acceptanceCriteria.map((line) => `- must be true at the end, too: ${plainLine(line, 1_000)}`),
      ...allowedPaths.map((glob) => `- may change, too: ${plainLine(glob, 500)}`),
      ...(more.length > 0 ? [`- more budget: ${more.join(", ")}`] : []),
      `allowed paths now: ${scope.allowedPaths.join(", ") || "all; protected ones are shown by name at the end"}`,
      ...(scope.disallowedPaths.length > 0
        ? [`never, whatever you approve here: ${scope.disallowedPaths.join(", ")}`]
        : []),
    ],
  });
  return emit({ type: "approval_required", gate });
}

export function onTell(run: Run, command: Tell, at: number, deps: MachineDeps): Ruling {
  const problem = objection(run, command);
  if (problem) return problem;
  const { message, by } = command;
  const call = message.how === "next" ? undefined : inProgress(run);
  const received = emit({ type: "message_received", message, by, ...(call ? { callId: call.record.callId } : {}) });
  const ended = stopped(run, command, received, at, deps);
  const recorded = combine(received, ended);
  return message.widens ? combine(recorded, gateOf(after(run, recorded, at), command, deps)) : recorded;
}
