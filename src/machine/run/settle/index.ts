// settle: what the runtime itself decides next, from facts alone. Empty when it needs the world or a person.
import { askAgain, onTrouble } from "../call/trouble.ts";
import { holdCall } from "../call/open-call.ts";
import { callOf } from "../facts.ts";
import { openGate } from "../gate/open.ts";
import { nextInLoop } from "../next/index.ts";
import type { Output, World } from "../output.ts";
import { type ActivePhase, type Run, isEnded } from "../state/index.ts";
import { enter } from "../transition.ts";
import { settleDelegating, settlePlanning } from "./planning.ts";
import { settleSide } from "./side.ts";
import { settleCritiquing, settleVerifying } from "./verifying.ts";
import { settleImplementing, settleIntegrating } from "./working.ts";

/** Budgets pause the run and ask; they do not kill it. */
function overBudget(run: Run, world: World): Output | null {
  const { limits, spent } = run;
  const over =
    limits.tokens !== null && spent.tokens >= limits.tokens
      ? { kind: "token_budget" as const, shown: `${spent.tokens} of ${limits.tokens} tokens are used.` }
      : limits.ms !== null && spent.ms >= limits.ms
        ? {
            kind: "time_budget" as const,
            shown: `${Math.round(spent.ms / 1_000)} of ${Math.round(limits.ms / 1_000)} seconds are used.`,
          }
        : null;
  if (!over) return null;
  return openGate(
    run,
    {
      kind: over.kind,
      shown: [over.shown, "Extend to go on from here, or abort."],
      about: { cause: over.kind },
    },
    world,
  );
}

function settlePhase(run: Run, phase: ActivePhase, world: World): Output | null {
  switch (phase.state) {
    case "created":
      return enter(run, phase, "planning", "the run begins");
    case "planning":
      return settlePlanning(run, phase, world);
    case "delegating":
      return settleDelegating(run, phase, world);
    case "implementing":
      return settleImplementing(run, phase, world);
    case "integrating":
      return settleIntegrating(run, phase, world);
    case "verifying":
      return settleVerifying(run, phase, world);
    case "critiquing":
      return settleCritiquing(run, phase, world);
  }
}

/** What would cost tokens or time next: one more call, or one more check. */
function spends(run: Run, output: Output | null): boolean {
  if (output) return output.events.some(({ type }) => type === "agent_asked");
  const kind = nextInLoop(run)?.kind;
  return kind === "write_directive" || kind === "call_provider" || kind === "run_check";
}

function settleLoop(run: Run, world: World): Output | null {
  if (isEnded(run.phase) || run.phase.state === "awaiting_approval") return null;
  const output = settleActive(run, run.phase, world);
  return (spends(run, output) ? overBudget(run, world) : null) ?? output;
}

function settleActive(run: Run, phase: ActivePhase, world: World): Output | null {
  const troubled = callOf(run, run.trouble);
  if (troubled) return onTrouble(run, troubled, world);
  const open = callOf(run, run.asking);
  if (open) return holdCall(run, open, world);
  const again = callOf(run, run.again);
  if (again) return askAgain(run, again, "asked for again", world);
  return settlePhase(run, phase, world);
}

export function settle(run: Run, world: World): Output | null {
  const output = settleSide(run, world) ?? settleLoop(run, world);
  return output && output.events.length > 0 ? output : null;
}
