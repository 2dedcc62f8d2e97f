// The rules of the loop: from the recorded facts alone, the runtime decides its next step. There is no step when the
// run needs the world (an effect is due) or a person (a gate is open). `decide` follows the rules until none applies.
import { dollars, plainLine } from "../../contract/index.ts";
import { askAgain } from "../call/ask.ts";
import { onTrouble } from "../call/trouble.ts";
import { holdCall } from "../call/open-call.ts";
import { callOf, costOf, exhaustedBudget } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { nextInLoop } from "../next/due.ts";
import type { Decision, MachineDeps } from "../decision.ts";
import { type ActivePhase, type AgentCall, type Run, isEnded } from "../state/index.ts";
import { enter } from "../transition.ts";
import { onBlindTrouble } from "./blind-tests.ts";
import { whileDelegating, whilePlanning } from "./planning.ts";
import { onSide } from "./side.ts";
import { whileCritiquing, whileVerifying } from "./verifying.ts";
import { whileImplementing, whileIntegrating } from "./working.ts";

/** Budgets pause the run and ask; they do not kill it. */
function overBudget(run: Run, deps: MachineDeps): Decision | null {
  const used = exhaustedBudget(run);
  if (used === null) return null;
  const { limits, spent } = run;
  const seconds = (ms: number | null) => Math.round((ms ?? 0) / 1_000);
  const shown = {
    token: `${spent.tokens} of ${limits.tokens} tokens are used.`,
    money: `${dollars(spent.usd)} of ${dollars(limits.usd ?? 0)} are used${guessedPart(run)}.`,
    time: `${seconds(spent.ms)} of ${seconds(limits.ms)} seconds are used.`,
  }[used];
  const kind = `${used}_budget` as const;
  const stopped = callOf(run, run.trouble);
  return openGate(run, deps, {
    kind,
    shown: [shown, ...(stopped ? [stoppedBy(stopped)] : []), "Extend to go on from here, or abort."],
    about: { cause: kind, ...(stopped ? { callId: stopped.record.callId } : {}) },
  });
}

/** The part of the money that no provider reported. */
function guessedPart(run: Run): string {
  const costs = run.calls.flatMap(({ record, result }) =>
    result ? [costOf(record.assignment, result.usage, true)] : [],
  );
  const guessed = costs.reduce((sum, cost) => sum + (cost?.estimated ? cost.usd : 0), 0);
  return guessed === 0 ? "" : `, of which about ${dollars(guessed)} estimated from tokens`;
}

function stoppedBy({ record, result }: AgentCall): string {
  const why = result?.outcome.result === "failed" ? `: ${plainLine(result.outcome.why, 300)}` : "";
  return `The ${record.role} (${record.assignment.assignment}) brought no answer${why}. It is asked again when you extend.`;
}

function inPhase(run: Run, phase: ActivePhase, deps: MachineDeps): Decision | null {
  switch (phase.state) {
    case "created":
      return enter(run, phase, "planning", "the run begins");
    case "planning":
      return whilePlanning(run, phase, deps);
    case "delegating":
      return whileDelegating(run, phase, deps);
    case "implementing":
      return whileImplementing(run, phase, deps);
    case "integrating":
      return whileIntegrating(run, phase, deps);
    case "verifying":
      return whileVerifying(run, phase, deps);
    case "critiquing":
      return whileCritiquing(run, phase, deps);
  }
}

/** True when the next step costs tokens or time: one more call, or one more check. */
function spends(run: Run, output: Decision | null): boolean {
  if (output) return output.events.some(({ type }) => type === "agent_asked");
  const kind = nextInLoop(run)?.kind;
  return kind === "write_directive" || kind === "call_provider" || kind === "run_check" || kind === "run_blind_tests";
}

function inLoop(run: Run, deps: MachineDeps): Decision | null {
  if (isEnded(run.phase) || run.phase.state === "awaiting_approval") return null;
  const output = inActivePhase(run, run.phase, deps);
  return (spends(run, output) ? overBudget(run, deps) : null) ?? output;
}

function inActivePhase(run: Run, phase: ActivePhase, deps: MachineDeps): Decision | null {
  if (run.limited) return null;
  const troubled = callOf(run, run.trouble);
  if (troubled) return onBlindTrouble(run, troubled) ?? onTrouble(run, troubled, deps);
  const open = callOf(run, run.asking);
  if (open) return holdCall(run, open, deps);
  const again = callOf(run, run.again);
  if (again) return askAgain(run, again, "asked for again", deps);
  return inPhase(run, phase, deps);
}

/** The next step that follows by a rule, or null when none does. */
export function nextStep(run: Run, deps: MachineDeps): Decision | null {
  const output = onSide(run, deps) ?? inLoop(run, deps);
  return output && output.events.length > 0 ? output : null;
}
